// Courses of an invoice, step by step: sums, states, legs and events. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRate } from '@kurs/money';
import { accounts } from '../../ledger/index.ts';
import { flaws } from '../../platform/index.ts';
import { Course } from './course.testing.ts';
import type { InvoiceStep, StepContext } from './draft.ts';
import { holdOver, refuse, release } from './held.ts';
import { type Invoice, creditedOf, dueOf, pendingOf } from './invoice.ts';
import { mark } from './mark.ts';
import { INVOICE_MACHINE } from './invoice-machine.ts';
import { CUSTODY, NEW, OPTION, PRICE, at, context, paid, reported } from './steps.testing.ts';
import type { OptionPrice } from './option-price.ts';
import { arrive, cancel, choose, drop, miss, price, see, timeOver } from './steps.ts';

test('the machine’s table has no flaw', () => {
  assert.deepEqual(flaws(INVOICE_MACHINE), []);
});

test('seen in time, final, settled: reserved, converted and paid to the store less the fee', () => {
  const course = new Course().take(see(choose(NEW, OPTION).invoice, reported(paid('a', '0.0011224', 5)), context(5)));
  assert.equal(course.invoice.state, 'confirming');
  assert.equal(course.of(accounts.invoiceReserve('invoice', 'USDT')), 100_000_000n);
  assert.equal(dueOf(course.invoice), 0n);
  const final = reported(paid('a', '0.0011224', 5, { firstConfirmedAt: at(10), confirmations: 2 }));
  course.take(arrive(course.invoice, final, { from: CUSTODY }, context(20)));
  assert.equal(course.invoice.state, 'settled');
  assert.deepEqual(course.news, ['payment_seen', 'processing', 'payment_final', 'settled']);
  assert.equal(course.of(accounts.merchant('store', 'USDT')), 99_200_000n);
  assert.equal(course.of(accounts.income('gate', 'USDT')), 800_000n);
  assert.equal(arrive(course.invoice, final, { from: CUSTODY }, context(21)), undefined, 'once');
});

for (const [btc, credited, end] of [
  ['0.00000545', 0n, 'expired'],
  ['0.00000546', 48n, 'short'],
] as const)
  test(`a payment of ${btc} BTC is credited with ${credited} cents where 0.00000546 is the smallest, and the invoice ends ${end}`, () => {
    const course = new Course();
    course.take(see(course.invoice, reported(paid('a', btc, 5)), context(5)));
    assert.equal(pendingOf(course.invoice), credited);
    const final = reported(paid('a', btc, 5, { firstConfirmedAt: at(10), confirmations: 2 }));
    course.take(arrive(course.invoice, final, { from: CUSTODY }, context(20)));
    assert.deepEqual([course.invoice.state, creditedOf(course.invoice)], ['open', credited]);
    assert.equal(course.of(accounts.invoiceReserve('invoice', 'USDT')), 0n);
    course.take(timeOver(course.invoice, at(60)));
    assert.equal(course.invoice.state, end);
  });

test('a payment that vanishes gives its reserve back, and the sum is due again', () => {
  const course = new Course();
  course.take(see(course.invoice, reported(paid('a', '0.0011224', 5)), context(5)));
  course.take(drop(course.invoice, 'a'));
  assert.equal(course.invoice.state, 'open');
  assert.equal(dueOf(course.invoice), 10_000n);
  assert.equal(course.of(accounts.deskFree('USDT')), 0n);
  assert.equal(drop(course.invoice, 'a'), undefined);
});

test('without a confirmation in its window a payment is late; it is credited at the rate when it is final', () => {
  const course = new Course();
  course.take(see(course.invoice, reported(paid('a', '0.0011224', 5)), context(5)));
  assert.equal(miss(course.invoice, at(64)), undefined);
  course.take(miss(course.invoice, at(65)));
  assert.deepEqual([course.invoice.state, pendingOf(course.invoice)], ['open', 0n]);
  const half: OptionPrice = { ...PRICE, terms: { ...PRICE.terms, rate: parseRate('BTC', 'USDT', '45000') } };
  const final = reported(paid('a', '0.0011224', 5, { firstConfirmedAt: at(66), confirmations: 2 }));
  course.take(arrive(course.invoice, final, { from: CUSTODY }, context(70, { priceNow: () => half })));
  assert.equal(creditedOf(course.invoice), 5_000n);
});

