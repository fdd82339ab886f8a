/** Chance as an argument: the same seed always falls the same way. */
export interface Dice {
  /** From 0 to below 1. */
  share(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number between both, both included. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the choices, each as likely as its weight; weights of 0 never. */
  weighed<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** Dice by mulberry32: 32 bits of state, quick, and even enough to choose what happens next. */
export function openDice(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(share() * (to - from + 1));
  return {
    share,
    int,
    chance: (probability) => share() < probability,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    weighed(choices) {
      let left = share() * choices.reduce((sum, [weight]) => sum + weight, 0);
      const found = choices.find(([weight]) => (left -= weight) < 0);
      return (found ?? (choices.at(-1) as (typeof choices)[number]))[1];
    },
  };
}
