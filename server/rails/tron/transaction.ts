import { createHash } from 'node:crypto';
import { fromHex, toHex } from './address.ts';
import { type Field, readMessage, writeMessage } from './protobuf.ts';

/**
 * The only two transactions that we ever make: a token's `transfer` (TriggerSmartContract), or a sum of TRX
 * (TransferContract). Written and read as the protocol's own messages (github.com/tronprotocol/protocol,
 * core/Tron.proto `Transaction` and core/contract/*.proto), with nothing of a node's in between.
 */
export interface Transfer {
  readonly owner: string;
  /** The allow-listed contract, or undefined for TRX. */
  readonly contract?: string;
  readonly to: string;
  /** The token's own integer, or sun. */
  readonly value: bigint;
  /** Most sun that is burnt for energy; 0 for TRX, which needs none. */
  readonly feeLimit: bigint;
  /** The block that it builds upon: bytes 6 and 7 of its number, and bytes 8 to 15 of its id. */
  readonly refBytes: string;
  readonly refHash: string;
  /** Milliseconds of the chain's clock. */
  readonly expiration: bigint;
  readonly timestamp: bigint;
}

const TRANSFER_CONTRACT = 1n;
const TRIGGER_CONTRACT = 31n;
const TYPES = new Map([
  [TRANSFER_CONTRACT, 'protocol.TransferContract'],
  [TRIGGER_CONTRACT, 'protocol.TriggerSmartContract'],
]);
/** The first four bytes of keccak-256 of `transfer(address,uint256)`. */
const TRANSFER_SELECTOR = 'a9059cbb';
/** keccak-256 of `Transfer(address,address,uint256)`, as logs have it here: without 0x. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** An address as a 32-byte word of a call or a topic: its 20 bytes, without the prefix. */
export function wordOf(address: string): string {
  return toHex(address).slice(2).padStart(64, '0');
}

/** The arguments of `transfer(to, value)`. */
export function transferArguments(to: string, value: bigint): string {
  return wordOf(to) + value.toString(16).padStart(64, '0');
}

/** The bytes to be signed (`raw_data`), in hexadecimal. */
export function encodeTransfer(transfer: Transfer): string {
  const { contract, value, feeLimit, refBytes, refHash, expiration, timestamp } = transfer;
  const [owner, to] = [toHex(transfer.owner), toHex(transfer.to)];
  const call: [bigint, Field[]] = contract
    ? [
        TRIGGER_CONTRACT,
        [
          [1, owner],
          [2, toHex(contract)],
          [4, TRANSFER_SELECTOR + transferArguments(transfer.to, value)],
        ],
      ]
    : [
        TRANSFER_CONTRACT,
        [
          [1, owner],
          [2, to],
          [3, value],
        ],
      ];
  const [type, fields] = call;
  const any = writeMessage([
    [1, textHex(`type.googleapis.com/${TYPES.get(type)}`)],
    [2, writeMessage(fields)],
  ]);
  return writeMessage([
    [1, refBytes],
    [4, refHash],
    [8, expiration],
    [
      11,
      writeMessage([
        [1, type],
        [2, any],
      ]),
    ],
    [14, timestamp],
    [18, feeLimit],
  ]);
}

/**
 * Reads `raw_data`. Throws an Error for anything that `encodeTransfer` would not have written byte for byte (a memo,
 * another permission, a call value, a second contract, a TRC-10 token), so that nothing hides in what isn't read.
 */
