import { Address, type BAddress, Script } from './bcoin.ts';

/** Reads and writes addresses. bcoin supports base58 and bech32; bech32m (BIP 350: witness version 1 and above) is added here. */

const HRP = 'rb';
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32M = 0x2bc830a3;

/** Returns the output script of an address of this chain. Throws for anything else. */
export function scriptOf(text: string): Buffer {
  return Script.fromAddress(parseAddress(text)).toRaw();
}

/** Reads an address of this chain. Throws for anything else. */
export function parseAddress(text: string): BAddress {
  const program = decodeBech32m(text);
  if (program) return Address.fromHash(program.hash, 'witness', program.version);
  const address = Address.fromString(text);
  if (address.toString() !== text.toLowerCase() && address.toString() !== text) throw new Error('An address of another network');
  if (address.version > 0) throw new Error('Witness version 1 and above is written in bech32m');
  return address;
}

/** Returns the address of an output script; undefined if the script has none. */
export function addressOf(script: Buffer): string | undefined {
  const [first, length] = script;
  const version = first === undefined ? 0 : first - 0x50;
  if (version >= 1 && version <= 16 && length === script.length - 2 && length >= 2 && length <= 40) {
    return encodeBech32m(version, script.subarray(2));
  }
  const address = Address.fromScript(Script.fromRaw(script));
  // A bare public key or multisig has no address: bcoin returns that of another script.
  return address && Script.fromAddress(address).toRaw().equals(script) ? address.toString() : undefined;
}

/** Returns the script's type by Esplora's names. */
export function scriptType(script: Buffer): string {
  const [first, second] = script;
  if (first === 0x6a) return 'op_return';
  if (first === 0x00 && second === 20 && script.length === 22) return 'v0_p2wpkh';
  if (first === 0x00 && second === 32 && script.length === 34) return 'v0_p2wsh';
  if (first === 0x51 && second === 32 && script.length === 34) return 'v1_p2tr';
  if (first === 0x76 && script.length === 25) return 'p2pkh';
  if (first === 0xa9 && script.length === 23) return 'p2sh';
  return 'unknown';
}

function polymod(values: readonly number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, term] of generator.entries()) if ((top >>> bit) & 1) check ^= term;
  }
  return check >>> 0;
}

const expandedHrp = [
  ...[...HRP].map((letter) => letter.charCodeAt(0) >> 5),
  0,
  ...[...HRP].map((letter) => letter.charCodeAt(0) & 31),
];

function encodeBech32m(version: number, program: Buffer): string {
  const data = [version, ...(regroup([...program], 8, 5, true) ?? [])];
  const check = polymod([...expandedHrp, ...data, 0, 0, 0, 0, 0, 0]) ^ BECH32M;
  const checksum = [5, 4, 3, 2, 1, 0].map((place) => (check >>> (5 * place)) & 31);
  return `${HRP}1${[...data, ...checksum].map((value) => CHARSET[value]).join('')}`;
}

function decodeBech32m(text: string): { version: number; hash: Buffer } | undefined {
  const lower = text.toLowerCase();
  if ((text !== lower && text !== text.toUpperCase()) || !lower.startsWith(`${HRP}1`) || lower.length > 90) return undefined;
  const values = [...lower.slice(HRP.length + 1)].map((letter) => CHARSET.indexOf(letter));
  if (values.includes(-1) || polymod([...expandedHrp, ...values]) !== BECH32M) return undefined;
  const [version = 0, ...rest] = values.slice(0, -6);
  const hash = regroup(rest, 5, 8, false);
  if (!hash || version < 1 || version > 16 || hash.length < 2 || hash.length > 40) return undefined;
  return { version, hash: Buffer.from(hash) };
}

function regroup(values: readonly number[], from: number, to: number, pad: boolean): number[] | undefined {
  const out: number[] = [];
  let bits = 0;
  let held = 0;
  for (const value of values) {
    held = ((held << from) | value) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      out.push((held >>> bits) & ((1 << to) - 1));
    }
  }
  if (pad && bits > 0) out.push((held << (to - bits)) & ((1 << to) - 1));
  if (!pad && (bits >= from || ((held << (to - bits)) & ((1 << to) - 1)) !== 0)) return undefined;
  return out;
}
