// Contrast of every pair of tokens in use, in both themes: text needs 4.5, shapes and edges 3.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

type Colour = [number, number, number];
type Pair = { front: string; back: string; ratio: number; needed: number };

const TOKENS = readFileSync(fileURLToPath(new URL("../styles/tokens.css", import.meta.url)), "utf8");
/** Share of a tier's colour in a tinted tab, light and dark. */
const TINT = [0.09, 0.14];

function parse(hex: string): Colour {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function mix(front: Colour, back: Colour, share: number): Colour {
  return front.map((value, index) => value * share + (back[index] ?? 0) * (1 - share)) as Colour;
}

function pairs(theme: 0 | 1): Pair[] {
  const tokens = new Map<string, Colour>();
  for (const [, name, light, dark] of TOKENS.matchAll(/--([\w-]+):\s*light-dark\((#\w{6}), (#\w{6})\)/g)) {
    tokens.set(name ?? "", parse((theme === 0 ? light : dark) ?? ""));
  }
  const colour = (name: string): Colour => {
    const found = tokens.get(name);
    assert.ok(found, `no token ${name}`);
    return found;
  };
  const found: Pair[] = [];
  const add = (front: string, back: string, needed: number, on = colour(back)): void => {
    found.push({ front, back, ratio: ratio(colour(front), on), needed });
  };
  const surfaces = ["bg", "surface", "sunken", "hover"];
  for (const text of ["text", "text-2", "text-3", "error", "warning", "info", "ok"]) {
    for (const surface of surfaces) add(text, surface, 4.5);
  }
  for (const tier of [...tokens.keys()].filter((name) => name.startsWith("tier-"))) {
    const tinted = mix(colour(tier), colour("surface"), TINT[theme] ?? 0);
    for (const surface of surfaces) add(tier, surface, 4.5);
    for (const text of [tier, "text", "text-2", "text-3", "error", "warning", "info"]) add(text, `${tier} tint`, 4.5, tinted);
  }
  add("on-ink", "ink", 4.5);
  add("on-ink", "text-2", 4.5);
  for (const surface of surfaces.slice(0, 3)) {
    add("control", surface, 3);
    add("focus-ring", surface, 3);
  }
  return found;
}

for (const [theme, name] of ["light", "dark"].entries()) {
  test(`contrast, ${name}`, () => {
    const all = pairs(theme as 0 | 1);
    const low = all.filter((pair) => pair.ratio < pair.needed);
    assert.deepEqual(low.map((pair) => `${pair.front} on ${pair.back}: ${pair.ratio.toFixed(2)}, needs ${pair.needed}`), []);
    assert.ok(all.length > 100);
    const lowest = Math.min(...all.filter((pair) => pair.needed === 4.5).map((pair) => pair.ratio));
    console.log(`${name}: ${all.length} pairs, lowest text ${lowest.toFixed(2)}`);
  });
}
