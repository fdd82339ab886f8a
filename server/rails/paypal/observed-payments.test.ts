import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import * as shapes from './shapes.ts';
import { isOurs, observedPaymentOf } from './observed-payments.ts';

const PLACE = { currency: 'PAYPAL_USD', to: '0123456789ABCDEF', sinceHeight: 0 };
const US = 'J7G5MK2PB4XQA';
const usd = (value: string) => ({ currency_code: 'USD', value });

/** Returns an order in PayPal's form (Orders v2), with refunds. `unit` changes its purchase unit. */
function orderOf(refunds: readonly object[] = [], unit: object = {}): shapes.PayPalOrder {
  const bought = {
    custom_id: PLACE.to,
    amount: usd('100.00'),
    payee: { merchant_id: US },
    payments: { captures: [{ id: 'C1' }], refunds },
  };
  return shapes.order.parse({
    ...{ id: 'ORDER', status: 'COMPLETED', purchase_units: [{ ...bought, ...unit }] },
    payer: { payer_id: 'QYR5Z8XDVJNXQ', email_address: 'Payer@Example.com' },
  });
}

function captureOf(change: object = {}): shapes.PayPalCapture {
  return shapes.capture.parse({
    ...{ id: 'C1', status: 'COMPLETED', amount: usd('100.00'), custom_id: PLACE.to },
    seller_receivable_breakdown: { gross_amount: usd('100.00'), paypal_fee: usd('3.98'), net_amount: usd('96.02') },
    ...{ create_time: '2026-11-20T10:00:00Z', update_time: '2026-11-22T10:00:00Z' },
    ...change,
  });
}

const refund = (value: string, mark?: string, change: object = {}): object => ({
  ...{ id: `R${value}`, status: 'COMPLETED', amount: usd(value), ...(mark !== undefined && { custom_id: mark }) },
  links: [{ href: 'https://api.paypal.com/v2/payments/captures/C1', rel: 'up' }],
  ...change,
});

test('books a completed capture at the time of its completion, with its fee and its payer', () => {
  assert.deepEqual(observedPaymentOf(PLACE, orderOf(), captureOf()), {
    ...{ key: 'paypal:C1', currency: 'PAYPAL_USD', to: PLACE.to, parts: 10_000n, txid: 'C1', fee: 398n },
    from: ['QYR5Z8XDVJNXQ', 'payer@example.com'],
    source: { fields: { capture: 'C1' }, key: 'capture:C1' },
    status: { at: 'block', height: 0, hash: '', minedAt: new Date('2026-11-22T10:00:00Z'), confirmations: 1, isFinalised: true },
  });
});

test('decides a payment’s status by its capture and by our refunds', () => {
  const ours = 'refund-0192f0c1-0000-7000-8000-000000000001';
  const elsewhere = { links: [{ href: 'https://api.paypal.com/v2/payments/captures/C2', rel: 'up' }] };
  const cases: [string, object, readonly object[], string | undefined][] = [
    ['completed', {}, [], 'block'],
    ['pending', { status: 'PENDING', seller_receivable_breakdown: undefined }, [], 'mempool'],
    ['declined', { status: 'DECLINED' }, [], undefined],
    ['failed', { status: 'FAILED' }, [], undefined],
    ['changed into another currency', { seller_receivable_breakdown: { exchange_rate: { value: '0.9' } } }, [], 'mempool'],
    ['refunded in part by us', { status: 'PARTIALLY_REFUNDED' }, [refund('40.00', ours)], 'block'],
    ['refunded whole by us', { status: 'REFUNDED' }, [refund('40.00', ours), refund('60.00', ours)], 'block'],
    ['our refund is pending', { status: 'COMPLETED' }, [refund('40.00', ours, { status: 'PENDING' })], 'block'],
    ['reversed', { status: 'REFUNDED' }, [], 'taken_back'],
    ['reversed after a refund of ours', { status: 'REFUNDED' }, [refund('40.00', ours)], 'taken_back'],
    ['reversed in part', { status: 'PARTIALLY_REFUNDED' }, [], 'taken_back'],
    ['refunded by hand', { status: 'REFUNDED' }, [refund('100.00')], 'taken_back'],
    ['refunded by hand with the payment’s reference', { status: 'REFUNDED' }, [refund('100.00', PLACE.to)], 'taken_back'],
    ['refunded by hand in part', { status: 'PARTIALLY_REFUNDED' }, [refund('40.00', ours), refund('0.01')], 'taken_back'],
    ['a refund by hand that failed', {}, [refund('100.00', undefined, { status: 'FAILED' })], 'block'],
    ['a refund of another capture', {}, [refund('100.00', undefined, elsewhere)], 'block'],
  ];
  for (const [what, change, refunds, at] of cases) {
    assert.equal(observedPaymentOf(PLACE, orderOf(refunds), captureOf(change))?.status.at, at, what);
  }
});

