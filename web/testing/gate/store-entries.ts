/** Answers of the API about a store's report and preview, for tests of pages. */
import type { Output, Routes } from '@kurs/contract';
import { refusal, type Answers } from './answers.ts';
import { sampleId } from './store-invoices.ts';

type Report = Output<Routes['storeReport']>;
type Entry = Output<Routes['storeEntries']>['entries'][number];

const ID = '0199a7d2-7a3e-7c10-9f00-000000000501';

const entry = (at: number, more: Partial<Entry>): Entry => ({
  ...{ id: `${ID}.${at}.0`, at: `2026-11-1${at}T12:0${at}:00Z`, kind: 'sale', account: 'balance', currency: 'USDT' },
  ...{ gross: '84.64', net: '84.50', balance: '84.50', reserve: '0' },
  ...{ invoice: { id: sampleId('settled'), number: 'KI-7F3Q-2M84' }, order_id: 'Order <1184>', invoice_amount: '84.50' },
  ...{ invoice_currency: 'USD', rate: '1', worth: '84.50' },
  ...more,
});

/** Entries of the sample month, the newest first. */
export const ENTRIES: readonly Entry[] = [
  entry(5, {
    kind: 'settlement',
    gross: '-40',
    net: '-40',
    balance: '1.90',
    invoice: undefined,
    order_id: undefined,
    worth: undefined,
  }),
  entry(4, { kind: 'reversal', gross: '-83.82', net: '-41.92', balance: '41.90', worth: '-42.26' }),
  entry(3, { kind: 'fee', gross: '-0.68', net: '-0.68', balance: '83.82', worth: '-0.68' }),
  entry(2, { kind: 'sale' }),
  entry(1, { currency: 'BTC', gross: '0.00094000', net: '0.00094000', balance: '0.00094000', worth: '84.60' }),
];

/** Returns the answers about a store whose report has the sample month. Other months are empty. */
export function entryAnswers(now: Date): Answers {
  const month = now.toISOString().slice(0, 7);
  const sums = (opening: string, net: string, closing: string) => ({ opening, net, closing });
  const report: Report = {
    ...{ month, timezone: 'Europe/Belgrade', now: month, since: '2026-01' },
    units: [
      {
        ...{ currency: 'BTC', balance: sums('0', '0.00094', '0.00094'), reserve: sums('0', '0', '0'), movements: 1 },
        kinds: [{ account: 'balance', kind: 'sale', gross: '0.00094', net: '0.00094' }],
        days: [{ day: `${month}-11`, received: '0.00094' }],
      },
      {
        ...{ currency: 'USDT', balance: sums('0', '1.90', '1.90'), reserve: sums('10', '5', '15'), movements: 3 },
        kinds: [
          { account: 'balance', kind: 'reversal', gross: '-83.82', net: '-41.92' },
          { account: 'balance', kind: 'sale', gross: '84.64', net: '84.50' },
          { account: 'balance', kind: 'fee', gross: '-0.68', net: '-0.68' },
          { account: 'balance', kind: 'settlement', gross: '-40', net: '-40' },
          { account: 'reserve', kind: 'reserve_in', gross: '5', net: '5' },
        ],
        days: [
          { day: `${month}-12`, received: '83.82' },
          { day: `${month}-20`, received: '20.10' },
        ],
      },
    ],
  };
  return {
    storeReport: ({ month: wanted = month }: { month?: string }): Report =>
      wanted === month ? report : { ...report, month: wanted, units: [] },
    storeEntries: ({ kind, currency }: { kind?: readonly string[]; currency?: string }): Output<Routes['storeEntries']> => ({
      ...{ month, timezone: report.timezone },
      entries: ENTRIES.filter((one) => (kind?.includes(one.kind) ?? true) && (currency ?? one.currency) === one.currency),
    }),
    storePreview: ({ amount, currency = 'USDT' }: { amount: string; currency?: string }): Output<Routes['storePreview']> => {
      if (currency === 'XYZ') throw refusal({ currency: ['This currency has no price now'] });
      const method = { kind: 'address' as const, confirmations: '1–6', payer_fields: [] };
      return {
        ...{ amount, currency, costs_bearer: 'buyer', settlement_currency: 'USDT_ERC20' },
        methods: [
          {
            ...{ ...method, method: 'USDT_ERC20', name: 'Tether', network: 'ERC-20', currency: 'USDT_ERC20' },
            ...{ amount: '100.15', cost: '0.15', least: '1.00' },
            ...{ received: { amount: '99.20', currency: 'USDT' }, fee: { amount: '0.80', currency: 'USDT' } },
          },
          {
            ...{ ...method, method: 'BTC', name: 'Bitcoin', network: 'Bitcoin', currency: 'BTC' },
            ...{ amount: '0.00112000', cost: '0.80', minutes: 15 },
            ...{ received: { amount: '99.20', currency: 'USDT' }, fee: { amount: '0.80', currency: 'USDT' } },
          },
          { ...method, method: 'PAYPAL_USD', name: 'PayPal', network: 'PayPal', currency: 'PAYPAL_USD', closed: 'off' },
        ],
      };
    },
  };
}