test('without a price of the moment a late payment waits, and belongs to its payer once the invoice ends', () => {
  const course = new Course();
  const late = reported(paid('a', '0.0011224', 20, { firstConfirmedAt: at(21), confirmations: 2 }));
  const none = context(30, { priceNow: () => undefined });
  course.take(arrive(course.invoice, late, { from: CUSTODY }, none));
  assert.equal(course.invoice.payments[0]?.stage, 'waiting');
  assert.equal(price(course.invoice, none), undefined);
  course.take(timeOver(course.invoice, at(61)));
  assert.equal(course.invoice.state, 'expired');
  course.take(price(course.invoice, context(62)));
  assert.equal(course.invoice.payments[0]?.stage, 'unallocated');
});

test('an invoice ends only after its time, and is cancelled only while nothing is credited, seen or held', () => {
  const chosen = choose(NEW, OPTION).invoice;
  assert.equal(timeOver(chosen, at(59)), undefined);
  assert.equal(timeOver(chosen, at(60))?.invoice.state, 'expired');
  assert.equal(cancel(chosen)?.invoice.state, 'cancelled');
  const seen = see(chosen, reported(paid('a', '0.0005', 5)), context(5));
  assert.ok(seen);
  assert.equal(cancel(seen.invoice), undefined);
  assert.equal(timeOver(seen.invoice, at(60)), undefined, 'a payment is pending');
  const dust = reported(paid('b', '0.00000100', 5, { firstConfirmedAt: at(6), confirmations: 2 }));
  const dusty = arrive(chosen, dust, { from: CUSTODY }, context(7));
  assert.equal(dusty?.invoice.payments[0]?.stage, 'unallocated');
  assert.equal(cancel(dusty.invoice)?.invoice.state, 'cancelled', 'dust is its payer’s, and keeps no invoice open');
});

test('a payment in time that is late after its invoice was settled is told as over alone, once it is final', () => {
  const course = new Course();
  const second = reported(paid('b', '0.0011224', 6));
  course.take(see(course.invoice, second, context(6)));
  const first = reported(paid('a', '0.0011224', 5, { firstConfirmedAt: at(10), confirmations: 2 }));
  course.take(arrive(course.invoice, first, { from: CUSTODY }, context(20)));
  assert.equal(course.invoice.state, 'settled');
  const slow = see(course.invoice, reported({ ...second.payment, isFeeOk: false }), context(21));
  assert.deepEqual([slow?.news, slow?.invoice.payments.find(({ id }) => id === 'b')?.isLate], [[], true]);
  const late = reported({ ...second.payment, isFeeOk: false, firstConfirmedAt: at(90), confirmations: 2 });
  const last = arrive(slow?.invoice ?? course.invoice, late, { from: CUSTODY }, context(91));
  assert.deepEqual(
    last?.news.map(({ kind }) => kind),
    ['payment_final', 'over'],
  );
});

test('partly paid at the end, an invoice is short', () => {
  const course = new Course();
  const final = reported(paid('a', '0.0005', 5, { firstConfirmedAt: at(10), confirmations: 2 }));
  course.take(arrive(course.invoice, final, { from: CUSTODY }, context(20)));
  course.take(timeOver(course.invoice, at(60)));
  assert.equal(course.invoice.state, 'short');
  const balances = { custody: 50_000n, free: 10n ** 9n, merchant: 0n };
  course.takeBack('a', context(70, { balances }));
  assert.equal(course.invoice.state, 'expired', 'nothing of it is left');
  for (const [name, parts] of course.accounts) assert.equal(parts, 0n, name);
});

test('a settled payment is taken back: store, then debt, fee and spread are turned round', () => {
  for (const [merchant, owed] of [
    [10n ** 9n, 0n],
    [40_000_000n, 59_200_000n],
  ] as const) {
    const course = new Course();
    const final = reported(paid('a', '0.0011224', 5, { firstConfirmedAt: at(10), confirmations: 2 }));
    course.take(arrive(course.invoice, final, { from: CUSTODY }, context(20)));
    const balances = { custody: 10n ** 9n, free: 10n ** 9n, merchant };
    course.takeBack('a', context(70, { balances }));
    assert.equal(course.invoice.state, 'invalid');
    assert.equal(course.of(accounts.receivable('business_business', 'USDT')), -owed);
    assert.equal(course.of(accounts.income('gate', 'USDT')), 0n);
    assert.equal(course.of(accounts.income('spread', 'BTC')), 0n);
  }
});

test('of a payment beyond 102 % of its option, the rest has the rate of the moment', () => {
  const double: OptionPrice = { ...PRICE, terms: { ...PRICE.terms, rate: parseRate('BTC', 'USDT', '180000') } };
  const small = { ...OPTION, parts: 56_120n, pays: 5_000n };
  const course = new Course(choose(NEW, small).invoice);
  const final = reported(paid('a', '0.00080000', 5, { firstConfirmedAt: at(10), confirmations: 2 }));
  course.take(arrive(course.invoice, final, { from: CUSTODY }, context(20, { priceNow: () => double })));
  // 0.00057242 at 90 000 and 0.00022758 at 180 000, each less 1 %.
  assert.equal(creditedOf(course.invoice), 5_100n + 4_055n);
});

