import { randomBytes, randomInt } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { Store } from '../provider/index.ts';

/** Letters of purses by our currency. */
export const LETTERS: Readonly<Record<string, string>> = { WMZ: 'Z', WME: 'E' };

/** Settings of the desk's purse, as its owner sees them. */
export interface DeskPurse {
  readonly purse: string;
  readonly secretKey: string;
  readonly secretX20: string;
  readonly token: string;
}

interface Desk extends Readonly<Record<string, unknown>> {
  readonly wmid: string;
  /** Purses by currency. */
  readonly purses: Readonly<Record<string, DeskPurse>>;
}

interface Purse extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly wmid: string;
  /** Balance in hundredths. */
  readonly parts: string;
  /** True if it accepts transfers from authorised accounts only. */
  readonly isClosed: boolean;
}

/** Transfer between purses. `number` is the shop's, for payments through the merchant service. */
export interface Transfer extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly tranid: string;
  readonly from: string;
  readonly to: string;
  /** Amount as text: `10.5`. */
  readonly amount: string;
  readonly fee: string;
  readonly description: string;
  readonly state: 'done' | 'held' | 'returned';
  readonly number?: string;
  readonly invoice?: string;
  readonly hold?: string;
  readonly at: string;
}

/** Refusal by the interfaces, with its number. */
export class Denied extends Error {
  readonly code: number;

  constructor(code: number, words: string) {
    super(words);
    this.name = 'Denied';
    this.code = code;
  }
}

export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly description: string;
  readonly tranid?: string;
  readonly number?: string;
  readonly hold?: string;
}

/** Purses of WebMoney and their transfers. */
export class Bank {
  readonly desk: Desk;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.desk = store.get<Desk>('desk', 'desk') ?? this.#openDesk();
  }

  /** Returns the desk's purse with an id. */
  deskPurse(id: string): DeskPurse | undefined {
    return Object.values(this.desk.purses).find(({ purse }) => purse === id);
  }

  newPurse(letter: string, parts = 0n, wmid = digits(12)): Purse {
    const purse = { id: `${letter}${digits(12)}`, wmid, parts: parts.toString(), isClosed: false };
    this.#store.put('purses', purse.id, purse);
    return purse;
  }

  purse(id: string): Purse | undefined {
    return this.#store.get<Purse>('purses', id);
  }

  purseOf(wmid: string, letter: string): Purse | undefined {
    return this.#store.all<Purse>('purses').find((one) => one.wmid === wmid && one.id.startsWith(letter));
  }

  pursesOf(wmid: string): Purse[] {
    return this.#store.all<Purse>('purses').filter((one) => one.wmid === wmid);
  }

  close(id: string): void {
    const purse = this.purse(id);
    if (purse) this.#store.put('purses', id, { ...purse, isClosed: true });
  }

  endow(id: string, parts: bigint): void {
    if (!this.purse(id)) throw new Refused('to', 'no such purse');
    this.#add(id, parts);
  }

  transfers(): Transfer[] {
    return this.#store.all<Transfer>('transfers');
  }

  transfer(id: string): Transfer | undefined {
    return this.#store.get<Transfer>('transfers', id);
  }

  /** Returns a payment to a purse by the shop's number. */
  paymentOf(purse: string, number: string): Transfer | undefined {
    return this.transfers().find((one) => one.to === purse && one.number === number);
  }

  /** Moves money; the sender pays the fee on top. Throws `Denied` with the number of interface X2. */
  pay({ from, to, amount, description, tranid = '0', number, hold }: Payment): Transfer {
    const [source, target] = [this.purse(from), this.purse(to)];
    if (!source) throw new Denied(11, 'sender purse not found');
    if (!target) throw new Denied(7, 'recipient purse not found');
    if (from === to) throw new Denied(26, 'the purses must be different');
    if (from[0] !== to[0]) throw new Denied(29, 'purse types differ');
    if (target.isClosed) throw new Denied(35, 'the payer is not authorized by the recipient');
    const parts = hundredths(amount);
    const fee = feeOf(parts);
    if (BigInt(source.parts) < parts + fee) throw new Denied(17, 'not enough money in the purse');
    if (tranid !== '0' && this.transfers().some((one) => one.from === from && one.tranid === tranid))
      throw new Denied(103, 'a transaction with this tranid was made already');
    const isHeld = hold !== undefined && hold !== '0';
    const transfer: Transfer = {
      ...{ id: digits(9), tranid, from, to, description, amount: short(parts), fee: short(fee) },
      ...{ state: isHeld ? 'held' : 'done', at: new Date().toISOString() },
      ...(number !== undefined && { number, invoice: digits(9) }),
      ...(isHeld && { hold }),
    };
    this.#add(from, -parts - fee);
    if (!isHeld) this.#add(to, parts);
    this.#store.put('transfers', transfer.id, transfer);
    return transfer;
  }

  release(transfer: Transfer): void {
    if (transfer.state !== 'held') throw new Refused('key', 'it is not held');
    this.#add(transfer.to, hundredths(transfer.amount));
    this.#store.put('transfers', transfer.id, { ...transfer, state: 'done', hold: '0' });
  }

  /** Returns the money to its sender; the fee is not returned. */
  giveBack(transfer: Transfer): void {
    if (transfer.state === 'returned') throw new Refused('key', 'it was returned already');
    if (transfer.state === 'done') this.#add(transfer.to, -hundredths(transfer.amount));
    this.#add(transfer.from, hundredths(transfer.amount));
    this.#store.put('transfers', transfer.id, { ...transfer, state: 'returned' });
  }

  #add(id: string, parts: bigint): void {
    const purse = this.purse(id) as Purse;
    this.#store.put('purses', id, { ...purse, parts: (BigInt(purse.parts) + parts).toString() });
  }

  #openDesk(): Desk {
    const wmid = digits(12);
    const secret = (): string => randomBytes(24).toString('base64url');
    const purses = Object.fromEntries(
      Object.entries(LETTERS).map(([code, letter]) => {
        const { id: purse } = this.newPurse(letter, 0n, wmid);
        return [code, { purse, secretKey: secret(), secretX20: secret(), token: `${secret()}.${secret()}` }];
      }),
    );
    const desk = { wmid, purses };
    this.#store.put('desk', 'desk', desk);
    return desk;
  }
}

/** Returns the sender's fee: 0.8 %, at least 0.01 and at most 50. */
export function feeOf(parts: bigint): bigint {
  const share = (parts * 8n + 999n) / 1000n;
  return share > 5000n ? 5000n : share < 1n ? 1n : share;
}

const digits = (count: number): string => Array.from({ length: count }, (_, at) => randomInt(at === 0 ? 1 : 0, 10)).join('');

/**
 * Returns an amount like `10.5` in hundredths. Throws `Denied` for a text that is no amount, has trailing zeros, or has more
 * decimals.
 */
export function hundredths(amount: string): bigint {
  try {
    const { parts } = parse('WMZ', amount);
    if (parts > 0n && short(parts) === amount) return parts;
  } catch {
    // Refused below.
  }
  throw new Denied(13, 'the amount must be greater than zero, without redundant zeros');
}

/** Writes hundredths without trailing zeros: `10.5`, `9`. */
export const short = (parts: bigint): string => format(money('WMZ', parts), 0);
