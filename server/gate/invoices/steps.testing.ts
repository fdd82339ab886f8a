// An invoice of 100 USD with a bitcoin option and its payments, for tests of steps without a database.

import { fraction, parse, parseRate, percent, rate, zero } from '@kurs/money';
import type { Payment } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import type { StepContext } from './draft.ts';
import type { Invoice, PaymentOption } from './invoice.ts';
import type { OptionPrice } from './option-price.ts';

const BEGIN = Date.parse('2026-11-29T10:00:00Z');
export const at = (minutes: number): Date => new Date(BEGIN + minutes * 60_000);

/** A bitcoin costs 90 000 USDT, a USDT one USD; the spread is 1 %, nothing else is taken. */
export const PRICE: OptionPrice = {
  terms: {
    ...{ giveUnit: 'BTC', getUnit: 'USDT', giveDigits: 8, getDigits: 2, discounts: [], costs: [], minFee: zero('BTC') },
    ...{ rate: parseRate('BTC', 'USDT', '90000'), mid: parseRate('BTC', 'USDT', '90000') },
    spread: [{ from: zero('BTC'), percent: percent('1') }],
    minMargin: { percent: percent('0'), min: zero('BTC'), afterRewards: fraction(1n, 1n) },
  },
  worth: rate('USDT', 'USD', fraction(1n, 1n)),
  mid: parseRate('BTC', 'USD', '90000'),
  ...{ currency: 'USD', digits: 2, isBorneByStore: false },
};

export const OPTION: PaymentOption = {
  ...{ id: 'option', addressId: 'place', currency: 'BTC', unit: 'BTC', parts: 112_240n, pays: 10_000n, price: PRICE },
  ...{ openedAt: at(0), lockUntil: at(15), minFee: { settlement: 10_000n, own: 12n }, least: 546n, smallestRefund: 3_000n },
  ...{ to: 'bc1', memo: undefined, way: undefined },
};

export const NEW: Invoice = {
  ...{ id: 'invoice', state: 'open', version: 1, expiresAt: at(60), options: [], payments: [], firstCredit: undefined },
  store: { id: 'store', businessId: 'business', holderId: 'holder' },
  terms: {
    ...{ currency: 'USD', digits: 2, amount: 10_000n, tolerance: 50, isBorneByStore: false, methods: ['BTC'] },
    ...{ settlement: { currency: 'USDT_ERC20', unit: 'USDT' }, fee: percent('0.8'), shortPreset: 'give_back', isTest: false },
    ...{ confirmWithin: 3_600_000, outageWithin: 3_600_000, lockedPercent: 102n, holdWithin: 72 * 3_600_000 },
  },
};

export const paid = (id: string, btc: string, minute: number, more: Partial<Payment> = {}): Payment => ({
  ...{ id, parts: parse('BTC', btc).parts, status: 'seen', place: 'hot', txid: id, seenAt: at(minute), isFeeOk: true },
  ...{ confirmations: 0, needed: 2, ...more },
});
export const reported = (payment: Payment) => ({ payment, addressId: 'place', currency: 'BTC', unit: 'BTC' });
export const CUSTODY = accounts.custody('BTC', 'hot', 'BTC');
export const context = (minute: number, more: Partial<StepContext> = {}): StepContext => ({
  ...{ now: at(minute), reservable: 10n ** 12n, priceNow: () => PRICE },
  ...more,
});
