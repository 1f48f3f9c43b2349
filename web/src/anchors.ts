// A place inside something closed: what holds it is opened first.

export function startAnchors(): void {
  const open = (): void => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    let closed = false;
    for (let each: Element | null = place; each; each = each.parentElement) {
      if (each instanceof HTMLDetailsElement && !each.open) {
        each.open = true;
        closed = true;
      }
    }
    if (closed) place.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
}
