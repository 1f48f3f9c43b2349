// Paths for the field of the path you work on.

type Completions = { paths: { path: string; folder: boolean }[] };

const QUIET = 80;

export function startCompletion(): void {
  const field = document.getElementById("focus");
  const list = document.getElementById("paths");
  if (!(field instanceof HTMLInputElement) || !list) return;
  let timer = 0;
  let running: AbortController | undefined;
  const ask = async (): Promise<void> => {
    running?.abort();
    running = new AbortController();
    try {
      const address = `/api/v1/paths?prefix=${encodeURIComponent(field.value)}`;
      const answer = await fetch(address, { signal: running.signal });
      const found = answer.ok ? ((await answer.json()) as Completions).paths : [];
      list.replaceChildren(...found.map(option));
    } catch {
      // Typed on, or the server is gone: the list stays as it is.
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), QUIET);
  };
  field.addEventListener("input", soon);
  field.addEventListener("focus", soon);
}

function option({ path }: { path: string }): HTMLOptionElement {
  const element = document.createElement("option");
  element.value = path;
  return element;
}
