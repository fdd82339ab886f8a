import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Counterpart, type Paid, type Payment, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, Store } from '../provider/index.ts';
import { Bank, type Bill, CURRENCIES, Denied, type Movement, hundredths, written } from './bank.ts';
import { mountPages } from './pages.ts';
import { type Mood, mountService, payRow } from './service.ts';

/**
 * Counterpart of MoneyGo, by docs.money-go.com: the service with its token, a payment's pages, and a message after a payment. The
 * documents show neither that message nor the formula of its signature: both are invented here.
 */

export interface MoneyGoOptions {
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
}

type Ways = Mood & { isSilent: boolean; commission: bigint };

/** Opens the counterpart with its stored state. */
export async function openMoneyGo({ folder }: MoneyGoOptions = {}): Promise<Counterpart> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bank = new Bank(new Store(folder === undefined ? undefined : join(folder, 'moneygo.jsonl')));
  const faults = new Faults();
  const webhooks = new WebhookSender(faults);
  const mood: Ways = { seconds: 3_600, loses: '', isRevoking: false, isSilent: false, commission: 0n };
  const { desk } = bank;
  let pagesAt = '';

  const report = (bill: Bill, movement: Movement): void => {
    if (mood.isSilent || bill.status_url === '') return;
    const headers = { 'content-type': 'application/json' };
    const body = payRow(bill, movement);
    const forged = { ...body, signature: createHash('sha256').update(bill.signature).digest('hex') };
    webhooks.send({
      url: bill.status_url,
      headers,
      body: JSON.stringify(body),
      forged: { headers, body: JSON.stringify(forged) },
    });
  };
  const payBill = (bill: Bill): Movement => {
    bank.endow(bill.wallet_from, hundredths(bill.amount));
    const paid = bank.pay(bill, mood.commission);
    report(bill, paid);
    return paid;
  };

  return {
    rail: 'moneygo',
    currencies: Object.keys(CURRENCIES).map((currency) => `MONEYGO_${currency}`),
    faults,
    environment: () => ({}),
    provider: ({ base, pages }) => {
      pagesAt = pages;
      const { clientId, clientSecret, formSecret, wallets } = desk;
      return { api: `${base}/`, clientId, clientSecret, formSecret, wallets };
    },
    mount: (scope) => {
      mountPages(scope, bank, { pay: payBill, undo: (movement) => bank.undo(movement) });
      void scope.register(async (api) => {
        faults.mount(api);
        mountService(api, bank, mood, () => pagesAt);
      });
    },
    pay: async (payment) => pay(bank, payment, payBill),
    address: async (currency) => bank.newWallet(wireOf(currency)).number,
    balance: async (_currency, account) => {
      const wallet = bank.wallet(account);
      if (!wallet) throw new Refused('account', `no wallet ${account}`);
      return written(BigInt(wallet.parts));
    },
    fund: async ({ currency, to, amount }) =>
      bank.endow(bank.wallet(to)?.number ?? desk.wallets[wireOf(currency)] ?? '', hundredths(amount)),
    tricks: tricksOf(bank, mood),
    close: () => webhooks.close(),
  };
}

function wireOf(currency: string): string {
  const wire = currency.replace(/^MONEYGO_/, '');
  if (!(wire in CURRENCIES)) throw new Refused('currency', `MoneyGo has no ${currency}`);
  return wire;
}

/** Pays a page as its payer, who can't change the amount. */
function pay(bank: Bank, { way, amount, to }: Payment, payBill: (bill: Bill) => Movement): Paid {
  const bill = bank.billOf(way?.url.split('/').at(-1) ?? '');
  if (!bill || (to !== '' && bill.id !== to)) throw new Refused('to', 'MoneyGo is paid on the page of an order');
  try {
    if (hundredths(amount) !== hundredths(bill.amount)) throw new Refused('amount', 'The payer can’t change the amount.');
    const { id, from } = payBill(bill);
    return { txid: id, from };
  } catch (error) {
    throw error instanceof Denied ? new Refused('amount', error.message) : error;
  }
}

/**
 * Returns the tricks for tests: `chargeback` takes payments back and `return` transfers, `silence` stops messages, `commission`
 * charges the desk for payments, `lose` loses an answer, `tokens` shortens the life of tokens, `revoke` ends them immediately,
 * and `transfers` counts the transfers with a reference.
 */
function tricksOf(bank: Bank, mood: Ways): NonNullable<Counterpart['tricks']> {
  type Input = Readonly<Record<string, unknown>>;
  const found = ({ to, id }: Input): Movement => {
    const movement = bank.movements().find((one) => one.reference === (to ?? id) || one.id === id);
    if (!movement) throw new Refused('key', 'there is no such movement');
    return movement;
  };
  const done = (work: () => void): Promise<unknown> => {
    work();
    return Promise.resolve({});
  };
  return {
    chargeback: (input) => done(() => bank.undo(found(input))),
    return: (input) => done(() => bank.undo(found(input))),
    silence: ({ on }) => done(() => void (mood.isSilent = on !== false)),
    commission: ({ parts }) => done(() => void (mood.commission = BigInt(String(parts)))),
    lose: ({ operation }) => done(() => void (mood.loses = String(operation))),
    tokens: ({ seconds }) => done(() => void (mood.seconds = Number(seconds))),
    revoke: () => done(() => void (mood.isRevoking = true)),
    transfers: async ({ reference }) => bank.movements().filter((one) => one.reference === reference).length,
  };
}
