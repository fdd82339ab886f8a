import { createHash } from 'node:crypto';

/**
 * Market whose price is a pure function of a seed and the time, so that a restart continues it and two processes agree. The price
 * moves around its base by layers of noise, each a polyline through points that the seed determines, from minutes to weeks. As in
 * a random walk, a layer's amplitude grows with the root of its length. All amplitudes together stay below 4.2 %, and a year's
 * volatility is about 11 % at any step.
 */
export interface Market {
  /** Base price in hundred-millionths of a USD. */
  readonly base: bigint;
  /** Share of the noise that moves it, in percent: 100, or 1 for a stablecoin. */
  readonly share: bigint;
}

/** Layer of noise: its points are `seconds` apart and lie within ± `swing` billionths of the base. */
interface Layer {
  readonly seconds: number;
  readonly swing: bigint;
}

/** Layers with swing = 10 % ÷ 0.816 × √(seconds ÷ a year): the root mean square difference of two points is 0.816 of a swing. */
const LAYERS: readonly Layer[] = [
  { seconds: 60, swing: 169_000n },
  { seconds: 15 * 60, swing: 654_700n },
  { seconds: 4 * 3_600, swing: 2_618_700n },
  { seconds: 2 * 86_400, swing: 9_071_500n },
  { seconds: 20 * 86_400, swing: 28_686_600n },
];

const BILLION = 1_000_000_000n;

/** Returns a price in hundred-millionths of a USD. `milliseconds` are since 1970. */
export function walk(seed: string, name: string, market: Market, milliseconds: number): bigint {
  const moved = LAYERS.reduce((sum, layer) => sum + layerAt(`${seed} ${name}`, layer, milliseconds), 0n);
  return (market.base * (100n * BILLION + moved * market.share)) / (100n * BILLION);
}

function layerAt(seed: string, { seconds, swing }: Layer, milliseconds: number): bigint {
  const length = seconds * 1_000;
  const index = Math.floor(milliseconds / length);
  const [before, after] = [noise(`${seed} ${seconds} ${index}`), noise(`${seed} ${seconds} ${index + 1}`)];
  const passed = BigInt(Math.floor(milliseconds - index * length));
  return (swing * (before * BigInt(length) + (after - before) * passed)) / (BigInt(length) * BILLION);
}

/** Returns a number from −10⁹ to 10⁹, evenly distributed and determined by a text. */
export function noise(text: string): bigint {
  const drawn = createHash('sha256').update(text).digest().readBigUInt64BE();
  return (drawn % (2n * BILLION + 1n)) - BILLION;
}
