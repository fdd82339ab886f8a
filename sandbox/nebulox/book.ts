import { randomUUID } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { Row, Store } from '../provider/index.ts';

/** Coins that are paid here, by the name of their network. Their units are named like them. */
export const COINS: Readonly<Record<string, string>> = { LTC: 'Litecoin', DOGE: 'Dogecoin' };

/** An invoice. Amounts are parts as text. */
export interface Invoice extends Row {
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

/** Invoices and what was paid to them. */
export class Book {
  readonly #store: Store;
  readonly apiKey: string;

  constructor(store: Store) {
    this.#store = store;
    this.apiKey = store.get<{ apiKey: string }>('gateway', 'desk')?.apiKey ?? randomUUID();
    store.put('gateway', 'desk', { apiKey: this.apiKey });
  }

  /** A new invoice, also for an order that has one: nothing says that an order's number is taken only once. */
  create(orderId: string, coin: string, amount: bigint): Invoice {
    const now = Date.now();
    const texts = { amount: amount.toString(), paid: '0' };
    const times = { expires: now + LASTS_MS, created: now, updated: now };
    return this.#put({ id: randomUUID(), trackingCode: randomUUID(), orderId, coin, ...texts, ...times });
  }

  /** Coins arrive for an invoice that is still open. Throws Refused. */
  pay(id: string, parts: bigint): Invoice {
    const invoice = this.invoice(id);
    if (!invoice) throw new Refused('to', 'no such invoice');
    const status = statusOf(invoice);
    if (status === 'COMPLETED' || isOver(invoice)) throw new Refused('to', `the invoice is over and ${status}`);
    if (parts <= 0n) throw new Refused('amount', 'nothing is paid');
    const paid = (BigInt(invoice.paid) + parts).toString();
    return this.#put({ ...invoice, paid, txId: randomUUID().replaceAll('-', '').repeat(2), updated: Date.now() });
  }

  /** Its time is over now. */
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

/** How an invoice stands: partly paid it stays so until its time is over, and says so then, too. */
export function statusOf({ paid, amount, expires }: Invoice): Status {
  const [got, due] = [BigInt(paid), BigInt(amount)];
  if (got >= due) return 'COMPLETED';
  if (got > 0n) return 'PARTIAL';
  return Date.now() >= expires ? 'EXPIRED' : 'PENDING';
}

/** Whether nothing can be paid to an invoice any more. */
export const isOver = (invoice: Invoice): boolean => Date.now() >= invoice.expires || statusOf(invoice) === 'COMPLETED';

/** Parts of a coin's amount. Throws Refused where it is none. */
export function partsOf(text: string, coin: string): bigint {
  try {
    return parse(coin, text).parts;
  } catch (cause) {
    throw new Refused('amount', cause instanceof Error ? cause.message : 'no amount');
  }
}

/** A coin's amount without zeros at its end. */
export const textOf = (parts: bigint | string, coin: string): string => format(money(coin, BigInt(parts)), 0);
