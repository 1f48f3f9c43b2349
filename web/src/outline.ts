// Marks the place in the outline that is being read.

const LINE = 180;

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
  addEventListener("scroll", soon, { passive: true });
  document.addEventListener("tierboard:shown", soon);
  soon();
}

function markPlace(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".outline a[href*='#']")];
  let current: HTMLAnchorElement | undefined;
  for (const link of links) {
    const place = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (place && (!current || place.getBoundingClientRect().top <= LINE)) current = link;
  }
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "location");
    else if (link.getAttribute("aria-current") === "location") link.removeAttribute("aria-current");
  }
}
