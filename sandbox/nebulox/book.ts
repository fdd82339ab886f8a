import { randomUUID } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { StoredRow, Store } from '../provider/index.ts';

/** Networks of the supported coins, by coin. Units have the same names. */
export const COINS: Readonly<Record<string, string>> = { LTC: 'Litecoin', DOGE: 'Dogecoin' };

/** Invoice. Amounts are parts as text. */
export interface Invoice extends StoredRow {
  readonly id: string;
  readonly trackingCode: string;
  readonly orderId: string;
  readonly coin: string;
  readonly amount: string;
  readonly paid: string;
  readonly txId?: string;
  readonly expires: number;
  readonly created: number;
  readonly updated: number;
}

export type Status = 'PENDING' | 'PARTIAL' | 'COMPLETED' | 'EXPIRED';

const LASTS_MS = 60 * 60_000;

/** Invoices and their payments. */
export class Book {
  readonly #store: Store;
  readonly apiKey: string;

  constructor(store: Store) {
    this.#store = store;
    this.apiKey = store.get<{ apiKey: string }>('gateway', 'desk')?.apiKey ?? randomUUID();
    store.put('gateway', 'desk', { apiKey: this.apiKey });
  }

  /** Creates an invoice, even for an order that has one: the documents don't require unique order numbers. */
  create(orderId: string, coin: string, amount: bigint): Invoice {
    const now = Date.now();
    const texts = { amount: amount.toString(), paid: '0' };
    const times = { expires: now + LASTS_MS, created: now, updated: now };
    return this.#put({ id: randomUUID(), trackingCode: randomUUID(), orderId, coin, ...texts, ...times });
  }

  /** Pays an invoice that is still open. Throws Refused. */
  pay(id: string, parts: bigint): Invoice {
    const invoice = this.invoice(id);
    if (!invoice) throw new Refused('to', 'no such invoice');
    const status = statusOf(invoice);
    if (status === 'COMPLETED' || isOver(invoice)) throw new Refused('to', `the invoice is over and ${status}`);
    if (parts <= 0n) throw new Refused('amount', 'nothing is paid');
    const paid = (BigInt(invoice.paid) + parts).toString();
    return this.#put({ ...invoice, paid, txId: randomUUID().replaceAll('-', '').repeat(2), updated: Date.now() });
  }

  /** Ends an invoice's time immediately. */
  expire(id: string): Invoice {
    const invoice = this.invoice(id);
    if (!invoice) throw new Refused('to', 'no such invoice');
    return this.#put({ ...invoice, expires: Date.now(), updated: Date.now() });
  }

  invoice(id: string): Invoice | undefined {
    return this.#store.get<Invoice>('invoice', id);
  }

  invoices(): Invoice[] {
    return this.#store.all<Invoice>('invoice');
  }

  #put(invoice: Invoice): Invoice {
    this.#store.put('invoice', invoice.id, invoice);
    return invoice;
  }
}

/** Returns the status of an invoice. A partly paid one keeps its status after its time is over. */
export function statusOf({ paid, amount, expires }: Invoice): Status {
  const [got, due] = [BigInt(paid), BigInt(amount)];
  if (got >= due) return 'COMPLETED';
  if (got > 0n) return 'PARTIAL';
  return Date.now() >= expires ? 'EXPIRED' : 'PENDING';
}

/** True if an invoice accepts no more payments. */
export const isOver = (invoice: Invoice): boolean => Date.now() >= invoice.expires || statusOf(invoice) === 'COMPLETED';

/** Returns an amount in parts of a coin. Throws Refused if it is no amount. */
export function partsOf(text: string, coin: string): bigint {
  try {
    return parse(coin, text).parts;
  } catch (cause) {
    throw new Refused('amount', cause instanceof Error ? cause.message : 'no amount');
  }
}

/** Writes an amount of a coin without trailing zeros. */
export const textOf = (parts: bigint | string, coin: string): string => format(money(coin, BigInt(parts)), 0);
