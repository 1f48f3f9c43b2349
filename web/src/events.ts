// The stream of events, shared: of all open tabs one listens and tells the others, so that a
// browser's few connections to a server are not used up.

export type Watch = { state: "live" | "polling" | "stopped"; reason?: string };

export type SnapshotEvent = {
  version: string;
  changed: string[];
  layers: number;
  files: number;
  watch: Watch;
  problem: string | null;
};

export type Listener = {
  /** What is now; told at the start and with every change. */
  told(event: SnapshotEvent): void;
  /** The server can't be reached. */
  lost(): void;
};

type Shared = { kind: "told"; event: SnapshotEvent } | { kind: "lost" } | { kind: "asks" };

const ADDRESS = "/api/v1/events";
const RETRY = 3000;

export function listen(since: string, listener: Listener): void {
  if (!("locks" in navigator) || !("BroadcastChannel" in window)) {
    open(since, listener);
    return;
  }
  const channel = new BroadcastChannel("tierboard-events");
  let last: Shared | undefined;
  let leads = false;
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if (data.kind === "asks") {
      if (leads && last) channel.postMessage(last);
    } else {
      hand(data, listener);
    }
  };
  channel.postMessage({ kind: "asks" } satisfies Shared);
  void navigator.locks.request("tierboard-events", () => {
    leads = true;
    const tell = (shared: Shared): void => {
      last = shared;
      hand(shared, listener);
      channel.postMessage(shared);
    };
    open(since, {
      told: (event) => tell({ kind: "told", event }),
      lost: () => tell({ kind: "lost" }),
    });
    // Held for as long as the tab lives.
    return new Promise<never>(() => undefined);
  });
}

function hand(shared: Shared, listener: Listener): void {
  if (shared.kind === "told") listener.told(shared.event);
  else listener.lost();
}

function open(since: string, listener: Listener): void {
  const address = since ? `${ADDRESS}?since=${encodeURIComponent(since)}` : ADDRESS;
  const source = new EventSource(address);
  let seen = since;
  const take = ({ data }: MessageEvent<string>): void => {
    const event = JSON.parse(data) as SnapshotEvent;
    seen = event.version;
    listener.told(event);
  };
  for (const name of ["hello", "snapshot", "watch"]) source.addEventListener(name, take);
  source.onerror = () => {
    listener.lost();
    // The browser comes back by itself, except when the server said no.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => open(seen, listener), RETRY);
  };
}
