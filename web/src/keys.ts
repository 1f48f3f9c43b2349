// Single keys: where to go, what is next. Off while typing, and off altogether on request.

const STEPS: Record<string, string> = { l: "/", p: "/prompt", s: "/files" };
/** How long `g` waits for its second key. */
const WAIT = 1500;

export function startKeys(): void {
  let waitsUntil = 0;
  document.addEventListener("keydown", (event) => {
    if (document.body.dataset["keys"] === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isTyping(event.target)) return;
    const key = event.key;
    if (Date.now() < waitsUntil) {
      waitsUntil = 0;
      const step = STEPS[key];
      if (step && go(step)) event.preventDefault();
      return;
    }
    if (key === "g") {
      waitsUntil = Date.now() + WAIT;
      return;
    }
    if (act(key)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isTyping(event.target)) (event.target as HTMLElement).blur();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function act(key: string): boolean {
  switch (key) {
    case "j":
      return step(1);
    case "k":
      return step(-1);
    case "p":
      return type("focus");
    case "/":
      return type("q") || type("whyq");
    case "[":
      return agent(-1);
    case "]":
      return agent(1);
    case "?":
      document.getElementById("keyhelp")?.togglePopover();
      return true;
    default:
      return false;
  }
}

/** Follows the navigation, so that agent and focus are kept. */
function go(path: string): boolean {
  const links = document.querySelectorAll<HTMLAnchorElement>(".nav a");
  const link = [...links].find((each) => each.pathname === path);
  link?.click();
  return link !== undefined;
}

function agent(by: number): boolean {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".agents a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  const next = links[at + by];
  next?.click();
  return next !== undefined;
}

function type(id: string): boolean {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return false;
  field.focus();
  field.select();
  return true;
}

/** Moves to the next or previous layer or line. */
function step(by: number): boolean {
  const stops = [...document.querySelectorAll<HTMLElement>(".stop")].filter((stop) => stop.offsetParent !== null);
  if (stops.length === 0) return false;
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const from = at < 0 ? nearest(stops, by) : at + by;
  const next = stops[Math.min(Math.max(from, 0), stops.length - 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  return true;
}

/** The first stop on the screen, when none has the focus. */
function nearest(stops: HTMLElement[], by: number): number {
  const visible = stops.findIndex((stop) => stop.getBoundingClientRect().bottom > 120);
  if (visible < 0) return stops.length - 1;
  return by > 0 ? visible : visible - 1;
}
