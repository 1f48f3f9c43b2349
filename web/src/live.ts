// Live pages: when a new version is told, the page is fetched again and worked into the old one.
import htmx from "./htmx.ts";
import { listen, type SnapshotEvent } from "./events.ts";
import { say } from "./status.ts";

type State = "live" | "polling" | "off" | "lost";

const MARKS: Record<State, { icon: string; word: string }> = {
  live: { icon: "d-start", word: "Live" },
  polling: { icon: "d-access", word: "Polling" },
  off: { icon: "d-off", word: "Not live" },
  lost: { icon: "d-off", word: "Not connected" },
};

/** The version that was asked for last, so that one is asked for once. */
let asked = "";
let told: SnapshotEvent | undefined;
/** What has changed since the version that the page shows. */
const changed = new Set<string>();
/** Whether the server was away: what it says of versions since then may be about another one. */
let wasLost = false;

export function startLive(): void {
  listen(shown(), {
    told: (event) => {
      told = event;
      mark(stateOf(event), event);
      if (event.version !== shown()) for (const name of event.changed) changed.add(name);
      if ((event.version !== shown() && event.version !== asked) || wasLost) {
        asked = event.version;
        wasLost = false;
        htmx.trigger(document.body, "tierboard:changed");
      }
    },
    lost: () => {
      wasLost = true;
      mark("lost");
    },
  });
  const body = document.body;
  body.addEventListener("htmx:configRequest", (event) => {
    // Problems come as pages, too.
    (event as CustomEvent<{ headers: Record<string, string> }>).detail.headers["Accept"] = "text/html";
  });
  body.addEventListener("htmx:beforeSwap", (event) => {
    const detail = (event as CustomEvent<{ xhr: XMLHttpRequest; shouldSwap: boolean; isError: boolean }>).detail;
    const isPage = detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/html") ?? false;
    if (isPage && detail.xhr.status >= 400) {
      detail.shouldSwap = true;
      detail.isError = false;
    }
  });
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    body.addEventListener(failure, () => {
      asked = "";
    });
  }
  body.addEventListener("htmx:afterSettle", () => {
    if (told) say(sentence(told));
    changed.clear();
    document.dispatchEvent(new Event("tierboard:shown"));
  });
}

/** The version that the page shows. */
function shown(): string {
  return document.getElementById("main")?.dataset["seen"] ?? "";
}

function stateOf(event: SnapshotEvent): State {
  return event.watch.state === "stopped" ? "off" : event.watch.state;
}

function mark(state: State, event?: SnapshotEvent): void {
  const place = document.getElementById("live");
  if (!place) return;
  const { icon, word } = MARKS[state];
  const changed = place.dataset["state"] !== state;
  place.dataset["state"] = state;
  place.title = event?.watch.reason ?? (state === "lost" ? "The server does not answer. Trying again." : "");
  place.querySelector("use")?.setAttribute("href", `#${icon}`);
  const text = place.querySelector("span");
  if (text) text.replaceChildren(word, ...counted(state, event));
  // The first word is no news.
  if (changed && (state === "lost" || told !== event)) say(`${word}.`);
}

function counted(state: State, event?: SnapshotEvent): Node[] {
  // Without a workspace there is nothing to count.
  if (!event || event.problem || state === "lost") return [];
  const label = document.createElement("span");
  label.className = "lbl";
  label.textContent = `, ${files(event.files)}`;
  return [label];
}

function files(many: number): string {
  return many === 1 ? "1 file" : `${many} files`;
}

function sentence(event: SnapshotEvent): string {
  if (event.problem) return "The workspace can't be read now.";
  // Something else than a file that is read may have changed, say a setting.
  const what = changed.size === 0 ? "Updated" : `${files(changed.size)} changed`;
  const tokens = document.querySelector("#counts b")?.textContent;
  return tokens ? `${what}. ${tokens} tokens at start.` : `${what}.`;
}
