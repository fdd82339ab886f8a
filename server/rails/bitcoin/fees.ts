/** Fee rates are in millisatoshi per virtual byte, sizes in weight units (4 to a virtual byte, BIP 141). */

/**
 * Returns the rate that gets a transaction mined within `blocks`, from estimates by number of blocks. It is the nearest estimate
 * that is not later, otherwise the soonest one. Returns undefined without estimates.
 */
export function rateFor(estimates: ReadonlyMap<number, bigint>, blocks: number): bigint | undefined {
  const targets = [...estimates.keys()].toSorted((a, b) => a - b);
  const target = targets.findLast((candidate) => candidate <= blocks) ?? targets[0];
  return target === undefined ? undefined : estimates.get(target);
}

/** Smallest payment above dust, in satoshi: Core's threshold for P2PKH. Most nodes relay no smaller output. */
export const DUST = 546n;

/** Minimum rate that nodes relay: one satoshi per virtual byte. */
const RELAY_RATE = 1000n;

/** Returns the fee of a weight at a rate, in satoshi, rounded up; at least the minimum that nodes relay. */
export function feeFor(weight: bigint, rate: bigint): bigint {
  const bounded = rate > RELAY_RATE ? rate : RELAY_RATE;
  return (vsize(weight) * bounded + 999n) / 1000n;
}

/** Returns a weight in virtual bytes, rounded up. */
export function vsize(weight: bigint): bigint {
  return (weight + 3n) / 4n;
}

/** Weight of a P2WPKH input: 41 bytes and its witness. The witness has a count, 1 + 71 bytes of signature (low R), 1 + 33 of key. */
const INPUT_WEIGHT = 41n * 4n + 107n;

/** Returns the weight of a signed transaction of ours, by its number of P2WPKH inputs and its output scripts. */
export function weightOf(inputs: number, outputs: readonly Uint8Array[]): bigint {
  const compact = (count: number): bigint => (count < 0xfd ? 1n : 3n);
  const scripts = outputs.reduce((sum, script) => sum + 9n + BigInt(script.length), 0n);
  return 4n * (8n + compact(inputs) + compact(outputs.length) + scripts) + 2n + BigInt(inputs) * INPUT_WEIGHT;
}

/** Returns the smallest output that nodes relay, in satoshi: 3 sat/vB for the output and its spend (Core's `GetDustThreshold`). */
export function dustOf(script: Uint8Array): bigint {
  const witness = script[0] === 0x00 || (script[0] !== undefined && script[0] >= 0x51 && script[0] <= 0x60);
  const spending = witness ? 67n : 148n;
  return 3n * (9n + BigInt(script.length) + spending);
}
