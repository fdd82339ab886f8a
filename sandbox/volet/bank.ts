import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { format, money, parse } from '@kurs/money';
import { Refused } from '../counterpart.ts';
import type { Store } from '../provider/index.ts';

/** Our code of each currency, and the letter of its wallets. */
export const CURRENCIES: Readonly<Record<string, { readonly code: string; readonly letter: string }>> = {
  USD: { code: 'VOLET_USD', letter: 'U' },
  EUR: { code: 'VOLET_EUR', letter: 'E' },
  RUR: { code: 'VOLET_RUB', letter: 'R' },
};

/** Desk's account, as its owner sees it at Volet. */
export interface Desk extends Readonly<Record<string, unknown>> {
  readonly email: string;
  readonly sciName: string;
  readonly sciPassword: string;
  readonly apiName: string;
  readonly apiPassword: string;
  /** Wallets by currency. */
  readonly wallets: Readonly<Record<string, string>>;
}

interface Wallet extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly email: string;
  readonly currency: string;
  /** Balance in hundredths. */
  readonly parts: string;
}

/** Movement of money, with the service's names. */
export interface Movement extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly comment: string;
  readonly from: string;
  readonly to: string;
  readonly senderEmail: string;
  readonly receiverEmail: string;
  readonly status: 'PENDING' | 'COMPLETED' | 'CANCELED';
  /** Shop's number of the order, for payments through the form. */
  readonly orderId?: string;
  readonly startedAt: string;
  readonly completedAt?: string;
}

export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly comment: string;
  readonly orderId?: string;
}

/** Refusal by the service, with its type. */
export class Denied extends Error {
  readonly type: string;

  constructor(type: string) {
    super(type);
    this.name = 'Denied';
    this.type = type;
  }
}

/** Accounts of Volet: wallets, movements between them, and payments through the shop's form. */
export class Bank {
  readonly desk: Desk;
  /** True if payments through the form stay pending until they are released. */
  holds = false;
  /** Commission for a payment through the form, in hundredths. */
  commission = 0n;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.desk = store.get<Desk>('desk', 'desk') ?? this.#openDesk();
  }

  /** Opens an account with a wallet of this currency and balance. */
  newWallet(currency: string, parts = 0n, email = `payer-${randomBytes(5).toString('hex')}@volet.example`): Wallet {
    const { letter } = CURRENCIES[currency] as { letter: string };
    const wallet = { id: `${letter}${randomInt(1e11, 1e12 - 1)}`.padEnd(13, '0'), email, currency, parts: parts.toString() };
    this.#store.put('wallets', wallet.id, wallet);
    return wallet;
  }

  wallet(id: string): Wallet | undefined {
    return this.#store.get<Wallet>('wallets', id);
  }

  /** Returns the wallet of an account in a currency, by its owner's e-mail. */
  walletOf(email: string, currency: string): Wallet | undefined {
    return this.#store.all<Wallet>('wallets').find((one) => one.email === email && one.currency === currency);
  }

  walletsOf(email: string): Wallet[] {
    return this.#store.all<Wallet>('wallets').filter((one) => one.email === email);
  }

  isKnown(email: string): boolean {
    return this.walletsOf(email).length > 0;
  }

  /** Adds money from outside to a wallet. */
  endow(id: string, parts: bigint): void {
    const wallet = this.wallet(id);
    if (!wallet) throw new Refused('to', 'no such wallet');
    this.#add(id, parts);
  }

  movements(): Movement[] {
    return this.#store.all<Movement>('movements');
  }

  movement(id: string): Movement | undefined {
    return this.#store.get<Movement>('movements', id);
  }

  /** Returns the payment through the shop's form with an order's number. */
  paymentOf(orderId: string): Movement | undefined {
    const paid = this.#store.get<{ id: string }>('payments', orderId);
    return paid && this.movement(paid.id);
  }

  /** Moves money between two wallets of one currency. Throws `Denied` if the service would refuse. */
  transfer({ from, to, amount, comment, orderId }: Transfer): Movement {
    const [source, target] = [this.wallet(from), this.wallet(to)];
    if (!source || !target) throw new Denied('WalletDoesNotExist');
    if (source.currency !== target.currency) throw new Denied('WalletCurrencyIncorrectException');
    const parts = hundredths(source.currency, amount);
    if (parts <= 0n) throw new Denied('BadParametersException');
    if (BigInt(source.parts) < parts) throw new Denied('NotEnoughMoneyApiException');
    if (orderId !== undefined && this.paymentOf(orderId)) throw new Denied('DuplicateOrderIdException');
    const isHeld = orderId !== undefined && this.holds;
    const now = new Date().toISOString();
    const movement: Movement = {
      ...{ id: randomUUID(), amount: written(source.currency, parts), currency: source.currency, comment, from, to },
      fee: written(source.currency, orderId === undefined ? 0n : this.commission),
      ...{ senderEmail: source.email, receiverEmail: target.email, startedAt: now },
      ...(orderId !== undefined && { orderId }),
      ...(isHeld ? { status: 'PENDING' } : { status: 'COMPLETED', completedAt: now }),
    };
    this.#add(from, -parts);
    if (!isHeld) this.#add(to, parts - hundredths(source.currency, movement.fee));
    this.#store.put('movements', movement.id, movement);
    if (orderId !== undefined) this.#store.put('payments', orderId, { id: movement.id });
    return movement;
  }

  /** Completes a held payment. */
  release(movement: Movement): void {
    if (movement.status !== 'PENDING') throw new Refused('key', 'it is not held');
    this.#add(movement.to, arrived(movement));
    this.#store.put('movements', movement.id, { ...movement, status: 'COMPLETED', completedAt: new Date().toISOString() });
  }

  /** Returns the money of a movement to its sender: a payment is taken back from the shop, or a transfer returns. */
  cancel(movement: Movement): void {
    if (movement.status === 'CANCELED') throw new Refused('key', 'it is cancelled already');
    if (movement.status === 'COMPLETED') this.#add(movement.to, -arrived(movement));
    this.#add(movement.from, hundredths(movement.currency, movement.amount));
    this.#store.put('movements', movement.id, { ...movement, status: 'CANCELED' });
  }

  #add(id: string, parts: bigint): void {
    const wallet = this.wallet(id) as Wallet;
    this.#store.put('wallets', id, { ...wallet, parts: (BigInt(wallet.parts) + parts).toString() });
  }

  #openDesk(): Desk {
    const email = 'desk@volet.example';
    const secret = (): string => randomBytes(12).toString('base64url');
    const wallets = Object.fromEntries(
      Object.keys(CURRENCIES).map((currency) => [currency, this.newWallet(currency, 0n, email).id]),
    );
    const names = { sciName: 'Kurs', apiName: 'kurs-payouts' };
    const desk = { email, ...names, sciPassword: secret(), apiPassword: secret(), wallets };
    this.#store.put('desk', 'desk', desk);
    return desk;
  }
}

/** Returns the amount that the receiver got. */
const arrived = ({ currency, amount, fee }: Movement): bigint => hundredths(currency, amount) - hundredths(currency, fee);

/** Returns an amount in hundredths. Throws `Denied` for a text that is no amount or has more decimals. */
export function hundredths(currency: string, amount: string): bigint {
  try {
    return parse(CURRENCIES[currency]?.code ?? '', amount).parts;
  } catch {
    throw new Denied('BadParametersException');
  }
}

/** Writes hundredths as `10.00`. */
export const written = (currency: string, parts: bigint): string => format(money(CURRENCIES[currency]?.code ?? '', parts));
