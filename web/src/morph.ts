// How a new page is worked into the old one: what a person has done to it stays.
import "./htmx.ts";
import { Idiomorph } from "idiomorph/dist/idiomorph-ext.esm.js";

export function keepWhatPeopleDid(): void {
  Idiomorph.defaults.ignoreActiveValue = true;
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) =>
    // A band that somebody opened stays open, one that somebody closed stays closed.
    !(name === "open" && element instanceof HTMLDetailsElement);
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (from, to) => {
    // A field that somebody has typed in keeps its words.
    if (!(from instanceof HTMLInputElement) || from.type === "hidden") return true;
    const isTyped = from.value !== from.defaultValue;
    if (isTyped && to instanceof HTMLInputElement) from.defaultValue = to.defaultValue;
    return !isTyped;
  };
}