export function decodeTransfer(raw: string): Transfer {
  const whole = of(readMessage(raw));
  const contract = of(readMessage(whole.bytes(11)));
  const call = of(readMessage(of(readMessage(contract.bytes(2))).bytes(2)));
  const common = {
    owner: fromHex(call.bytes(1)),
    feeLimit: whole.integer(18),
    refBytes: whole.bytes(1),
    refHash: whole.bytes(4),
    expiration: whole.integer(8),
    timestamp: whole.integer(14),
  };
  const type = contract.integer(1);
  let transfer: Transfer;
  if (type === TRANSFER_CONTRACT) transfer = { ...common, to: fromHex(call.bytes(2)), value: call.integer(3) };
  else if (type === TRIGGER_CONTRACT) {
    const data = call.bytes(4);
    if (data.length !== 136) throw new Error('a call that is no transfer');
    const [to, value] = [fromHex(`41${data.slice(32, 72)}`), BigInt(`0x${data.slice(72)}`)];
    transfer = { ...common, contract: fromHex(call.bytes(2)), to, value };
  } else throw new Error(`a contract of type ${type}`);
  if (encodeTransfer(transfer) !== raw) throw new Error('bytes that no transfer of ours has');
  return transfer;
}

/**
 * What somebody's `raw_data` moves of TRX by its one TransferContract, whatever else it says (a memo, a permission);
 * undefined where it moves none.
 */
export function readPayment(raw: string): Pick<Transfer, 'owner' | 'to' | 'value'> | undefined {
  try {
    const contract = of(readMessage(of(readMessage(raw)).bytes(11)));
    if (contract.integer(1) !== TRANSFER_CONTRACT) return undefined;
    const call = of(readMessage(of(readMessage(contract.bytes(2))).bytes(2)));
    return { owner: fromHex(call.bytes(1)), to: fromHex(call.bytes(2)), value: call.integer(3) };
  } catch {
    return undefined;
  }
}

const of = (fields: readonly Field[]) => ({
  bytes: (number: number): string => one(fields, number, 'string') ?? '',
  integer: (number: number): bigint => one(fields, number, 'bigint') ?? 0n,
});

function one<K extends 'bigint' | 'string'>(fields: readonly Field[], number: number, kind: K) {
  const found = fields.filter(([other]) => other === number);
  const value = found[0]?.[1];
  if (found.length > 1 || (value !== undefined && typeof value !== kind)) throw new Error(`field ${number} of another form`);
  return value as (K extends 'bigint' ? bigint : string) | undefined;
}

const textHex = (text: string): string => Buffer.from(text).toString('hex');

/** The transaction's id: SHA-256 of `raw_data`. The signature is no part of it. */
export function idOf(raw: string): string {
  return createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
}

/** A whole transaction (`Transaction`): the bytes that are sent. */
export function encodeSigned(raw: string, signature: string): string {
  return writeMessage([
    [1, raw],
    [2, signature],
  ]);
}

/** The two halves of a whole transaction. Throws an Error for anything but one `raw_data` with one signature. */
export function decodeSigned(bytes: string): { readonly raw: string; readonly signature: string } {
  const [first, second, ...rest] = readMessage(bytes);
  const [raw, signature] = [first?.[1], second?.[1]];
  if (first?.[0] !== 1 || second?.[0] !== 2 || rest.length > 0 || typeof raw !== 'string' || typeof signature !== 'string')
    throw new Error('no transaction with one signature');
  return { raw, signature };
}

/** What a transaction weighs in bandwidth: its bytes with a signature, and 64 for its result (java-tron's constant). */
export function bandwidthOf(raw: string): bigint {
  return BigInt(encodeSigned(raw, '00'.repeat(65)).length / 2 + 64);
}

/** What an attempt spends here: itself. The expiration makes it known to everybody when that is over. */
export function spendOf({ owner, expiration }: Transfer, txid: string): string {
  return `${owner}:${txid}:${expiration}`;
}

/** The parts of a spend. Throws an Error for any other text. */
export function readSpend(spend: string): { readonly owner: string; readonly txid: string; readonly expiration: bigint } {
  const match = /^(T\w{33}):([0-9a-f]{64}):(\d{1,15})$/.exec(spend);
  if (!match) throw new Error('no spend of TRON');
  return { owner: match[1] as string, txid: match[2] as string, expiration: BigInt(match[3] as string) };
}
