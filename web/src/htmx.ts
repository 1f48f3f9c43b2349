// htmx as a global, which is where the morph extension looks for it. Import this first.
import htmx from "htmx.org";

declare global {
  interface Window {
    htmx: typeof htmx;
  }
}

window.htmx = htmx;
// The page's own setting, said again here: no eval, no style element, no address but our own.
htmx.config.allowEval = false;
htmx.config.includeIndicatorStyles = false;
htmx.config.historyEnabled = false;
htmx.config.selfRequestsOnly = true;

export default htmx;
