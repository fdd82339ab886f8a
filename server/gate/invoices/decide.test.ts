// Decisions about a short invoice, step by step: what each moves, and what a reversal of a given-back payment turns round.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, parseRate } from '@kurs/money';
import { type AccountRef, type Leg, accounts, leg } from '../../ledger/index.ts';
import { accept, acceptLate, decideByPreset, giveBack, lateOf, returnCoins } from './decide.ts';
import type { InvoiceStep, StepContext } from './draft.ts';
import { againOf, givenAgain, takenOf } from '../reversals/given-back.ts';
import { type Invoice, givenTo, handedOver, inOf, neededOf, ownOf, payersPart, setOf } from './invoice.ts';
import { judgeStep } from '../judge/judge-step.ts';
import { nextStepAt } from './timers.ts';
import { arrive, choose, timeOver } from './steps.ts';
import { CUSTODY, NEW, OPTION, PRICE, at, context, paid, reported } from './steps.testing.ts';
import { comeBack, reverse } from '../reversals/taken-back.ts';

const SET = accounts.invoiceSet('invoice', 'USDT');
const IN = accounts.invoiceIn('invoice', 'BTC');
const [FREE, FREE_BTC] = [accounts.deskFree('USDT'), accounts.deskFree('BTC')];
const PAYERS = accounts.unallocated('order', 'BTC');

const final = (btc: string, minute: number) => reported(paid('a', btc, minute, { status: 'final' }));
const CLEAN = { isFlagged: false, from: CUSTODY } as const;
const took = (step: InvoiceStep | undefined): InvoiceStep => step ?? assert.fail('the machine takes the event');

/** Returns an invoice of 100 USD that got 0.0006 bitcoin in time, and whose time is over. */
function short(): Invoice {
  const credited = took(arrive(choose(NEW, OPTION).invoice, final('0.0006', 5), CLEAN, context(6))).invoice;
  return { ...took(timeOver(credited, at(61))).invoice, decideAt: at(1_000) };
}
const rich = (minute: number, more: Partial<StepContext> = {}): StepContext =>
  context(minute, { coins: new Map([['BTC', 10n ** 8n]]), ...more });

/** Adds up what legs move into an account. */
const into = (account: AccountRef, legs: readonly Leg[]): bigint =>
  legs.reduce(
    (sum, { from, to, parts }) => sum + (to.name === account.name ? parts : 0n) - (from.name === account.name ? parts : 0n),
    0n,
  );

test('an acceptance settles what is credited, and lowers what is needed', () => {
  const invoice = short();
  const set = setOf(invoice.payments[0] ?? assert.fail());
  const step = took(accept(invoice));
  assert.deepEqual([step.invoice.state, neededOf(step.invoice)], ['settled', 5_346n]);
  assert.equal(into(SET, step.legs), -set);
  assert.equal(accept(step.invoice), undefined);
});

test('giving back takes all of the store’s part, and none of the spread', () => {
  const invoice = short();
  const set = setOf(invoice.payments[0] ?? assert.fail());
  const step = took(giveBack(invoice, rich(62)));
  const [payment] = step.invoice.payments;
  assert.deepEqual([step.invoice.state, payment?.stage, payment?.credit], ['expired', 'given_back', 0n]);
  assert.deepEqual(step.legs, [leg(SET, FREE, set)]);
  assert.equal(payment?.givenBack?.parts, (set * 100n) / 90_000n);
  assert.equal(giveBack(step.invoice, rich(63)), undefined);
});

test('each decision about a test invoice comes out in its accounts, in kind as well', () => {
  const kinds = [context(6), context(6, { reservable: 0n })].map((given) => {
    const { invoice } = took(arrive(choose(NEW, OPTION).invoice, final('0.0006', 5), CLEAN, given));
    return took(timeOver(invoice, at(61))).invoice;
  });
  for (const before of kinds.map((one) => ({ ...one, terms: { ...one.terms, isTest: true } })))
    for (const step of [took(accept(before)), took(giveBack(before, rich(62)))]) judgeStep(before, step, 'journal');
});

test('without a price or the coin the payment waits, and is given back later', () => {
  for (const lacking of [rich(62, { priceNow: () => undefined }), rich(62, { coins: new Map([['BTC', 59_399n]]) })]) {
    const { invoice, legs } = took(giveBack(short(), lacking));
    assert.deepEqual([invoice.state, invoice.payments[0]?.stage, legs], ['expired', 'returning', []]);
    assert.ok(setOf(invoice.payments[0] ?? assert.fail()) > 0n);
    assert.equal(returnCoins(invoice, lacking), undefined);
    assert.ok(nextStepAt(invoice, at(62)));
    const later = took(returnCoins(invoice, rich(70)));
    assert.equal(later.invoice.payments[0]?.stage, 'given_back');
    assert.equal(nextStepAt(later.invoice, at(70)), undefined);
  }
});

test('the preset decides at its time, and not while a payment is pending', () => {
  const invoice = short();
  assert.equal(nextStepAt(invoice, at(62))?.getTime(), at(1_000).getTime());
  assert.equal(decideByPreset(invoice, rich(999)), undefined);
  assert.equal(took(decideByPreset(invoice, rich(1_000))).invoice.state, 'expired');
  const accepting = { ...invoice, terms: { ...invoice.terms, shortPreset: 'accept' as const } };
  assert.equal(took(decideByPreset(accepting, rich(1_000))).invoice.state, 'settled');
  const [payment] = invoice.payments;
  const pending = { ...invoice, payments: [...invoice.payments, { ...(payment ?? assert.fail()), id: 'b', pending: 1n }] };
  assert.equal(decideByPreset(pending, rich(1_000)), undefined);
  assert.equal(nextStepAt(pending, at(1_000)), undefined);
});

