// Marks the place in the outline that is being read.

/** A place that the browser has just jumped to may be a part of a pixel below its line. */
const SLACK = 2;

/** The address of the entry that was clicked, and how far the page was scrolled then. */
let clicked: { hash: string; at: number | undefined } | undefined;

export function startOutline(): void {
  let waits = false;
  const soon = (): void => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      markPlace();
    });
  };
  document.addEventListener("click", (event) => {
    // With these keys the link opens elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>(".outline a[href*='#']");
    if (link) choose(link.hash, soon);
  });
  addEventListener("scroll", soon, { passive: true });
  document.addEventListener("tierboard:shown", soon);
  // An address that leads to an entry is a click on another page.
  if (location.hash) choose(location.hash, soon);
  soon();
}

/** A click decides until the person scrolls: at the end of a page its place can't come to the top. */
function choose(hash: string, then: () => void): void {
  const choice: typeof clicked = { hash, at: undefined };
  clicked = choice;
  // After two frames the jump of the click itself is over.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      choice.at = scrollY;
      then();
    }),
  );
}

function markPlace(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".outline a[href*='#']")];
  if (clicked?.at !== undefined && Math.abs(scrollY - clicked.at) > SLACK) clicked = undefined;
  const current = links.find((link) => place(link) && link.hash === clicked?.hash) ?? read(links);
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "location");
    else if (link.getAttribute("aria-current") === "location") link.removeAttribute("aria-current");
  }
}

/** The last entry whose place has come up to where a jump to it ends; else the first. */
function read(links: HTMLAnchorElement[]): HTMLAnchorElement | undefined {
  const padding = pixels(getComputedStyle(document.documentElement).scrollPaddingTop);
  let current: HTMLAnchorElement | undefined;
  for (const link of links) {
    const target = place(link);
    if (!target) continue;
    const line = padding + pixels(getComputedStyle(target).scrollMarginTop) + SLACK;
    if (!current || target.getBoundingClientRect().top <= line) current = link;
  }
  return current;
}

function place(link: HTMLAnchorElement): HTMLElement | null {
  return document.getElementById(decodeURIComponent(link.hash.slice(1)));
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}
