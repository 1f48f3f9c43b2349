// Copy buttons: exact text, fetched when it is asked for.
import { say } from "./status.ts";

export function startCopy(): void {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = target?.closest<HTMLButtonElement>("[data-copy], [data-copy-text]");
    if (button) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  try {
    await put(button.dataset["copyText"] ?? (await fetched(button.dataset["copy"] ?? "")));
    report(button, "Copied");
  } catch {
    report(button, "Not copied");
  }
}

async function fetched(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

async function put(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Not allowed here: the old way may be.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "vh";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copying is not allowed");
}

function report(button: HTMLButtonElement, words: string): void {
  say(`${words}.`);
  const label = button.querySelector("span");
  const use = button.querySelector("use");
  const before = { label: "Copy", icon: "#copy" };
  if (label) label.textContent = words;
  use?.setAttribute("href", words === "Copied" ? "#ok" : "#error");
  setTimeout(() => {
    if (label) label.textContent = before.label;
    use?.setAttribute("href", before.icon);
  }, 1800);
}