test('shows no payment for another currency or reference, or for a zero amount', () => {
  assert.equal(observedPaymentOf(PLACE, orderOf(), captureOf({ amount: { currency_code: 'EUR', value: '100.00' } })), undefined);
  assert.equal(observedPaymentOf(PLACE, orderOf(), captureOf({ custom_id: 'FEDCBA9876543210' })), undefined);
  assert.equal(observedPaymentOf(PLACE, orderOf(), captureOf({ custom_id: undefined })), undefined);
  assert.equal(observedPaymentOf(PLACE, orderOf(), captureOf({ amount: usd('0.00') })), undefined);
});

test('reports the amount taken back, if PayPal does', () => {
  const ours = 'refund-0192f0c1-0000-7000-8000-000000000001';
  const cases: [string, object, readonly object[], bigint | undefined][] = [
    ['reversed', { status: 'REFUNDED' }, [], undefined],
    ['reversed after a refund of ours', { status: 'REFUNDED' }, [refund('40.00', ours)], 6_000n],
    ['reversed after refunds of ours and by hand', { status: 'REFUNDED' }, [refund('40.00', ours), refund('10.00')], 6_000n],
    ['reversed in part, without an amount', { status: 'PARTIALLY_REFUNDED' }, [], undefined],
    ['refunded by hand', { status: 'REFUNDED' }, [refund('100.00')], undefined],
    ['refunded by hand in part', { status: 'PARTIALLY_REFUNDED' }, [refund('25.50')], 2_550n],
    ['refunded by hand, twice', { status: 'PARTIALLY_REFUNDED' }, [refund('25.50'), refund('1.00')], 2_650n],
    ['refunded in part by us and by hand', { status: 'PARTIALLY_REFUNDED' }, [refund('40.00', ours), refund('0.01')], 1n],
    ['a refund by hand is pending', {}, [refund('5.00', undefined, { status: 'PENDING' })], 500n],
  ];
  for (const [what, change, refunds, parts] of cases) {
    const wanted = { at: 'taken_back', reason: 'chargeback', ...(parts !== undefined && { parts }) };
    assert.deepEqual(observedPaymentOf(PLACE, orderOf(refunds), captureOf(change))?.status, wanted, what);
  }
});

test('refuses an answer that lacks data about money', () => {
  assert.throws(() => observedPaymentOf(PLACE, orderOf(), captureOf({ seller_receivable_breakdown: undefined })), Unreachable);
  assert.throws(
    () => observedPaymentOf(PLACE, orderOf(), captureOf({ create_time: undefined, update_time: undefined })),
    Unreachable,
  );
  assert.throws(() => observedPaymentOf(PLACE, orderOf(), captureOf({ amount: usd('-5.00') })), Unreachable);
  assert.equal(shapes.capture.safeParse({ ...captureOf(), status: 'REVERSED' }).success, false);
  assert.equal(shapes.order.safeParse({ ...orderOf(), purchase_units: [] }).success, false);
});

test('recognizes our order by reference, currency and payee together', () => {
  assert.equal(isOurs(PLACE, orderOf(), US), true);
  for (const unit of [
    { custom_id: 'FEDCBA9876543210' },
    { custom_id: undefined },
    { amount: { currency_code: 'EUR', value: '100.00' } },
    { payee: { merchant_id: '2222222222222' } },
    { payee: {} },
  ]) {
    assert.equal(isOurs(PLACE, orderOf([], unit), US), false, JSON.stringify(unit));
  }
});