test('late payments are accepted at the rate of now, however they were priced before', () => {
  const ended = { ...choose(NEW, OPTION).invoice, state: 'expired' as const };
  const unallocated = took(arrive(ended, final('0.0011224', 5), CLEAN, context(62))).invoice;
  const late = handedOver(unallocated, { id: 'a' }, 'order', at(62));
  assert.deepEqual(
    lateOf(late).map(({ id, orderId, parts }) => [id, orderId, parts]),
    [['a', 'order', 112_240n]],
  );
  const cheap = {
    ...PRICE,
    mid: parseRate('BTC', 'USD', '45000'),
    terms: { ...PRICE.terms, rate: parseRate('BTC', 'USDT', '45000') },
  };
  const step = took(acceptLate(late, lateOf(late), context(63, { priceNow: () => cheap })));
  assert.deepEqual([step.invoice.state, step.invoice.accepted], ['settled', 5_000n]);
  assert.deepEqual(step.invoice.payments[0]?.handedOver, []);
  assert.equal(into(IN, step.legs), -112_240n);
  assert.equal(step.news.filter(({ kind }) => kind === 'payment_final').length, 0);
});

test('parts of a given-back payment that are taken back and come again leave nothing behind, at any price', () => {
  const whole = parse('BTC', '0.0006').parts;
  const course = fc.array(fc.tuple(fc.boolean(), fc.bigInt(1n, whole)), { maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 20_000, max: 300_000 }), course, (usd, events) => {
      const mid = parseRate('BTC', 'USDT', String(usd));
      const given = took(giveBack(short(), rich(62, { priceNow: () => ({ ...PRICE, terms: { ...PRICE.terms, mid } }) })));
      let invoice = givenTo(given.invoice, { id: 'a' }, 'order');
      const legs: Leg[] = [];
      const worth = invoice.payments[0]?.givenBack?.parts ?? assert.fail();
      let away = 0n;
      for (const [isAway, parts] of [...events, [true, whole] as const, [false, whole] as const]) {
        const payment = invoice.payments[0] ?? assert.fail();
        const part = isAway ? min(parts, whole - away) : min(parts, away);
        if (part === 0n) continue;
        if (isAway) {
          const gone = takenOf(payment, part);
          const balances = { custody: 10n ** 12n, free: 10n ** 12n, merchant: 0n };
          const takenBack = { paymentId: 'a', rail: 'bitcoin', handedOver: [], given: gone, parts: part };
          const step = took(reverse(invoice, takenBack, { ...rich(99), balances }));
          legs.push(...(gone > 0n ? [leg(PAYERS, IN, gone)] : []), ...step.legs);
          invoice = step.invoice;
        } else {
          const again = againOf(payment.givenBack ?? assert.fail(), part);
          const step = took(givenAgain(invoice, { payment, from: CUSTODY, handedOver: [], parts: part }));
          legs.push(...step.legs, ...(again > 0n ? [leg(IN, PAYERS, again)] : []));
          invoice = step.invoice;
        }
        away += isAway ? part : -part;
        assert.equal(into(IN, legs), 0n);
        // Custody grows by what leaves accounts.
        assert.equal(into(CUSTODY, legs), away);
        assert.equal(invoice.payments[0]?.givenBack?.taken, -into(PAYERS, legs));
        assert.ok(-into(PAYERS, legs) * whole >= worth * away, 'the payer gives up at least the share');
      }
      assert.deepEqual([into(PAYERS, legs), into(FREE_BTC, legs), into(accounts.income('spread', 'BTC'), legs)], [0n, 0n, 0n]);
      assert.deepEqual(invoice.payments[0]?.booked, given.invoice.payments[0]?.booked);
    }),
    { numRuns: 1_000 },
  );
});

test('a part that was away when its payment was given back is its payer’s when it comes again', () => {
  const whole = parse('BTC', '0.0006').parts;
  const balances = { custody: 10n ** 12n, free: 10n ** 12n, merchant: 0n };
  const away = (invoice: Invoice, parts: bigint, given: bigint): Invoice =>
    took(reverse(invoice, { paymentId: 'a', rail: 'bitcoin', handedOver: [], given, parts }, { ...rich(99), balances })).invoice;
  const back = (invoice: Invoice): Invoice => givenTo(took(giveBack(invoice, rich(62))).invoice, { id: 'a' }, 'order');
  const partly = back(away(short(), 10_000n, 0n));
  const later = away(partly, 20_000n, takenOf(partly.payments[0] ?? assert.fail(), 20_000n));
  const waiting = took(giveBack(away(short(), 10_000n, 0n), { ...rich(62), priceNow: () => undefined })).invoice;
  for (const [invoice, stage, parts] of [
    [partly, 'given_back', 10_000n],
    [waiting, 'returning', 10_000n],
    // Both parts come again at once: the one that the payer had, and the one that was away before.
    [later, 'given_back', 30_000n],
  ] as const) {
    const payment = invoice.payments[0] ?? assert.fail();
    const came = { paymentId: 'a', from: CUSTODY, handedOver: [], parts };
    const step = took(payment.givenBack?.away ? givenAgain(invoice, { ...came, payment }) : comeBack(invoice, came));
    const after = step.invoice.payments[0] ?? assert.fail();
    assert.deepEqual([after.stage, payersPart(after), inOf(after)], [stage, 10_000n, 10_000n]);
    const done = handedOver(step.invoice, after, 'another', at(99)).payments[0] ?? assert.fail();
    assert.deepEqual([ownOf(done), done.booked?.parts, payersPart(done)], [whole - 10_000n, whole - 10_000n, 0n]);
  }
});

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
