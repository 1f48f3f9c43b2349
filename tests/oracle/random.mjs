/** Random choices that depend on a seed alone. */

/** A generator of numbers in [0, 1): mulberry32. */
export function randomFrom(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Dice {
  constructor(seed) {
    this.next = randomFrom(seed);
  }

  /** True with this probability. */
  chance(probability) {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** One key of `{key: weight}`. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries.at(-1)[0];
  }

  /** Up to `most` different elements, in random order. */
  some(list, most) {
    const rest = [...list];
    const chosen = [];
    for (let n = this.between(0, Math.min(most, rest.length)); n > 0; n--) {
      chosen.push(...rest.splice(Math.floor(this.next() * rest.length), 1));
    }
    return chosen;
  }
}
