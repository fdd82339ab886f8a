import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Counterpart, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { Store, acceptForms } from '../provider/index.ts';
import { mountApi } from './api.ts';
import { Book, CURRENCIES, PmError, centsOf, currencyOf, textOf } from './book.ts';
import { buyVoucher, mountPages } from './pages.ts';

interface PerfectMoneyOptions {
  readonly folder?: string;
  /** Random numbers for faults; tests replace it. */
  readonly chance?: () => number;
}

/**
 * Counterpart of Perfect Money: accounts, e-vouchers, the API's pages and lists, and a page on which the sandbox's customer buys
 * and activates vouchers. It sends no messages about vouchers. Written from public integrations; not compared with the live
 * service.
 */
export async function openPerfectMoney({ folder, chance }: PerfectMoneyOptions = {}): Promise<Counterpart> {
  const book = new Book(new Store(folder === undefined ? undefined : join(folder, 'perfectmoney.jsonl')));
  const faults = new Faults(chance);
  return {
    rail: 'perfectmoney',
    currencies: Object.values(CURRENCIES).map(({ unit }) => unit),
    faults,
    environment: () => ({}),
    provider: ({ base }) => ({
      apiUrl: `${base}/acct/`,
      login: book.login,
      passPhrase: book.passPhrase,
      accounts: { PMV_USD: book.accountOf('desk', 'USD'), PMV_EUR: book.accountOf('desk', 'EUR') },
    }),
    mount: (scope: FastifyInstance) => {
      acceptForms(scope);
      scope.register(async (api) => mountApi(api, book, faults));
      mountPages(scope, book);
    },
    // The customer buys a voucher here and enters it on the order's page.
    pay: async ({ currency: code, amount }) => {
      const currency = currencyOf(code);
      const from = book.open('customer', currency);
      const { batch, number, code: secret } = buyVoucher(book, from, centsOf(amount, currency));
      return { txid: batch, from, voucher: { number, code: secret } };
    },
    address: async (code) => book.open('customer', currencyOf(code)),
    balance: async (code, account) => {
      const currency = currencyOf(code);
      const voucher = book.voucher(account);
      if (voucher) return textOf(voucher.currency === currency ? voucher.cents : '0', currency);
      if (book.account(account)?.currency !== currency) throw new Refused('account', `neither account nor voucher: ${account}`);
      return textOf(book.held(account), currency);
    },
    fund: async ({ currency: code, amount }) => {
      const currency = currencyOf(code);
      book.deposit(book.accountOf('desk', currency), centsOf(amount, currency));
    },
    tricks: {
      /** The customer activates a voucher that they bought from the desk. */
      activate: async ({ number, code }) => {
        const voucher = book.voucher(String(number));
        try {
          const { batch } = book.activate(book.accountOf('customer', voucher?.currency ?? 'USD'), String(number), String(code));
          return { batch };
        } catch (error) {
          if (error instanceof PmError) throw new Refused('number', error.message);
          throw error;
        }
      },
      /** Creates a voucher from the desk's money by hand. */
      make: async ({ currency: code, amount }) => {
        const currency = currencyOf(String(code));
        const { number } = book.create(book.accountOf('desk', currency), centsOf(String(amount), currency)).voucher;
        return { number };
      },
      /** Returns the desk's vouchers of a sum. */
      made: async ({ currency: code, amount }) => {
        const currency = currencyOf(String(code));
        const cents = centsOf(String(amount), currency).toString();
        const made = book.vouchers().filter((one) => one.by === 'desk' && one.currency === currency && one.cents === cents);
        return made.map(({ number, used, isRemoved }) => ({ number, used: used !== undefined, removed: isRemoved ?? false }));
      },
    },
    close: async () => {},
  };
}