const REPORTS = ['reverse', 'part', 'back', 'part_back'] as const;
const DECISIONS = ['release', 'refuse', 'hold_over', 'mark_settled', 'mark_invalid'] as const;
const EVENTS = ['see', 'drop', 'final', 'soft', 'hard', 'miss', 'over', 'choose', ...DECISIONS, ...REPORTS] as const;
type Report = (typeof REPORTS)[number];
const isReport = (event: (typeof EVENTS)[number]): event is Report => (REPORTS as readonly string[]).includes(event);

test('any course of up to three payments keeps its sums and accounts equal, and no more goes out than came in', () => {
  const drawn = fc.array(
    fc.record({
      event: fc.constantFrom(...EVENTS),
      id: fc.constantFrom('a', 'b', 'c'),
      parts: fc.constantFrom('0.0001', '0.0005', '0.0011224', '0.002'),
      minute: fc.integer({ min: 0, max: 90 }),
      reservable: fc.constantFrom(0n, 50_000_000n, 10n ** 12n),
      hasPrice: fc.boolean(),
      piece: fc.bigInt({ min: 1n, max: 120_000n }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(drawn, (events) => {
      const course = new Course();
      const parts = new Map<string, string>();
      let minute = 0;
      for (const one of events) {
        minute = Math.max(minute, one.minute);
        const btc = parts.get(one.id) ?? one.parts;
        parts.set(one.id, btc);
        const given = context(minute, {
          reservable: one.reservable,
          priceNow: () => (one.hasPrice ? PRICE : undefined),
          balances: { custody: 10n ** 9n, free: 10n ** 12n, merchant: max0(course.of(accounts.merchant('store', 'USDT'))) },
        });
        if (isReport(one.event)) {
          const piece = one.event === 'part' || one.event === 'part_back' ? one.piece : undefined;
          if (one.event === 'reverse' || one.event === 'part') course.takeBack(one.id, given, piece);
          else course.comeAgain(one.id, given, piece);
        } else {
          const step = next(course.invoice, one.event, one.id, btc, minute, given);
          if (step) course.take(step);
        }
        const { state, payments } = course.invoice;
        if (state !== 'open' && state !== 'confirming' && state !== 'short')
          assert.ok(
            payments.every(({ reserve, pending }) => reserve === 0n && pending === 0n),
            'an end gives all reserves back',
          );
      }
      const custody = -course.of(CUSTODY);
      assert.ok(custody >= 0n, 'never out more than in');
    }),
    { numRuns: 1_500 },
  );
});

const max0 = (parts: bigint): bigint => (parts > 0n ? parts : 0n);

function next(
  invoice: Invoice,
  event: Exclude<(typeof EVENTS)[number], Report>,
  id: string,
  btc: string,
  minute: number,
  given: StepContext,
): InvoiceStep | undefined {
  const confirmed = { firstConfirmedAt: at(minute), confirmations: 2 };
  const known = invoice.payments.find((payment) => payment.id === id);
  const seenAt = known?.seenAt ?? at(minute);
  switch (event) {
    case 'see':
      return known?.status === 'final' ? undefined : see(invoice, reported({ ...paid(id, btc, 0), seenAt }), given);
    case 'drop':
      return drop(invoice, id);
    case 'final':
    case 'soft':
    case 'hard': {
      const payment = { ...paid(id, btc, 0, confirmed), seenAt };
      return arrive(invoice, reported(payment), { ...(event !== 'final' && { flag: event }), from: CUSTODY }, given);
    }
    case 'release':
      return release(invoice, id, { keepRate: 30 * 60_000, context: given });
    case 'refuse':
      return refuse(invoice, id);
    case 'mark_settled':
      return mark(invoice, 'settled');
    case 'mark_invalid':
      return mark(invoice, 'invalid');
    case 'hold_over':
      return holdOver(invoice, at(minute + 72 * 60));
    case 'miss':
      return miss(invoice, at(minute));
    case 'over':
      return timeOver(invoice, at(minute));
    case 'choose': {
      const isTaken = invoice.state === 'open' || invoice.state === 'short';
      const option = { ...OPTION, id: `option ${invoice.options.length}`, openedAt: at(minute), lockUntil: at(minute + 15) };
      return isTaken ? choose(invoice, option) : undefined;
    }
  }
}
