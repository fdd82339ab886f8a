/** Fee rates are millisatoshi per virtual byte, sizes weight units (4 to a virtual byte, BIP 141). */

/**
 * The rate that gets a transaction mined within `blocks`, from estimates by number of blocks: of the nearest that is
 * not later, else of the soonest there is; undefined where there is none.
 */
export function rateFor(estimates: ReadonlyMap<number, bigint>, blocks: number): bigint | undefined {
  const targets = [...estimates.keys()].toSorted((a, b) => a - b);
  const target = targets.findLast((candidate) => candidate <= blocks) ?? targets[0];
  return target === undefined ? undefined : estimates.get(target);
}

/** The smallest payment that is more than dust: Core's threshold for P2PKH; below it most nodes relay no output. */
export const DUST = 546n;

/** Nodes relay nothing below one satoshi per virtual byte. */
const RELAY_RATE = 1000n;

/** The fee of a size at a rate, in satoshi, rounded up; never below what nodes relay. */
export function feeFor(weight: bigint, rate: bigint): bigint {
  const request = rate > RELAY_RATE ? rate : RELAY_RATE;
  return (vsize(weight) * request + 999n) / 1000n;
}

/** Virtual bytes, rounded up. */
export function vsize(weight: bigint): bigint {
  return (weight + 3n) / 4n;
}

/** Input of P2WPKH: 41 bytes outside; count, 1 + 71 of signature (low R) and 1 + 33 of key in the witness. */
const INPUT_WEIGHT = 41n * 4n + 107n;

/** The weight of a transaction of ours once signed: P2WPKH inputs, these output scripts. */
export function weightOf(inputs: number, outputs: readonly Uint8Array[]): bigint {
  const compact = (count: number): bigint => (count < 0xfd ? 1n : 3n);
  const scripts = outputs.reduce((sum, script) => sum + 9n + BigInt(script.length), 0n);
  return 4n * (8n + compact(inputs) + compact(outputs.length) + scripts) + 2n + BigInt(inputs) * INPUT_WEIGHT;
}

/** The smallest output that nodes relay by its kind (3 sat/vB for what spending it takes); Core's `GetDustThreshold`. */
export function dustOf(script: Uint8Array): bigint {
  const witness = script[0] === 0x00 || (script[0] !== undefined && script[0] >= 0x51 && script[0] <= 0x60);
  const spending = witness ? 67n : 148n;
  return 3n * (9n + BigInt(script.length) + spending);
}
