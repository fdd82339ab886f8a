import { createHash } from 'node:crypto';

/**
 * A market that is a pure function of a seed and the time, so that a restart goes on where it was and two processes
 * agree. The price wanders around its base: layers of noise, each a broken line through points that the seed decides,
 * from minutes to weeks. A layer's swing grows with the root of its length, as a random walk's does; all swings
 * together stay below 4.2 %, and a year's volatility near 11 %, at whatever step it is measured.
 */
export interface Market {
  /** In hundred-millionths of a USD. */
  readonly base: bigint;
  /** How much of the noise moves it, in percent: 100, or 1 for a stable coin. */
  readonly share: bigint;
}

/** A layer: its points are `seconds` apart, and lie within ± `swing` billionths of the base. */
interface Layer {
  readonly seconds: number;
  readonly swing: bigint;
}

/** swing = 10 % ÷ 0.816 × √(seconds ÷ a year): two points differ by 0.816 of a swing in the root mean square. */
const LAYERS: readonly Layer[] = [
  { seconds: 60, swing: 169_000n },
  { seconds: 15 * 60, swing: 654_700n },
  { seconds: 4 * 3_600, swing: 2_618_700n },
  { seconds: 2 * 86_400, swing: 9_071_500n },
  { seconds: 20 * 86_400, swing: 28_686_600n },
];

const BILLION = 1_000_000_000n;

/** A price in hundred-millionths of a USD, at milliseconds since 1970. */
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

/** A number from −10⁹ to 10⁹, evenly, decided by a text. */
export function noise(text: string): bigint {
  const drawn = createHash('sha256').update(text).digest().readBigUInt64BE();
  return (drawn % (2n * BILLION + 1n)) - BILLION;
}
