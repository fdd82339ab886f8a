import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';

/**
 * Encodings of TRON: addresses, and transactions as protobuf (core/Tron.proto) and as the JSON of a node's HTTP interface.
 * Internally, addresses are 21 bytes in hexadecimal.
 */

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

export const sha256 = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
export const textHex = (text: string): string => Buffer.from(text).toString('hex');
export const base58 = (hex: string): string => base58check.encode(Buffer.from(hex, 'hex'));

/** Returns the 21 bytes of an address in base58 or hexadecimal; undefined for anything else. */
export function addressHex(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^(?:0x)?41[0-9a-f]{40}$/i.test(text)) return text.replace(/^0x/i, '').toLowerCase();
  try {
    const hex = Buffer.from(base58check.decode(text)).toString('hex');
    return /^41[0-9a-f]{40}$/.test(hex) ? hex : undefined;
  } catch {
    return undefined;
  }
}

/** Kinds of contract that this chain carries out, by their numbers in the protocol. */
export const KINDS = { 1: 'TransferContract', 2: 'TransferAssetContract', 31: 'TriggerSmartContract' } as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Content of `raw_data`. `amount` is in sun, also for a call, or in units of a TRC-10 token. `data` is that of a call. */
export interface Raw {
  readonly kind: Kind;
  readonly owner: string;
  readonly to: string;
  readonly amount: bigint;
  readonly data: string;
  readonly asset: string;
  readonly refBytes: string;
  readonly refHash: string;
  readonly expiration: number;
  readonly timestamp: number;
  readonly feeLimit: bigint;
}

type Values = Map<number, (bigint | Buffer)[]>;

function read(bytes: Buffer): Values {
  const values: Values = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined || shift > 63n) throw new Error('a broken varint');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number.parseInt(varint().toString(), 10);
    const kind = key % 8;
    if (kind !== 0 && kind !== 2) throw new Error(`wire type ${kind}`);
    let value: bigint | Buffer = varint();
    if (kind === 2) {
      const end = at + Number.parseInt(value.toString(), 10);
      if (end > bytes.length) throw new Error('a message cut off');
      value = bytes.subarray(at, end);
      at = end;
    }
    values.set(Math.floor(key / 8), [...(values.get(Math.floor(key / 8)) ?? []), value]);
  }
  return values;
}

const bytesOf = (values: Values, number: number): Buffer => {
  const value = values.get(number)?.[0];
  return typeof value === 'bigint' || value === undefined ? Buffer.alloc(0) : value;
};
const hexOf = (values: Values, number: number): string => bytesOf(values, number).toString('hex');
const integerOf = (values: Values, number: number): bigint => {
  const value = values.get(number)?.[0];
  return typeof value === 'bigint' ? value : 0n;
};
const countOf = (values: Values, number: number): number => Number.parseInt(integerOf(values, number).toString(), 10);

/** Reads a whole transaction: its `raw_data` and its signatures. Throws if it is none. */
export function readTransaction(hex: string): { raw: string; signatures: string[] } {
  const values = read(Buffer.from(hex, 'hex'));
  return { raw: hexOf(values, 1), signatures: (values.get(2) ?? []).map((one) => (one as Buffer).toString('hex')) };
}

/** Reads `raw_data`. Throws if it is none, or for contracts that this chain doesn't carry out. */
export function readRaw(hex: string): Raw {
  const raw = read(Buffer.from(hex, 'hex'));
  if (raw.get(11)?.length !== 1) throw new Error('one contract is needed');
  const contract = read(bytesOf(raw, 11));
  const kind = KINDS[countOf(contract, 1) as keyof typeof KINDS];
  if (!kind) throw new Error('a kind of contract that is not known here');
  const call = read(bytesOf(read(bytesOf(contract, 2)), 2));
  const isAsset = kind === 'TransferAssetContract';
  return {
    kind,
    owner: hexOf(call, isAsset ? 2 : 1),
    to: hexOf(call, isAsset ? 3 : 2),
    amount: integerOf(call, isAsset ? 4 : 3),
    data: kind === 'TriggerSmartContract' ? hexOf(call, 4) : '',
    asset: isAsset ? hexOf(call, 1) : '',
    refBytes: hexOf(raw, 1),
    refHash: hexOf(raw, 4),
    expiration: countOf(raw, 8),
    timestamp: countOf(raw, 14),
    feeLimit: integerOf(raw, 18),
  };
}

type Item = readonly [number: number, value: bigint | string];

function write(items: readonly Item[]): string {
  const varint = (value: bigint): string => {
    const bytes: number[] = [];
    for (let rest = value; rest > 0n || bytes.length === 0; rest >>= 7n)
      bytes.push(Number.parseInt(((rest & 0x7fn) | (rest > 0x7fn ? 0x80n : 0n)).toString(), 10));
    return Buffer.from(bytes).toString('hex');
  };
  return items
    .filter(([, value]) => value !== 0n && value !== '')
    .map(([number, value]) =>
      typeof value === 'bigint'
        ? varint(BigInt(number * 8)) + varint(value)
        : varint(BigInt(number * 8 + 2)) + varint(BigInt(value.length / 2)) + value,
    )
    .join('');
}

/** Writes `raw_data`. */
export function writeRaw(raw: Raw): string {
  const { kind, owner, to, amount, data, asset } = raw;
  const [number] = Object.entries(KINDS).find(([, name]) => name === kind) as [string, Kind];
  const call: readonly Item[] =
    kind === 'TransferContract'
      ? [
          [1, owner],
          [2, to],
          [3, amount],
        ]
      : kind === 'TransferAssetContract'
        ? [
            [1, asset],
            [2, owner],
            [3, to],
            [4, amount],
          ]
        : [
            [1, owner],
            [2, to],
            [3, amount],
            [4, data],
          ];
  const any = write([
    [1, textHex(`type.googleapis.com/protocol.${kind}`)],
    [2, write(call)],
  ]);
  const contract = write([
    [1, BigInt(number)],
    [2, any],
  ]);
  return write([
    [1, raw.refBytes],
    [4, raw.refHash],
    [8, BigInt(raw.expiration)],
    [11, contract],
    [14, BigInt(raw.timestamp)],
    [18, raw.feeLimit],
  ]);
}

/** Writes a whole transaction. */
export function writeTransaction(raw: string, signatures: readonly string[]): string {
  return write([[1, raw], ...signatures.map((signature): Item => [2, signature])]);
}

/** Returns a transaction in the JSON of a node's HTTP interface, without a result and a signature. */
export function transactionJson(hex: string, visible: boolean): Record<string, unknown> {
  const raw = readRaw(hex);
  const shown = (address: string): string => (visible ? base58(address) : address);
  const { kind, owner, to, amount, data, asset } = raw;
  const number = Number.parseInt(amount.toString(), 10);
  const value =
    kind === 'TransferContract'
      ? { amount: number, owner_address: shown(owner), to_address: shown(to) }
      : kind === 'TransferAssetContract'
        ? { amount: number, asset_name: asset, owner_address: shown(owner), to_address: shown(to) }
        : { data, owner_address: shown(owner), contract_address: shown(to), ...(amount > 0n && { call_value: number }) };
  return {
    visible,
    txID: sha256(hex),
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${kind}` }, type: kind }],
      ref_block_bytes: raw.refBytes,
      ref_block_hash: raw.refHash,
      expiration: raw.expiration,
      ...(raw.feeLimit > 0n && { fee_limit: Number.parseInt(raw.feeLimit.toString(), 10) }),
      timestamp: raw.timestamp,
    },
    raw_data_hex: hex,
  };
}
