import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Counterpart, type Paid, type Payment, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, type Form, Store } from '../provider/index.ts';
import { Bank, CURRENCIES, Denied, type Movement, hundredths, written } from './bank.ts';
import { mountPages } from './pages.ts';
import { faultOf, messageOf } from './sci.ts';
import { type Mood, mountService } from './soap.ts';

/**
 * Counterpart of Volet, by its documents: the form for shops with its pages and signed messages, and the SOAP service with its
 * tokens and typed faults. Not compared with the live service: gaps in the documents are filled by invention.
 *
 * - **Desk**: the account of the product's operator. **Bank**: all accounts and their movements.
 */

export interface VoletOptions {
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
}

/** Opens the counterpart with its stored state. */
export async function openVolet({ folder }: VoletOptions = {}): Promise<Counterpart> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const store = new Store(folder === undefined ? undefined : join(folder, 'volet.jsonl'));
  const bank = new Bank(store);
  const faults = new Faults();
  const webhooks = new WebhookSender(faults);
  const mood: Mood & { isSilent: boolean } = { hours: 0, hasStrangers: false, loses: '', isSilent: false };
  const { desk } = bank;

  const settle = (form: Form, from: string, buyer: string): Movement => {
    const { ac_amount: amount = '', ac_order_id: orderId = '', ac_comments: comment = '', ac_currency: currency = '' } = form;
    const paid = bank.transfer({ from, to: desk.wallets[currency] ?? '', amount, comment, orderId });
    const message = mood.isSilent ? undefined : messageOf(bank, form, paid, buyer);
    if (message) webhooks.send(message);
    return paid;
  };
  const payFrom = (form: Form, email?: string): Movement => {
    const { ac_amount: amount = '', ac_currency: currency = '' } = form;
    const parts = hundredths(currency, amount);
    const wallet = (email === undefined ? undefined : bank.walletOf(email, currency)) ?? bank.newWallet(currency, 0n, email);
    bank.endow(wallet.id, parts);
    return settle(form, wallet.id, wallet.email);
  };
  const act = (name: string, movement: Movement): void => {
    if (name === 'release') bank.release(movement);
    else bank.cancel(movement);
  };

  return {
    rail: 'volet',
    currencies: Object.values(CURRENCIES).map(({ code }) => code),
    faults,
    environment: () => ({}),
    provider: ({ base, pages }) => ({
      sci: `${pages}/sci/`,
      api: `${base}/wsm/merchantWebService`,
      account: desk.email,
      sciName: desk.sciName,
      sciPassword: desk.sciPassword,
      apiName: desk.apiName,
      apiPassword: desk.apiPassword,
      wallets: { USD: desk.wallets['USD'], EUR: desk.wallets['EUR'], RUB: desk.wallets['RUR'] },
    }),
    mount: (scope) => {
      mountPages(scope, bank, store, { pay: payFrom, act });
      void scope.register(async (api) => {
        faults.mount(api);
        mountService(api, bank, faults, mood);
      });
    },
    pay: async (payment) => pay(bank, payment, payFrom),
    address: async (currency) => bank.newWallet(wireOf(currency)).id,
    balance: async (currency, account) => {
      const wallet = account.includes('@') ? bank.walletOf(account, wireOf(currency)) : bank.wallet(account);
      if (!wallet && !account.includes('@')) throw new Refused('account', `no wallet ${account}`);
      return written(wireOf(currency), BigInt(wallet?.parts ?? '0'));
    },
    fund: async ({ currency, to, amount }) =>
      bank.endow(bank.wallet(to)?.id ?? desk.wallets[wireOf(currency)] ?? '', hundredths(wireOf(currency), amount)),
    tricks: tricksOf(bank, mood, act),
    close: () => webhooks.close(),
  };
}

/** Returns the service's name of one of our currencies. */
function wireOf(currency: string): string {
  const found = Object.entries(CURRENCIES).find(([, { code }]) => code === currency);
  if (!found) throw new Refused('currency', `Volet has no ${currency}`);
  return found[0];
}

/** Pays a form as its payer, who can't change the amount. */
function pay(bank: Bank, { way, amount, to }: Payment, payFrom: (form: Form) => Movement): Paid {
  if (!way) throw new Refused('to', 'Volet is paid through the form of an order');
  const form = way.fields;
  const wrong = faultOf({ desk: bank.desk, paymentOf: (id) => bank.paymentOf(id) }, form);
  if (wrong !== undefined || (to !== '' && form['ac_order_id'] !== to))
    throw new Refused('to', wrong ?? 'The form is another order’s.');
  const currency = form['ac_currency'] ?? '';
  try {
    if (hundredths(currency, amount) !== hundredths(currency, form['ac_amount'] ?? ''))
      throw new Refused('amount', 'The payer can’t change the amount.');
    const { id, from } = payFrom(form);
    return { txid: id, from };
  } catch (error) {
    throw error instanceof Denied ? new Refused('amount', error.type) : error;
  }
}

/**
 * Returns the tricks for tests: `hold` holds payments until `release`, `chargeback` takes payments back, `return` returns
 * transfers, `silence` stops messages, `commission` charges the shop for payments, `lose` loses an answer, `transfers` counts the
 * transfers with a note, `clock` shifts the service's clock, and `strangers` refuses the caller's address.
 */
function tricksOf(
  bank: Bank,
  mood: Mood & { isSilent: boolean },
  act: (name: string, movement: Movement) => void,
): NonNullable<Counterpart['tricks']> {
  type Input = Readonly<Record<string, unknown>>;
  const found = ({ to, key, id }: Input): Movement => {
    const movement =
      typeof to === 'string'
        ? bank.paymentOf(to)
        : typeof key === 'string'
          ? bank.movement(key)
          : bank.movements().find((one) => one.id === id || one.comment === id);
    if (!movement) throw new Refused('key', 'there is no such payment');
    return movement;
  };
  const done = (work: () => void): Promise<unknown> => {
    work();
    return Promise.resolve({});
  };
  return {
    hold: ({ on }) => done(() => void (bank.holds = on !== false)),
    release: (input) => done(() => act('release', found(input))),
    chargeback: (input) => done(() => act('cancel', found(input))),
    return: (input) => done(() => act('cancel', found(input))),
    silence: ({ on }) => done(() => void (mood.isSilent = on !== false)),
    commission: ({ parts }) => done(() => void (bank.commission = BigInt(String(parts)))),
    lose: ({ operation }) => done(() => void (mood.loses = String(operation))),
    clock: ({ hours }) => done(() => void (mood.hours = Number(hours))),
    transfers: async ({ reference }) => bank.movements().filter(({ comment }) => comment === reference).length,
    strangers: ({ on }) => done(() => void (mood.hasStrangers = on !== false)),
  };
}
