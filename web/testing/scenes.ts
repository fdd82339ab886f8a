import type { Output, Routes } from '@kurs/contract';
import { stubReceipt } from './receipts.ts';

type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;

const TXID = '9f2c4b7ae1d05c3388a1f6e4d2b9075c61e8f3a4b5d6c7089a1b2c3d4e5f6071';
const PAYOUT = '0x5be1c0a3f7d29e48b6c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9';
const TOKENS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const ADDRESS = 'rb1q7wz0v9u8t7s6r5q4p3n2m1l0k9j8h7g6f5d4s3';

/**
 * Returns the sample order with a number like `KX-DONE-0000`, whose middle part names its state. Returns undefined for an unknown
 * state.
 */
export function sceneOf(id: string, now: Date): Order | undefined {
  const make = SCENES[id.slice(3, 7)];
  return make ? { ...baseOf(id, now), ...make(now) } : undefined;
}

const at = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();
const give = { amount: '0.01000000', currency: 'BTC' };
const get = { amount: '908.37', currency: 'USDT_ERC20' };

const fees = [
  { code: 'fee', amount: '0.00005000', currency: 'BTC', percent: '0.5' },
  { code: 'network', amount: '0.00000911', currency: 'BTC' },
];
const rate = { base: 'BTC', quote: 'USDT', value: '91377.604' };
const figures = { give, get, rate, fees, exchanged: { amount: '0.00994089', currency: 'BTC' } };

