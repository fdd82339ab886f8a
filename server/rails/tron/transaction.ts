import { createHash } from 'node:crypto';
import { fromHex, toHex } from './address.ts';
import { type Field, readMessage, writeMessage } from './protobuf.ts';

/**
 * The only two kinds of transactions that we make: a token's `transfer` (TriggerSmartContract), or a transfer of TRX
 * (TransferContract). We write and read the protocol's messages ourselves, without help of a node
 * (github.com/tronprotocol/protocol, core/Tron.proto `Transaction` and core/contract/*.proto).
 */
export interface Transfer {
  readonly owner: string;
  /** The allow-listed contract, or undefined for TRX. */
  readonly contract?: string;
  readonly to: string;
  /** Sum in the token's minor units, or in sun. */
  readonly value: bigint;
  /** Highest sum burnt for energy, in sun; 0 for TRX, which needs none. */
  readonly feeLimit: bigint;
  /** Reference block: bytes 6 and 7 of its number; `refHash` has bytes 8 to 15 of its id. */
  readonly refBytes: string;
  readonly refHash: string;
  /** Milliseconds since 1970 by the chain's clock; `timestamp` too. */
  readonly expiration: bigint;
  readonly timestamp: bigint;
}

const TRANSFER_CONTRACT = 1n;
const TRIGGER_CONTRACT = 31n;
const TYPES = new Map([
  [TRANSFER_CONTRACT, 'protocol.TransferContract'],
  [TRIGGER_CONTRACT, 'protocol.TriggerSmartContract'],
]);
/** First four bytes of keccak-256 of `transfer(address,uint256)`. */
const TRANSFER_SELECTOR = 'a9059cbb';
/** Keccak-256 of `Transfer(address,address,uint256)`, without 0x as in TRON's logs. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Returns an address as a 32-byte word of a call or a topic: its 20 bytes, without the prefix. */
export function wordOf(address: string): string {
  return toHex(address).slice(2).padStart(64, '0');
}

/** Returns the arguments of `transfer(to, value)`, in hexadecimal. */
export function transferArguments(to: string, value: bigint): string {
  return wordOf(to) + value.toString(16).padStart(64, '0');
}

/** Returns the bytes to sign (`raw_data`), in hexadecimal. Throws an Error for an invalid address. */
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
 * Reads `raw_data`. Throws an Error for anything that `encodeTransfer` would not have written byte for byte: a memo, another
 * permission, a call value, a second contract, a TRC-10 token. So nothing can hide in unread fields.
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
 * Reads a payment of TRX from another sender's `raw_data`, which may have other fields too (a memo, a permission). Returns
 * undefined if the bytes have no single TransferContract.
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

/** Returns a transaction's id: SHA-256 of `raw_data`, without the signature. */
export function idOf(raw: string): string {
  return createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
}

/** Returns the bytes to broadcast (`Transaction`): `raw_data` and its signature. */
export function encodeSigned(raw: string, signature: string): string {
  return writeMessage([
    [1, raw],
    [2, signature],
  ]);
}

/** Splits a signed transaction. Throws an Error for anything but one `raw_data` with one signature. */
export function decodeSigned(bytes: string): { readonly raw: string; readonly signature: string } {
  const [first, second, ...rest] = readMessage(bytes);
  const [raw, signature] = [first?.[1], second?.[1]];
  if (first?.[0] !== 1 || second?.[0] !== 2 || rest.length > 0 || typeof raw !== 'string' || typeof signature !== 'string')
    throw new Error('no transaction with one signature');
  return { raw, signature };
}

/** Returns a transaction's bandwidth: its bytes with a signature, and 64 for the result (java-tron's constant). */
export function bandwidthOf(raw: string): bigint {
  return BigInt(encodeSigned(raw, '00'.repeat(65)).length / 2 + 64);
}

/** Returns an attempt's spend, which is the transaction itself. It includes the expiration, to know when the attempt is over. */
export function spendOf({ owner, expiration }: Transfer, txid: string): string {
  return `${owner}:${txid}:${expiration}`;
}

/** Reads a spend. Throws an Error for any other text. */
export function readSpend(spend: string): { readonly owner: string; readonly txid: string; readonly expiration: bigint } {
  const match = /^(T\w{33}):([0-9a-f]{64}):(\d{1,15})$/.exec(spend);
  if (!match) throw new Error('no spend of TRON');
  return { owner: match[1] as string, txid: match[2] as string, expiration: BigInt(match[3] as string) };
}
