import { createHash, randomBytes, randomInt } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { Store } from '../provider/index.ts';

/** Currencies of the service, by their number there. */
export const CURRENCIES: Readonly<Record<string, number>> = { USD: 1, EUR: 2, RUB: 3 };

interface Desk extends Readonly<Record<string, unknown>> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly formSecret: string;
  /** Numbers of wallets by currency. */
  readonly wallets: Readonly<Record<string, string>>;
}

interface Wallet extends Readonly<Record<string, unknown>> {
  readonly number: string;
  readonly currency: string;
  /** Balance in hundredths. */
  readonly parts: string;
  readonly isBlocked: boolean;
}

/** Request for a payment's page. */
export interface BillRequest {
  readonly wallet_to: string;
  readonly wallet_from: string;
  readonly amount: string;
  readonly id: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly status_url: string;
  readonly signature: string;
}

/** Requested page of a payment, with its key. */
export type Bill = BillRequest & Readonly<Record<string, unknown>> & { readonly key: string };

/** Movement of money, with the names of the look-up. */
export interface Movement extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly amount: string;
  readonly commission: string;
  readonly status: 'PENDING' | 'SUCCESS' | 'FAIL';
  /** Page on which it was paid. */
  readonly bill?: string;
  readonly isCancelled?: boolean;
}

/** Refusal by the service: an HTTP status and a message. */
export class Denied extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.name = 'Denied';
    this.status = status;
  }
}

/** Wallets, requested pages and movements of MoneyGo. */
export class Bank {
  readonly desk: Desk;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.desk = store.get<Desk>('desk', 'desk') ?? this.#openDesk();
  }

  newWallet(currency: string, parts = 0n): Wallet {
    const number = `${currency.charAt(0)}${randomInt(1e9, 1e10)}`;
    const wallet = { number, currency, parts: parts.toString(), isBlocked: false };
    this.#store.put('wallets', number, wallet);
    return wallet;
  }

  wallet(number: string): Wallet | undefined {
    return this.#store.get<Wallet>('wallets', number);
  }

  deskWallets(): Wallet[] {
    return Object.values(this.desk.wallets).flatMap((number) => this.wallet(number) ?? []);
  }

  endow(number: string, parts: bigint): void {
    const wallet = this.wallet(number);
    if (!wallet) throw new Refused('to', 'no such wallet');
    this.#store.put('wallets', number, { ...wallet, parts: (BigInt(wallet.parts) + parts).toString() });
  }

  /** Returns the desk's wallet and another owner's in the same currency. Throws `Denied` if they are not such a pair. */
  pairOf(ours: string, other: string): { ours: Wallet; other: Wallet } {
    const pair = { ours: this.wallet(ours), other: this.wallet(other) };
    if (!pair.ours || !pair.other || !Object.values(this.desk.wallets).includes(ours)) throw new Denied(404, 'Wallet not found');
    if (pair.ours.currency !== pair.other.currency) throw new Denied(422, 'The currencies of the wallets differ');
    if (Object.values(this.desk.wallets).includes(other)) throw new Denied(422, 'The wallet is your own');
    return { ours: pair.ours, other: pair.other };
  }

  /** Creates a payment's page; the same id returns the same page. Throws `Denied` for an invalid request. */
  bill(request: BillRequest): Bill {
    const { wallet_to, wallet_from, amount, id } = request;
    const signed = JSON.stringify({ wallet_to, wallet_from, amount, id, secret: this.desk.formSecret });
    if (createHash('sha256').update(signed).digest('hex') !== request.signature) throw new Denied(422, 'The signature is wrong');
    this.pairOf(wallet_to, wallet_from);
    hundredths(amount);
    if (id === '') throw new Denied(422, 'The id is required');
    const before = this.#store.all<Bill>('bills').find((one) => one.id === id);
    if (before && before.signature !== request.signature) throw new Denied(422, 'The id is taken');
    if (before) return before;
    const bill: Bill = { ...request, key: randomBytes(12).toString('base64url') };
    this.#store.put('bills', bill.key, bill);
    return bill;
  }

  billOf(key: string): Bill | undefined {
    return this.#store.get<Bill>('bills', key);
  }

  movements(): Movement[] {
    return this.#store.all<Movement>('movements');
  }

  movement(id: string): Movement | undefined {
    return this.#store.get<Movement>('movements', id);
  }

  byReference(reference: string): Movement | undefined {
    return this.movements().find((one) => one.reference === reference);
  }

  /** Pays a page as its payer: moves the money, less the service's commission. */
  pay(bill: Bill, commission: bigint): Movement {
    if (this.byReference(bill.id)) throw new Denied(422, 'This payment was made already');
    return this.#move({ ...bill, reference: bill.id, bill: bill.key, from: bill.wallet_from, to: bill.wallet_to, commission });
  }

  /** Makes a transfer for the desk's program. */
  transfer(from: string, to: string, amount: string, reference: string): Movement {
    this.pairOf(from, to);
    return this.#move({ from, to, amount, reference, commission: 0n });
  }

  /** Takes a payment back (`cancel`), or makes a transfer fail afterwards. The money returns. */
  undo(movement: Movement): void {
    if (movement.status === 'FAIL' || movement.isCancelled === true) throw new Refused('key', 'it was undone already');
    this.endow(movement.to, -(hundredths(movement.amount) - hundredths(movement.commission, true)));
    this.endow(movement.from, hundredths(movement.amount));
    const change = movement.bill === undefined ? { status: 'FAIL' as const } : { isCancelled: true };
    this.#store.put('movements', movement.id, { ...movement, ...change });
  }

  #move(wanted: { from: string; to: string; amount: string; reference: string; commission: bigint; bill?: string }): Movement {
    const { from, to, amount, reference, commission, bill } = wanted;
    const [source, target] = [this.wallet(from), this.wallet(to)];
    const parts = hundredths(amount);
    if (!source || !target) throw new Denied(404, 'Wallet not found');
    if (BigInt(source.parts) < parts) throw new Denied(422, 'Insufficient funds');
    const movement: Movement = {
      ...{ id: `${this.movements().length + 1001}`, reference, from, to, currency: source.currency },
      ...{ amount: written(parts), commission: written(commission), status: 'SUCCESS' },
      ...(bill !== undefined && { bill }),
    };
    this.endow(from, -parts);
    this.endow(to, parts - commission);
    this.#store.put('movements', movement.id, movement);
    return movement;
  }

  #openDesk(): Desk {
    const secret = (): string => randomBytes(32).toString('hex');
    const wallets = Object.fromEntries(Object.keys(CURRENCIES).map((currency) => [currency, this.newWallet(currency).number]));
    const desk = { clientId: randomBytes(16).toString('hex'), clientSecret: secret(), formSecret: secret(), wallets };
    this.#store.put('desk', 'desk', desk);
    return desk;
  }
}

/**
 * Returns an amount in hundredths. Throws `Denied` for a text that is no amount or has more decimals, and for zero unless
 * `mayBeNothing`.
 */
export function hundredths(amount: string, mayBeNothing = false): bigint {
  try {
    const { parts } = parse('MONEYGO_USD', amount);
    if (parts > 0n || mayBeNothing) return parts;
  } catch {
    // Refused below.
  }
  throw new Denied(422, 'The amount is wrong');
}

/** Writes hundredths as `10.00`. */
export const written = (parts: bigint): string => format(money('MONEYGO_USD', parts));