function baseOf(id: string, now: Date): Order {
  const times = { placed_at: at(now, -193), locked_until: at(now, 707) };
  return {
    id,
    kind: 'order',
    status: 'waiting',
    created_at: at(now, -193),
    updated_at: at(now, -193),
    expires_at: at(now, 707),
    late: false,
    held: true,
    give,
    get,
    rate,
    fees,
    receipt: stubReceipt({ kind: 'order', id, give, get, rate, fees, ...times }),
    receive: { currency: 'USDT_ERC20', network: 'ERC-20', fields: { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' } },
    refund: { currency: 'BTC', network: 'Bitcoin', fields: { address: 'rb1q5m3k0h2tqz8x7w6v5u4t3s2r1p0n9m8l7k6j5h4' } },
    email: 'anna.k@example.org',
    transfers: [],
    choices: [],
    screening: 'none',
    promised_minutes: 12,
    can_cancel: false,
    timeline: [],
    related: [],
    seq: 1,
  };
}

const pay = (now: Date, amount: string): NonNullable<Order['pay']> => ({
  kind: 'address',
  address: ADDRESS,
  amount,
  currency: 'BTC',
  network: 'Bitcoin',
  uri: `bitcoin:${ADDRESS}?amount=${amount}`,
  code: { text: `bitcoin:${ADDRESS}?amount=${amount}`, holds: 'address_and_amount' },
  expires_at: at(now, 707),
});
const payment = (
  now: Date,
  status: Order['transfers'][number]['status'],
  confirmations = 0,
  amount = '0.01000000',
): Order['transfers'][number] => ({
  kind: 'payment',
  money: { amount, currency: 'BTC' },
  status,
  txid: TXID,
  confirmations,
  needed: 2,
  at: at(now, -60),
});

/** Fields of an unallocated payment, which has no order. */
const unallocated = (now: Date): Partial<Order> => ({
  kind: 'unallocated',
  get: undefined as never,
  rate: undefined as never,
  receive: undefined as never,
  receipt: undefined as never,
  fees: [],
  arrived: give,
  transfers: [payment(now, 'final', 2)],
});

const wallet = { amount: '103.50', currency: 'PAYPAL_USD' };
const voucher = { amount: '50.00', currency: 'PMV_USD' };
const redirect = (now: Date, method: 'GET' | 'POST'): Partial<Order> => ({
  give: wallet,
  refund: undefined as never,
  can_cancel: true,
  pay: {
    kind: 'redirect',
    amount: wallet.amount,
    currency: wallet.currency,
    network: 'PayPal',
    method,
    url: 'https://pay.example/checkout?token=5O190127TN364715T',
    fields: method === 'POST' ? { m_shop: '12345', m_orderid: 'KX-LEAV-NG00', m_sign: '9F86D081884C7D65' } : {},
    expires_at: at(now, 707),
  },
});
const enter = (now: Date, entry?: Order['entry']): Partial<Order> => ({
  give: voucher,
  refund: undefined as never,
  can_cancel: entry === undefined,
  ...(entry && { entry }),
  pay: {
    kind: 'voucher',
    amount: voucher.amount,
    currency: voucher.currency,
    network: 'Perfect Money',
    fields: [
      { name: 'number', label: 'Voucher number', type: 'text', required: true, pattern: '^[0-9]{10}$' },
      { name: 'code', label: 'Activation code', type: 'text', required: true, pattern: '^[0-9]{16}$' },
    ],
    expires_at: at(now, 707),
  },
});
const bought = (now: Date, shown: 'seen' | 'unseen'): Partial<Order> => ({
  status: 'done',
  voucher: shown,
  get: voucher,
  receive: undefined as never,
  arrived: give,
  transfers: [
    payment(now, 'final', 2),
    { kind: 'payout', money: voucher, status: 'done', txid: '7AB31904KL552103R', at: at(now, -5) },
  ],
});

const SCENES: Record<string, (now: Date) => Partial<Order>> = {
  WAIT: (now) => ({ pay: pay(now, '0.01000000'), can_cancel: true }),
  // Waits for ETH, which a contract may pass on without a transaction of its own. The page warns about that.
  COIN: (now) => ({ pay: { ...pay(now, '0.01'), currency: 'ETH', network: 'Ethereum' }, can_cancel: true }),
  // Waits for a token. The payment link calls the token's contract; the QR code contains only the receiving address.
  TKNS: (now) => ({
    pay: {
      ...pay(now, '5'),
      currency: 'USDT_ERC20',
      network: 'Ethereum · ERC-20',
      address: TOKENS,
      uri: `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${TOKENS}&uint256=5000000`,
      code: { text: TOKENS, holds: 'address' },
    },
  }),
  PREP: () => ({ give: wallet, refund: undefined as never, can_cancel: true }),
  RFSP: () => ({ give: wallet, refund: undefined as never, can_cancel: true, pay_refused: true }),
  LEAV: (now) => redirect(now, 'POST'),
  LVGT: (now) => redirect(now, 'GET'),
  // Completed: the customer sent on a network and received at a provider.
  PRVD: (now) => ({
    ...SCENES['DONE']?.(now),
    give: { amount: '0.01000000', currency: 'BTC' },
    get: wallet,
    receive: { currency: 'PAYPAL_USD', network: 'PayPal', fields: { email: 'anna.k@example.org' } },
    related: [],
  }),
  VCHR: (now) => enter(now),
  VTKN: (now) => enter(now, 'taken'),
  VWRG: (now) => enter(now, 'wrong'),
  GOOD: (now) => bought(now, 'unseen'),
  GSEE: (now) => bought(now, 'seen'),
  /** Like `GOOD`, but opened in another browser than the browser that placed the order. */
  GELS: (now) => bought(now, 'unseen'),
  SEEN: (now) => ({ status: 'seen', transfers: [payment(now, 'seen')] }),
  PART: (now) => ({
    status: 'confirming',
    pay: pay(now, '0.00100000'),
    arrived: { amount: '0.00900000', currency: 'BTC' },
    due: { amount: '0.00100000', currency: 'BTC' },
    short_at: at(now, 707),
    transfers: [payment(now, 'confirming', 1, '0.00900000')],
  }),
  APPL: (now) => ({
    ...unallocated(now),
    status: 'done',
    related: [{ kind: 'order', id: 'KX-DONE-0000', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx', give }],
    applied_to: 'KX-DONE-0000',
  }),
  CONF: (now) => ({ status: 'confirming', transfers: [payment(now, 'confirming', 1)] }),
  CHCK: (now) => ({
    status: 'checking',
    reason: 'check',
    transfers: [payment(now, 'final', 2)],
    arrived: give,
    deadline: at(now, 71 * 3600),
  }),
  // Held order for which documents are requested from the customer.
  PAPR: (now) => ({ ...SCENES['CHCK']?.(now), reason: 'papers' }),
  SHRT: (now) => ({
    status: 'choose',
    reason: 'short',
    pay: pay(now, '0.00250000'),
    arrived: { amount: '0.00750000', currency: 'BTC' },
    due: { amount: '0.00250000', currency: 'BTC' },
    transfers: [payment(now, 'final', 2, '0.00750000')],
    choose_by: at(now, 71 * 3600),
    choices: [
      {
        choice: 'continue',
        offer: 1,
        money: { amount: '681.05', currency: 'USDT_ERC20' },
        rate: { base: 'BTC', quote: 'USDT', value: '91377.604' },
        expires_at: at(now, 160),
        needs_code: false,
      },
      { choice: 'refund', money: { amount: '0.00749089', currency: 'BTC' }, needs_code: true },
    ],
  }),
  LATE: (now) => ({
    status: 'choose',
    reason: 'late',
    late: true,
    arrived: give,
    expires_at: at(now, -400),
    transfers: [{ ...payment(now, 'final', 2), late: true }],
    choose_by: at(now, 71 * 3600),
    choices: [
      {
        choice: 'continue',
        offer: 3,
        money: { amount: '901.12', currency: 'USDT_ERC20' },
        give,
        fees,
        rate: { base: 'BTC', quote: 'USDT', value: '90648.11' },
        expires_at: at(now, 160),
        needs_code: false,
      },
      { choice: 'refund', money: { amount: '0.00999089', currency: 'BTC' }, needs_code: true },
    ],
  }),
  RFSD: (now) => ({
    status: 'choose',
    reason: 'account_refused',
    arrived: give,
    transfers: [payment(now, 'final', 2), { kind: 'payout', money: get, status: 'failed', at: at(now, -20) }],
    choose_by: at(now, 71 * 3600),
    choices: [{ choice: 'new_account', money: get, needs_code: true, account: { currency: 'USDT_ERC20' } }],
  }),
  // Unallocated payment: the part of a payment that exceeded an order's amount.
  REST: (now) => ({
    ...SCENES['STRA']?.(now),
    arrived: { amount: '0.00290000', currency: 'BTC' },
    give: { amount: '0.00290000', currency: 'BTC' },
    reason: 'rest',
    rest_of: 'KX-DONE-0000',
    related: [{ kind: 'order', id: 'KX-DONE-0000', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx', give }],
  }),
  // Unallocated payment: money that came for an invoice and that it doesn't need.
  INVO: (now) => ({ ...SCENES['STRA']?.(now), reason: 'invoice_over', paid_for: 'KI-7F3Q-2M8C' }),
  // Underpaid order, which is exchanged automatically when the lock ends.
  SELF: (now) => ({ ...SCENES['SHRT']?.(now), short_at: at(now, 707), choose_by: at(now, 707) }),
  STRA: (now) => ({
    ...unallocated(now),
    status: 'choose',
    reason: 'unallocated',
    choices: [
      {
        choice: 'new_order',
        offer: 1,
        money: { amount: '901.12', currency: 'USDT_ERC20' },
        rate: { base: 'BTC', quote: 'USDT', value: '90648.11' },
        expires_at: at(now, 160),
        needs_code: true,
      },
      { choice: 'refund', money: { amount: '0.00999089', currency: 'BTC' }, needs_code: true },
    ],
  }),
  // Unallocated payment without a direction: its customer may name what to exchange it for.
  FREE: (now) => ({
    ...unallocated(now),
    status: 'choose',
    reason: 'unallocated',
    choices: [
      { choice: 'give_route', needs_code: true, account: { currency: 'BTC' } },
      { choice: 'name_direction', needs_code: true, currencies: ['USDT_ERC20', 'PAYPAL_USD'] },
    ],
  }),
  PAYS: (now) => ({
    status: 'paying',
    arrived: give,
    transfers: [payment(now, 'final', 2), { kind: 'payout', money: get, status: 'sending', at: at(now, -5) }],
  }),
  DONE: (now) => ({
    status: 'done',
    arrived: give,
    transfers: [payment(now, 'final', 2), { kind: 'payout', money: get, status: 'done', txid: PAYOUT, at: at(now, -5) }],
    related: [
      {
        kind: 'unallocated',
        id: 'KX-STRA-Y000',
        token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx',
        give: { amount: '0.00290000', currency: 'BTC' },
      },
    ],
  }),
  // Paid late, so booked at another rate than the promised one. The price has a discount, and a cost that only this operator
  // charges.
  DIFF: (now) => ({
    ...SCENES['DONE']?.(now),
    late: true,
    get: { amount: '901.07', currency: 'USDT_ERC20' },
    rate: { base: 'BTC', quote: 'USDT', value: '90648.11' },
    fees: [
      { code: 'fee', amount: '0.00005000', currency: 'BTC', percent: '0.5' },
      { code: 'network', amount: '0.00000912', currency: 'BTC' },
      { code: 'insurance', amount: '0.00000200', currency: 'BTC' },
    ],
    discounts: [{ code: 'coupon', amount: '0.00000150', currency: 'BTC' }],
    exchanged: { amount: '0.00994038', currency: 'BTC' },
    promised: figures,
  }),
  // The order's payout could not be delivered. Its amount was exchanged back, to refund the customer.
  BACK: (now) => ({
    ...SCENES['RFNG']?.(now),
    bought_back: {
      give: get,
      get: { amount: '0.00988190', currency: 'BTC' },
      rate: { base: 'BTC', quote: 'USDT', value: '91402.11' },
      fees: [{ code: 'fee', amount: '4.55', currency: 'USDT_ERC20', percent: '0.5' }],
      exchanged: { amount: '903.82', currency: 'USDT_ERC20' },
    },
  }),
  EXPD: (now) => ({ status: 'expired', expires_at: at(now, -30) }),
  CNCL: () => ({ status: 'cancelled' }),
  RFNG: (now) => ({
    status: 'refunding',
    arrived: give,
    transfers: [
      payment(now, 'final', 2),
      { kind: 'refund', money: { amount: '0.00999089', currency: 'BTC' }, status: 'queued', at: at(now, -5) },
    ],
  }),
  // The payment is an excess of an invoice, and its network may still undo it.
  DEEP: (now) => ({ ...SCENES['RFNG']?.(now), reason: 'shallow' }),
  RFND: (now) => ({
    status: 'refunded',
    arrived: give,
    transfers: [
      payment(now, 'final', 2),
      { kind: 'refund', money: { amount: '0.00999089', currency: 'BTC' }, status: 'done', txid: TXID, at: at(now, -5) },
    ],
  }),
  RJCT: (now) => ({ status: 'rejected', transfers: [payment(now, 'reversed', 0)] }),
};
