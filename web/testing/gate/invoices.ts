/**
 * Sample invoices as their buyers see them, for tests of the page and for screenshots. Each scene has an id of its own,
 * so that its URL shows it.
 */
import type { Output, RouteName, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { soon } from '../status.ts';

type Invoice = Output<Routes['paymentInvoice']>;
type Method = Invoice['methods'][number];
type Payment = Invoice['payments'][number];
type Option = NonNullable<Invoice['option']>;

const ADDRESS = 'rb1q7wz0v9u8t7s6r5q4p3n2m1l0k9j8h7g6f5d4s3';
const TRON = 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb';
const TXID = '9f2c4b7ae1d05c3388a1f6e4d2b9075c61e8f3a4b5d6c7089a1b2c3d4e5f6071';
const HOUR_SECONDS = 3600;
const idOf = (number: number): string => `0199a7d2-7a3e-7c10-9f00-${String(number).padStart(12, '0')}`;

const method = (code: string, name: string, network: string, more: Partial<Method>): Method => ({
  ...{ method: code, name, network, currency: code, kind: 'address', minutes: 3, confirmations: '', payer_fields: [] },
  ...more,
});

const PAYER = [{ name: 'account', label: 'MoneyGo account', type: 'text' as const, required: true }];

/** Ten methods in the order of their costs, some of them closed. */
const METHODS: readonly Method[] = [
  method('USDT_TRC20', 'Tether', 'TRON · TRC-20', { amount: '84.64', cost: '0.22', least: '1.50' }),
  method('USDT_BEP20', 'Tether', 'BNB Smart Chain · BEP-20', { amount: '84.71', cost: '0.29', least: '1.50' }),
  method('TRX', 'TRON', 'TRON', { amount: '301.553200', cost: '0.31', least: '5' }),
  method('BTC', 'Bitcoin', 'Bitcoin', { amount: '0.00092571', cost: '0.55', least: '0.00003', minutes: 25 }),
  method('ETH', 'Ether', 'Ethereum', {
    amount: '0.02822110',
    cost: '0.96',
    least: '0.0009',
    minutes: undefined as never,
    confirmations: '12–64',
  }),
  method('MONEYGO_USD', 'MoneyGo', 'MoneyGo', {
    kind: 'redirect',
    amount: '85.77',
    cost: '1.27',
    minutes: 1,
    payer_fields: PAYER,
  }),
  method('PAYEER_USD', 'Payeer', 'Payeer', { kind: 'redirect', amount: '87.10', cost: '2.60', minutes: undefined as never }),
  method('VOLET_USD', 'Volet', 'Volet', { kind: 'redirect', closed: 'off', minutes: 1 }),
  method('WMZ', 'WebMoney', 'WebMoney', { kind: 'redirect', closed: 'rates', minutes: 1 }),
  method('USDT_ERC20', 'Tether', 'Ethereum · ERC-20', { closed: 'costs', minutes: 5 }),
];

const usual = (now: Date): Invoice => ({
  id: '',
  number: 'KI-7F3Q-2M8C',
  state: 'open',
  store: { name: 'Books «Northern Forest»' },
  currency: 'USDT',
  amount: '84.50',
  credited: '0.00',
  pending: '0.00',
  due: '84.50',
  lines: [
    { name: '“Birds of the White Sea”, hardcover', quantity: '2', unit_price: '34.00' },
    { name: 'Map of the Kola Peninsula', quantity: '1', unit_price: '9.50' },
    { name: 'Delivery, Kem', quantity: '1', unit_price: '7.00' },
  ],
  tax: '7.68',
  order_id: '2026-1184',
  created_at: soon(now, -120),
  expires_at: soon(now, 23 * HOUR_SECONDS),
  test: false,
  chosen_by_store: false,
  has_email: false,
  return_url: 'https://severny-les.example/orders/1184',
  costs_bearer: 'buyer',
  methods: METHODS.slice(),
  payments: [],
  dropped: false,
  late: false,
  version: 3,
});

const onTron = (now: Date, more: Partial<Option> = {}): Option => ({
  ...{ method: 'USDT_TRC20', network: 'TRON · TRC-20', status: 'open', kind: 'address', amount: '84.64', currency: 'USDT_TRC20' },
  ...{ pays: '84.50', address: TRON, code: { text: TRON, holds: 'address' }, uri: `tron:${TRON}`, expires_at: soon(now, 842) },
  ...more,
});

const onBitcoin = (now: Date): Option => ({
  ...{ method: 'BTC', network: 'Bitcoin', status: 'open', kind: 'address', amount: '0.00092571', currency: 'BTC', pays: '84.50' },
  ...{ address: ADDRESS, uri: `bitcoin:${ADDRESS}?amount=0.00092571`, expires_at: soon(now, 842) },
  code: { text: `bitcoin:${ADDRESS}?amount=0.00092571`, holds: 'address_and_amount' },
});

const atPayeer = (now: Date, more: Partial<Option> = {}): Option => ({
  ...{ method: 'PAYEER_USD', network: 'Payeer', status: 'open', kind: 'redirect', amount: '87.10', currency: 'PAYEER_USD' },
  ...{ pays: '84.50', url: 'https://pay.example/merchant', url_method: 'POST', fields: { m_shop: '12345', m_sign: '9F86D081' } },
  ...{ expires_at: soon(now, 842) },
  ...more,
});

const payment = (now: Date, status: Payment['status'], more: Partial<Payment> = {}): Payment => ({
  ...{ id: idOf(901), currency: 'USDT_TRC20', network: 'TRON · TRC-20', paid: { amount: '84.64', currency: 'USDT_TRC20' } },
  ...{ status, credit: '84.50', late: false, txid: TXID, confirmations: 7, needed: 19, at: soon(now, -60) },
  ...more,
});

const part = { paid: { amount: '40.10', currency: 'USDT_TRC20' }, credit: '40.00' };

/** Payment that came after the price had ended: it isn't pending. */
const AFTER_LOCK = { late: true, credit: '0.00' };
const OF_PAYEER = { currency: 'PAYEER_USD', network: 'Payeer', confirmations: 0, needed: 0 };
const DUST = { amount: '0.01', currency: 'USDT_TRC20' };
const withOldPrice = (now: Date): Partial<Invoice> => ({ option: onTron(now, { status: 'over', expires_at: soon(now, -300) }) });

/** Scenes by name: what differs from an open invoice that nobody has paid. */
const SCENES = {
  open: () => ({}),
  three: () => ({ methods: METHODS.filter(({ method: code }) => ['USDT_TRC20', 'BTC', 'PAYEER_USD'].includes(code)) }),
  chosen: (now) => ({ option: onTron(now) }),
  bitcoin: (now) => ({ option: onBitcoin(now), has_email: true }),
  memo: (now) => ({ option: onTron(now, { memo: '4183920', expires_at: soon(now, 41) }) }),
  redirect: (now) => ({ option: atPayeer(now) }),
  link: (now) => ({ option: atPayeer(now, { url_method: 'GET', fields: {}, url: 'https://pay.example/merchant?id=77' }) }),
  preparing: (now) => ({ option: atPayeer(now, { status: 'preparing', url: undefined as never }) }),
  refused: (now) => ({ option: atPayeer(now, { status: 'refused', url: undefined as never }) }),
  over: (now) => ({ option: onTron(now, { status: 'over', expires_at: soon(now, -5) }) }),
  partly: (now) => ({ credited: '40.00', pending: '20.00', due: '24.50', payments: [payment(now, 'credited', part), sent(now)] }),
  confirming: (now) => ({ state: 'confirming', pending: '84.50', due: '0.00', methods: [], payments: [payment(now, 'seen')] }),
  settled: (now) => ({
    ...{ state: 'settled', credited: '84.50', due: '0.00', methods: [], has_email: true },
    payments: [payment(now, 'credited', { confirmations: 19 })],
  }),
  over_paid: (now) => ({
    ...{ state: 'settled', credited: '84.50', due: '0.00', methods: [] },
    payments: [
      payment(now, 'credited', { confirmations: 19, over: { amount: '15.36', currency: 'USDT_TRC20' } }),
      unallocated(now),
    ],
  }),
  short: (now) => ({
    ...ended(now),
    state: 'short',
    credited: '40.00',
    due: '44.50',
    payments: [payment(now, 'credited', part)],
  }),
  short_over: (now) => ({
    ...{ ...ended(now), state: 'short', credited: '40.00', due: '44.50', payments: [payment(now, 'credited', part)] },
    option: onTron(now, { status: 'over', expires_at: soon(now, -5) }),
  }),
  expired: (now) => ({ ...ended(now), state: 'expired', methods: [] }),
  given_back: (now) => ({
    ...{ ...ended(now), state: 'expired', methods: [] },
    payments: [
      payment(now, 'given_back', { credit: '0.00', confirmations: 19, given_back: { amount: '39.80', currency: 'USDT_TRC20' } }),
      payment(now, 'returning', { id: idOf(902), credit: '0.00', confirmations: 19 }),
    ],
  }),
  expired_late: (now) => ({
    ...{ ...ended(now), state: 'expired', methods: [], late: true },
    payments: [payment(now, 'unallocated', { late: true, credit: '0.00', confirmations: 19 })],
  }),
  cancelled: () => ({ state: 'cancelled', methods: [] }),
  invalid: (now) => ({ state: 'invalid', methods: [], payments: [payment(now, 'reversed', { credit: '0.00' })] }),
  dropped: (now) => ({ dropped: true, payments: [payment(now, 'dropped', { credit: '0.00', confirmations: 0 })] }),
  late: (now) => ({ ...withOldPrice(now), late: true, payments: [payment(now, 'seen', AFTER_LOCK)] }),
  late_waiting: (now) => ({
    ...{ ...withOldPrice(now), late: true },
    payments: [payment(now, 'waiting', { ...AFTER_LOCK, confirmations: 19 })],
  }),
  late_used: (now) => ({
    late: true,
    payments: [payment(now, 'seen', { ...AFTER_LOCK, ...OF_PAYEER, paid: { amount: '87.10', currency: 'PAYEER_USD' } })],
  }),
  late_chosen: (now) => ({ option: onTron(now), late: true, payments: [payment(now, 'seen', AFTER_LOCK)] }),
  dust: (now) => ({ payments: [payment(now, 'unallocated', { ...AFTER_LOCK, confirmations: 19, paid: DUST, over: DUST })] }),
  settled_late: (now) => ({
    ...{ state: 'settled', credited: '84.50', due: '0.00', methods: [] },
    payments: [payment(now, 'credited', { confirmations: 19 }), payment(now, 'seen', { ...AFTER_LOCK, id: idOf(902) })],
  }),
  time_over: (now) => ({
    ...{ ...ended(now), ...withOldPrice(now), pending: '40.00', due: '44.50', methods: [] },
    payments: [payment(now, 'seen', part)],
  }),
  held: (now) => ({ state: 'confirming', pending: '84.50', due: '0.00', methods: [], payments: [payment(now, 'held')] }),
  not_accepted: (now) => ({ payments: [payment(now, 'unallocated', { refused: true, credit: '0.00', confirmations: 19 })] }),
  marked: (now) => ({
    mark: 'settled',
    credited: '40.00',
    due: '44.50',
    methods: [],
    payments: [payment(now, 'credited', part)],
  }),
  marked_invalid: () => ({ mark: 'invalid', state: 'cancelled', methods: [] }),
  waiting: (now) => ({ ...withOldPrice(now), payments: [payment(now, 'waiting', { credit: '0.00' })] }),
  top_up: (now) => ({ ...topUp(now) }),
  top_up_chosen: (now) => ({
    ...topUp(now),
    option: onTron(now, { amount: undefined as never, pays: undefined as never }),
  }),
  stated: (now) => ({
    ...topUp(now),
    stated: '20.00',
    description: 'A gift for the theatre of the school',
    methods: [...METHODS],
  }),
  test: (now) => ({ test: true, option: onTron(now) }),
  closed: () => ({ methods: [] }),
  coloured: () => ({
    store: { name: 'Honey & Wax', colour: '#f2c230' },
    description: 'Two jars of lime honey.\nA gift for Ann.',
  }),
  purple: () => ({ store: { name: 'Лавка старых карт и атласов Кольского полуострова', colour: '#4b2d85' } }),
  lines: () => ({
    lines: Array.from({ length: 12 }, (_, at) => ({ name: `Postcard ${at + 1}`, quantity: '3', unit_price: '1.25' })),
  }),
  wallets: () => ({
    wallets: [
      { unit: 'USDT', amount: '84.50', available: '210.00' },
      { unit: 'BTC', amount: '0.00092471', available: '0.00010000', closed: 'too_small' as const },
    ],
  }),
  wallets_partly: (now) => ({
    ...{ pending: '20.00', due: '64.50', payments: [sent(now)] },
    wallets: [{ unit: 'USDT', amount: '64.50', available: '210.00' }],
  }),
  named: (now) => ({ option: onBitcoin(now), chosen_by_store: true }),
} satisfies Readonly<Record<string, (now: Date) => Partial<Invoice>>>;

export type SceneName = keyof typeof SCENES;
export const SCENE_NAMES = Object.keys(SCENES) as readonly SceneName[];

function sent(now: Date): Payment {
  const paid = { amount: '20.05', currency: 'USDT_TRC20' };
  return payment(now, 'seen', { id: idOf(902), paid, credit: '20.00', confirmations: 2 });
}

const unallocated = (now: Date): Payment =>
  payment(now, 'unallocated', {
    id: idOf(903),
    credit: '0.00',
    confirmations: 19,
    paid: { amount: '84.64', currency: 'USDT_TRC20' },
  });

const ended = (now: Date): Partial<Invoice> => ({ expires_at: soon(now, -600), created_at: soon(now, -25 * HOUR_SECONDS) });

const topUp = (now: Date): Partial<Invoice> => ({
  ...{ amount: undefined as never, due: undefined as never, lines: [], tax: undefined as never, order_id: undefined as never },
  description: `Balance of your account at the shop, ${now.getUTCFullYear()}`,
  methods: METHODS.map((one) => ({ ...one, amount: undefined as never })),
});

/** Returns the id of a scene's invoice. */
export const sceneId = (name: SceneName): string => idOf(1000 + SCENE_NAMES.indexOf(name));

/** Returns the invoice of a scene. */
export function invoiceIn(name: SceneName, now: Date): Invoice {
  const shown: Invoice = { ...usual(now), ...SCENES[name](now), id: sceneId(name) };
  return JSON.parse(JSON.stringify(shown)) as Invoice;
}

const unknown = (): never => {
  throw new CallError(404, { code: 'invoice_unknown', message: 'There is no such invoice.' });
};

/** Answers of the calls of buyers, about the invoices of the scenes. Each answers as if nothing had changed. */
export function payAnswers(clock: () => Date): { readonly [N in RouteName]?: (input: never) => unknown } {
  const invoice = ({ id }: { id: string }): Invoice => {
    const name = SCENE_NAMES.find((one) => sceneId(one) === id);
    return name === undefined ? unknown() : invoiceIn(name, clock());
  };
  const status = (input: { id: string }): Output<Routes['paymentInvoiceStatus']> => {
    const { state, version } = invoice(input);
    return { state, version };
  };
  const email = (input: { id: string; email: string }): Invoice => {
    if (input.email.includes('@')) return { ...invoice(input), has_email: true };
    const errors = { email: ['Enter an e-mail address like name@example.org'] };
    throw new CallError(422, { code: 'validation', message: 'One or more fields need fixing.', errors });
  };
  return {
    ...{ paymentInvoice: invoice, paymentInvoiceStatus: status, paymentMethod: invoice, paymentEmail: email },
    paymentTest: invoice,
  };
}
