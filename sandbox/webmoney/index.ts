import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Counterpart, type Paid, type Payment, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, type Form, Store } from '../provider/index.ts';
import { Bank, Denied, LETTERS, type Transfer, feeOf, hundredths, short } from './bank.ts';
import { type Mood, mountInterfaces } from './interfaces.ts';
import { faultOf, isWelcome, noticeOf } from './merchant.ts';
import { mountPages } from './pages.ts';

/**
 * Counterpart of WebMoney, by its wiki: the merchant service with its pages, its question before a payment and its notice after
 * it; interface X18; the JSON interfaces with a token of each purse. Not compared with the live service.
 */

export interface WebMoneyOptions {
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
}

/** First number of this counterpart's payments. */
const FIRST_NUMBER = 1_000_000;

type Ways = Mood & { isSilent: boolean; hold: string | undefined };

/** Opens the counterpart with its stored state. */
export async function openWebMoney({ folder }: WebMoneyOptions = {}): Promise<Counterpart> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const store = new Store(folder === undefined ? undefined : join(folder, 'webmoney.jsonl'));
  const bank = new Bank(store);
  const faults = new Faults();
  const webhooks = new WebhookSender(faults);
  const mood: Ways = { isBroken: false, loses: '', isLagging: false, isSilent: false, hold: undefined };
  const { desk } = bank;

  const payFrom = async (form: Form, wmid?: string): Promise<Transfer> => {
    const { LMI_PAYEE_PURSE: to = '', LMI_PAYMENT_AMOUNT: amount = '', LMI_PAYMENT_NO: number = '' } = form;
    const letter = to[0] ?? '';
    const parts = hundredths(amount);
    const purse = (wmid === undefined ? undefined : bank.purseOf(wmid, letter)) ?? bank.newPurse(letter, 0n, wmid);
    if (!mood.isSilent && !(await isWelcome(form, { purse: purse.id, wmid: purse.wmid })))
      throw new Denied(0, 'the shop does not take this payment');
    bank.endow(purse.id, parts + feeOf(parts));
    const hold = mood.hold ?? form['LMI_HOLD'];
    const paid = bank.pay({ from: purse.id, to, amount, number, description: 'order', ...(hold !== undefined && { hold }) });
    const notice = mood.isSilent ? undefined : noticeOf(bank, form, paid);
    if (notice) webhooks.send(notice);
    return paid;
  };
  const act = (name: string, transfer: Transfer): void => {
    if (name === 'release') bank.release(transfer);
    else bank.giveBack(transfer);
  };

  return {
    rail: 'webmoney',
    currencies: Object.keys(LETTERS),
    faults,
    environment: () => ({}),
    provider: ({ base, pages }) => ({
      merchant: `${pages}/lmi/payment_utf.asp`,
      lookUp: `${base}/conf/xml/XMLTransGet.asp`,
      api: `${base}/json/V1/`,
      wmid: desk.wmid,
      firstNumber: FIRST_NUMBER,
      purses: desk.purses,
    }),
    mount: (scope) => {
      mountPages(scope, bank, store, { pay: payFrom, act });
      void scope.register(async (api) => {
        faults.mount(api);
        mountInterfaces(api, bank, faults, mood);
      });
    },
    pay: (payment) => pay(bank, payment, payFrom),
    address: async (currency) => bank.newPurse(letterOf(currency)).id,
    balance: async (_currency, account) => {
      const purse = bank.purse(account);
      if (!purse) throw new Refused('account', `no purse ${account}`);
      return twoDigits(BigInt(purse.parts));
    },
    fund: async ({ currency, to, amount }) =>
      bank.endow(bank.purse(to)?.id ?? desk.purses[currency]?.purse ?? '', hundredths(trimmed(amount))),
    tricks: tricksOf(bank, mood, act),
    close: () => webhooks.close(),
  };
}

function letterOf(currency: string): string {
  const letter = LETTERS[currency];
  if (letter === undefined) throw new Refused('currency', `WebMoney has no ${currency}`);
  return letter;
}

/** Removes trailing zeros as the interfaces do: `10.50` → `10.5`. */
const trimmed = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

const twoDigits = (parts: bigint): string => {
  const [whole, behind = ''] = short(parts).split('.');
  return `${whole}.${behind.padEnd(2, '0')}`;
};

/** Pays a form as its payer, who can't change the amount. */
async function pay(bank: Bank, { way, amount, to }: Payment, payFrom: (form: Form) => Promise<Transfer>): Promise<Paid> {
  if (!way) throw new Refused('to', 'WebMoney is paid through the form of an order');
  const form = way.fields;
  const wrong = faultOf(bank, form);
  if (wrong !== undefined || (to !== '' && form['LMI_PAYMENT_NO'] !== to))
    throw new Refused('to', wrong ?? 'The form is another order’s.');
  if (trimmed(amount) !== form['LMI_PAYMENT_AMOUNT']) throw new Refused('amount', 'The payer can’t change the amount.');
  try {
    const { id, from } = await payFrom(form);
    return { txid: id, from };
  } catch (error) {
    throw error instanceof Denied ? new Refused('amount', error.message) : error;
  }
}

/**
 * Returns the tricks for tests: `hold` holds payments until `release`, `return` refuses payments and returns transfers, `close`
 * makes a purse accept authorised accounts only, `silence` stops questions and notices, `lose` loses an answer, `break` breaks
 * one off, `lag` hides recent operations, `occupy` uses a number for another transfer, and `transfers` counts the transfers with
 * a description.
 */
function tricksOf(bank: Bank, mood: Ways, act: (name: string, transfer: Transfer) => void): NonNullable<Counterpart['tricks']> {
  type Input = Readonly<Record<string, unknown>>;
  const found = ({ to, id }: Input): Transfer => {
    const transfer = bank
      .transfers()
      .find((one) => (to !== undefined ? one.number === to : one.id === id || one.description === id));
    if (!transfer) throw new Refused('key', 'there is no such transfer');
    return transfer;
  };
  const done = (work: () => void): Promise<unknown> => {
    work();
    return Promise.resolve({});
  };
  return {
    hold: ({ on, days }) => done(() => void (mood.hold = on === false ? undefined : String(days ?? 3))),
    release: (input) => done(() => act('release', found(input))),
    return: (input) => done(() => act('return', found(input))),
    close: ({ purse }) => done(() => bank.close(String(purse))),
    silence: ({ on }) => done(() => void (mood.isSilent = on !== false)),
    lose: ({ operation }) => done(() => void (mood.loses = String(operation))),
    break: ({ on }) => done(() => void (mood.isBroken = on !== false)),
    lag: ({ on }) => done(() => void (mood.isLagging = on !== false)),
    transfers: async ({ reference }) => bank.transfers().filter(({ description }) => description === reference).length,
    occupy: ({ currency, tranid, to }) =>
      done(() => {
        const from = bank.desk.purses[String(currency)]?.purse ?? '';
        bank.pay({ from, to: String(to), amount: '0.01', description: 'another', tranid: String(tranid) });
      }),
  };
}
