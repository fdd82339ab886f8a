/** Answers of the API about the invoices of a store, for tests of pages. There is a sample invoice in each state. */
import type { Output, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { soon } from '../status.ts';
import type { Answers } from './answers.ts';

type Invoice = Output<Routes['storeInvoice']>;
type Listed = Output<Routes['invoices']>[number];
type Payment = Invoice['payments'][number];
type Event = Invoice['events'][number];

const HOUR = 3_600;
const TXID = '9f2c41ae7b0d5c38e6a1f4b29d8c7053e1a6b4f2c9d80e7351a2b3c4d5e6f708';

/** Names of the samples. Each is in the state that its name begins with; `top-up` is open and has no amount. */
export const SAMPLES = [
  'open',
  'open-part',
  'confirming',
  'settled',
  'short',
  'expired',
  'expired-given',
  'cancelled',
  'invalid',
  'top-up',
  'open-marked',
  'cancelled-marked',
  'settled-reserve',
] as const;
export type Sample = (typeof SAMPLES)[number];

/** Returns the id of a sample. */
export const sampleId = (sample: Sample): string =>
  `7c9e6679-7425-40de-944b-${String(SAMPLES.indexOf(sample) + 1).padStart(12, '0')}`;

const payment = (now: Date, at: number, more: Partial<Payment>): Payment => ({
  id: `0199a7d2-7a3e-7c10-9f00-${String(900 + at).padStart(12, '0')}`,
  currency: 'USDT_ERC20',
  network: 'ERC-20',
  paid: { amount: '84.64', currency: 'USDT_ERC20' },
  status: 'credited',
  credit: '84.50',
  late: false,
  txid: TXID,
  confirmations: 12,
  needed: 12,
  at: soon(now, -HOUR),
  in_kind: false,
  ...more,
});

const SETTLED = { settled: { amount: '84.50', currency: 'USDT' }, costs: { amount: '0.14', currency: 'USDT_ERC20' } };
const BTC = { currency: 'BTC', network: 'Bitcoin' } as const;

/** Returns a settled payment of which a part stands in the reserve longer than its time, and the rest for months. */
const reversiblePayment = (now: Date): Partial<Payment> => ({
  ...{ currency: 'PAYPAL_USD', network: 'PayPal', paid: { amount: '86.12', currency: 'PAYPAL_USD' }, needed: 0 },
  ...{ settled: { amount: '84.50', currency: 'USDT' }, costs: { amount: '1.62', currency: 'PAYPAL_USD' } },
  in_reserve: [
    { until: soon(now, -HOUR), sum: { amount: '75.43', currency: 'USDT' } },
    { until: soon(now, 150 * 24 * HOUR), sum: { amount: '8.39', currency: 'USDT' } },
  ],
});

const IN_RESERVE: Partial<Invoice> = {
  ...{ state: 'settled', credited: '84.50', due: '0' },
  received: [{ amount: '83.82', currency: 'USDT' }],
  fees: [{ amount: '0.68', currency: 'USDT' }],
};

/** Parts in which a sample differs from the others. */
const differences = (now: Date): Readonly<Record<Sample, Partial<Invoice>>> => {
  const made = (more: Partial<Payment>, at = 1): Payment => payment(now, at, more);
  const half = made({ ...BTC, paid: { amount: '0.00046', currency: 'BTC' }, credit: '42.00', txid: TXID.toUpperCase() });
  return {
    open: {},
    'open-part': {
      ...{ credited: '20.00', pending: '42.00', due: '22.50' },
      payments: [
        made({ ...SETTLED, paid: { amount: '20.03', currency: 'USDT_ERC20' }, credit: '20.00' }),
        { ...half, ...made({}, 2), ...BTC, paid: half.paid, credit: '42.00', status: 'seen', confirmations: 0, needed: 2 },
      ],
      option: {
        ...{ method: 'BTC', network: 'Bitcoin', status: 'open', kind: 'address', amount: '0.00025', currency: 'BTC' },
        expires_at: soon(now, 600),
      },
    },
    confirming: {
      ...{ state: 'confirming', pending: '84.50', due: '0' },
      payments: [made({ status: 'seen', confirmations: 3 })],
    },
    settled: {
      ...{ state: 'settled', credited: '84.50', due: '0' },
      payments: [
        made({ ...SETTLED, over: { amount: '15.50', currency: 'USDT_ERC20' } }),
        made({ ...BTC, paid: { amount: '0.001', currency: 'BTC' }, status: 'held', credit: '91.02', late: true }, 2),
      ],
      received: [{ amount: '83.82', currency: 'USDT' }],
      fees: [{ amount: '0.68', currency: 'USDT' }],
    },
    short: {
      ...{ state: 'short', credited: '42.00', due: '42.50' },
      payments: [made({ ...half, in_kind: true, late: true })],
      decision: {
        ...{ kind: 'short', preset: 'give_back', until: soon(now, 60 * HOUR), sum: '42.00', has_price: true },
        ...{ store_gets: [{ amount: '41.66', currency: 'USDT' }], payers_get: [{ amount: '0.00045811', currency: 'BTC' }] },
      },
    },
    expired: {
      state: 'expired',
      payments: [made({ status: 'unallocated', late: true, credit: '0' })],
      decision: {
        ...{ kind: 'late', until: soon(now, 150 * HOUR), sum: '84.50', has_price: true },
        ...{ store_gets: [{ amount: '83.82', currency: 'USDT' }], payers_get: [{ amount: '84.64', currency: 'USDT_ERC20' }] },
      },
    },
    'expired-given': {
      state: 'expired',
      payments: [
        made({ status: 'given_back', credit: '0', given_back: { amount: '20.01', currency: 'USDT_ERC20' } }),
        made({ ...BTC, paid: half.paid, status: 'returning', credit: '0' }, 2),
      ],
    },
    cancelled: { state: 'cancelled', payments: [made({ status: 'dropped', confirmations: 0, credit: '0' })] },
    invalid: {
      state: 'invalid',
      payments: [made({ status: 'reversed', credit: '0' }), made({ status: 'waiting', network: '', needed: 0 }, 2)],
    },
    'top-up': {},
    'open-marked': {
      ...{ mark: 'settled', pending: '42.00', due: '42.50', payments: [made({ ...half, status: 'held' })] },
    },
    'settled-reserve': { ...IN_RESERVE, payments: [made(reversiblePayment(now))] },
    'cancelled-marked': {
      ...{ state: 'cancelled', mark: 'invalid', archived: true },
      payments: [made({ status: 'unallocated', refused: true, credit: '0' })],
    },
  };
};

const eventsOf = ({ state, payments }: Pick<Invoice, 'state' | 'payments'>, now: Date): Event[] => {
  const stories: Partial<Record<Payment['status'], Event['event'][]>> = {
    seen: ['payment_seen'],
    held: ['payment_seen', 'payment_final', 'held'],
    unallocated: ['late', 'payment_final'],
    dropped: ['payment_seen', 'payment_dropped'],
    reversed: ['payment_seen', 'payment_final', 'payment_reversed'],
  };
  const told = payments.flatMap(({ id, status }) =>
    (stories[status] ?? ['payment_seen', 'payment_final']).map((event) => ({ event, payment: id })),
  );
  const ends = { open: [], confirming: ['processing'] } as const;
  const end = (ends as Partial<Record<Invoice['state'], readonly Event['event'][]>>)[state] ?? [state as Event['event']];
  const all = [{ event: 'created' as const }, { event: 'option_chosen' as const }, ...told, ...end.map((event) => ({ event }))];
  return all.map((event, at) => ({ version: at + 1, at: soon(now, -2 * HOUR + at * 300), state, ...event }));
};

/** Returns a sample invoice. */
export function invoiceAs(sample: Sample, now: Date, store = ''): Invoice {
  const own: Partial<Invoice> = { state: 'open', payments: [], ...differences(now)[sample] };
  const isTopUp = sample === 'top-up';
  const letters = sample
    .replace('-', '')
    .toUpperCase()
    .replaceAll(/[ILOU]/g, 'X')
    .slice(0, 4);
  const whole: Invoice = {
    id: sampleId(sample),
    number: `KI-${letters.padEnd(4, '0')}-NG00`,
    store,
    state: 'open',
    archived: false,
    currency: 'USD',
    ...(!isTopUp && { amount: '84.50', due: '84.50' }),
    credited: '0',
    pending: '0',
    order_id: isTopUp ? 'CARD-0000117' : '1184',
    ...(!isTopUp && { email: 'a-rather-long-name@mail.example.org' }),
    created_at: soon(now, -2 * HOUR),
    expires_at: soon(now, 22 * HOUR),
    test: false,
    version: 1,
    url: `https://kurs.test/En/pay/${sampleId(sample)}`,
    lines: isTopUp
      ? []
      : [
          { name: '“Birds of the White Sea”, hardcover', quantity: '2', unit_price: '34.00' },
          { name: 'Delivery by weight, kg', quantity: '1.65', unit_price: '10.00' },
        ],
    ...(!isTopUp && { tax: '14.08', description: 'Books for the school\nin Kem' }),
    metadata: isTopUp ? {} : { cart: 17, note: '</script><b>not markup</b>', tags: ['books', 'gift'] },
    ...(!isTopUp && { return_url: 'https://books.example.com/orders/1184' }),
    methods: ['USDT_ERC20', 'BTC'],
    settlement_currency: 'USDT_ERC20',
    tolerance: '0.5',
    costs_bearer: 'buyer',
    payments: [],
    received: [],
    fees: [],
    events: eventsOf({ state: own.state ?? 'open', payments: own.payments ?? [] }, now),
    updated_at: soon(now, -HOUR),
    ...own,
  };
  return whole;
}

const listed = ({
  id,
  number,
  state,
  currency,
  credited,
  pending,
  created_at,
  expires_at,
  test,
  version,
  archived,
  ...rest
}: Invoice): Listed => {
  const { amount, due, order_id, email, mark, decision } = rest;
  return {
    ...{ id, number, state, currency, credited, pending, created_at, expires_at, test, version, archived },
    ...(mark && { mark }),
    ...(amount !== undefined && { amount }),
    ...(due !== undefined && { due }),
    ...(order_id !== undefined && { order_id }),
    ...(email !== undefined && { email }),
    ...(decision && { decision: decision.kind }),
  };
};

interface ListInput {
  readonly state?: readonly Invoice['state'][];
  readonly q?: string;
  readonly per_page?: number;
}

/** Returns the answers about a store whose invoices are the samples. */
export function invoiceAnswers(now: Date): Answers {
  const one = ({ store, id }: { store: string; id: string }): Invoice => {
    const sample = SAMPLES.find((name) => sampleId(name) === id);
    if (!sample) throw new CallError(404, { code: 'invoice_unknown', message: 'There is no such invoice.' });
    return invoiceAs(sample, now, store);
  };
  return {
    invoices: ({ state, q = '', per_page = 20 }: ListInput) => {
      const all = SAMPLES.map((sample) => listed(invoiceAs(sample, now)));
      const found = all.filter((row) => (!state || state.includes(row.state)) && (row.order_id ?? '').includes(q));
      return { data: found, meta: { current_page: 1, per_page, last_page: 1, total: found.length } };
    },
    storeInvoice: one,
    paymentInvoiceStatus: ({ id }: { id: string }) => {
      const { state, version } = one({ store: '', id });
      return { state, version };
    },
    invoiceMake: ({ store }: { store: string }) => invoiceAs('open', now, store),
    invoiceAccept: ({ store }: { store: string }) => invoiceAs('settled', now, store),
    invoiceGiveBack: ({ store }: { store: string }) => invoiceAs('expired-given', now, store),
    invoiceMark: ({ store }: { store: string }) => invoiceAs('open-marked', now, store),
    invoiceArchive: ({ store }: { store: string }) => invoiceAs('cancelled-marked', now, store),
    invoiceCancel: ({ store }: { store: string }) => invoiceAs('cancelled', now, store),
  };
}
