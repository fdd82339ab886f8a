// Deliberately broken tables, steps and sums of invoices: the exploration of a small world must find each fault.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvoiceStep, StepContext } from '../invoices/draft.ts';
import { type Invoice, type InvoicePayment, creditedOf, pendingOf } from '../invoices/invoice.ts';
import { optionOf } from '../invoices/options.ts';
import { INVOICE_MACHINE } from '../invoices/invoice-machine.ts';
import { holdOver, refuse, release } from '../invoices/held.ts';
import { mark } from '../invoices/mark.ts';
import { arrive, cancel, drop, miss, price, see, timeOver } from '../invoices/steps.ts';
import { reverse } from '../reversals/taken-back.ts';
import { type Bounds, type Broken, explore } from './exploration.testing.ts';
import { type Coin, FALLEN, minute, priceOf } from './invoice-terms.testing.ts';
import { DOUBLE, HALF, PLAIN, WHOLE } from './invoice-worlds.testing.ts';

const WORLD: Bounds = { starts: [PLAIN], sizes: [{ coin: 'BTC', usd: HALF }], pays: 2, drops: 1, reversals: 1, flags: 1 };
const BIG: Bounds = { ...WORLD, sizes: [{ coin: 'BTC', usd: DOUBLE }], pays: 1 };
const EXACT: Bounds = { ...WORLD, sizes: [{ coin: 'BTC', usd: WHOLE }], pays: 1 };
const HELD: Bounds = { ...EXACT, drops: 0, reversals: 0, desk: 2 };
const LITECOIN: Bounds = { starts: [{ ...PLAIN, hasLitecoin: true }], sizes: [{ coin: 'LTC', usd: WHOLE }], pays: 1 };
const TOP_UP: Bounds = { ...WORLD, starts: [{ ...PLAIN, amount: undefined }] };

/** Data of a desk with enough of everything, at the first moment. */
const RICH: StepContext = {
  now: minute(0),
  reservable: 10n ** 12n,
  priceNow: (coin) => priceOf(coin as Coin, false, FALLEN),
};

/** Changes the payments of an invoice. */
const withPayments = (invoice: Invoice, change: (payment: InvoicePayment) => InvoicePayment): Invoice => ({
  ...invoice,
  payments: invoice.payments.map(change),
});

/** Changes the terms of an invoice for one step. */
function under(invoice: Invoice, terms: Partial<Invoice['terms']>, step: (changed: Invoice) => InvoiceStep | undefined) {
  const taken = step({ ...invoice, terms: { ...invoice.terms, ...terms } });
  return taken && { ...taken, invoice: { ...taken.invoice, terms: invoice.terms } };
}

const BROKEN: Readonly<Record<string, { readonly broken: Broken; readonly world?: Bounds; readonly fault: RegExp }>> = {
  'a dropped payment keeps its reserve': {
    broken: {
      steps: {
        drop: (invoice, id) => {
          const reserves = new Map(invoice.payments.map((one) => [one.id, one.reserve]));
          const step = drop(invoice, id);
          const kept = (one: InvoicePayment) => ({ ...one, reserve: reserves.get(one.id) ?? 0n });
          return step && { ...step, legs: [], invoice: withPayments(step.invoice, kept) };
        },
      },
    },
    fault: /^reserve holds \d+ and should hold 0/,
  },
  'a payment is counted each time that it is reported': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) => {
          const others = invoice.payments.filter(({ id }) => id !== reported.payment.id);
          return arrive({ ...invoice, payments: others }, reported, arrival, context);
        },
      },
    },
    fault: /^(the final payment p0 is counted a second time|reserve holds)/,
  },
  'a credit counts twice in the due figure': {
    broken: {
      sums: {
        dueOf: (invoice) => {
          const due = (invoice.terms.amount ?? 0n) - 2n * creditedOf(invoice) - pendingOf(invoice);
          return due > 0n ? due : 0n;
        },
      },
    },
    fault: /^due is 0 and should be 5000/,
  },
  'an invoice ends while a payment is pending': {
    broken: {
      steps: {
        timeOver: (invoice, now) =>
          timeOver(
            withPayments(invoice, (one) => ({ ...one, pending: 0n })),
            now,
          ),
      },
    },
    fault: /^time_over in open may not post reserve_back/,
  },
  'an invoice is cancelled whose payment was seen': {
    broken: { steps: { cancel: (invoice) => cancel({ ...invoice, payments: [] }) } },
    fault: /^it is cancelled and should be open/,
  },
  'less than what is needed settles an invoice': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) =>
          under(invoice, { tolerance: 5_000 }, (changed) => arrive(changed, reported, arrival, context)),
      },
    },
    fault: /^it is settled and should be open/,
  },
  'a rate is locked for a top-up': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) =>
          arrive(invoice, reported, arrival, {
            ...context,
            priceNow: () => optionOf(invoice, invoice.options[0]?.id ?? '').price,
          }),
      },
    },
    world: TOP_UP,
    fault: /^credited is 5000 and should be 2500/,
  },
  'a flagged payment is credited': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) => arrive(invoice, reported, { ...arrival, flag: undefined }, context),
      },
    },
    fault: /^hold in \w+ may not post convert/,
  },
  'a payment without a confirmation stays in time': {
    broken: { steps: { miss: (invoice, now) => (invoice.state === 'confirming' ? undefined : miss(invoice, now)) } },
    world: EXACT,
    fault: /^it never comes to rest/,
  },
  'an invoice stays settled whose payment was taken back': {
    broken: {
      steps: {
        reverse: (invoice, taken, context) => {
          const step = reverse(invoice, taken, context);
          return step && { ...step, invoice: { ...step.invoice, state: invoice.state } };
        },
      },
    },
    world: EXACT,
    fault: /^it is settled and should be invalid/,
  },
  'a reversal leaves the store its money': {
    broken: {
      steps: {
        reverse: (invoice, taken, context) => {
          const step = reverse(invoice, taken, context);
          return step && { ...step, legs: step.legs.filter(({ from }) => !from.name.startsWith('merchant:')) };
        },
      },
    },
    world: EXACT,
    fault: /^(invoice:\S+ below its floor|set USDT holds)/,
  },
  'money that the invoice does not need goes to the store': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) =>
          under(invoice, { tolerance: 10_000 }, (changed) => arrive(changed, reported, arrival, context)),
      },
    },
    world: BIG,
    fault: /^credited is \d+ and should be 10000/,
  },
  'a payment in a foreign coin is credited': {
    broken: {
      steps: {
        see: (invoice, reported, context) => see(invoice, { ...reported, currency: 'BTC' }, context),
        arrive: (invoice, reported, arrival, context) => arrive(invoice, { ...reported, currency: 'BTC' }, arrival, context),
      },
    },
    world: { ...WORLD, sizes: [{ coin: 'LTC', usd: HALF }] },
    fault: /^(pending|credited) is \d+ and should be 0/,
  },
  'payments that waited take the same money of the desk': {
    broken: {
      steps: { price: (invoice, context) => price(invoice, { ...context, reservable: context.reservable * 2n }) },
    },
    world: { ...WORLD, starts: [{ ...PLAIN, free: 30n, isClosed: true }], drops: 0, flags: 0, reversals: 0, closings: 1 },
    fault: /^desk:free:USDT below its floor/,
  },
  'a payment that the desk refuses is credited': {
    broken: {
      steps: { refuse: (invoice, id) => release(invoice, id, { keepRate: 0, context: RICH }) },
    },
    world: HELD,
    fault: /^the table does not lead from confirming to settled by refuse/,
  },
  'a store may accept a payment that the desk refused': {
    broken: {
      steps: {
        refuse: (invoice, id) => {
          const step = refuse(invoice, id);
          return step && { ...step, invoice: withPayments(step.invoice, (one) => ({ ...one, hold: undefined })) };
        },
      },
    },
    world: { ...HELD, decisions: 1 },
    fault: /^1 payments are late, and should be 0/,
  },
  'a released payment keeps its rate in spite of papers': {
    broken: {
      steps: { release: (invoice, id, given) => release(invoice, id, { ...given, keepRate: Infinity }) },
    },
    world: HELD,
    fault: /^credited is \d+ and should be \d+|^it is settled and should be open/,
  },
  'a payment that was settled before is its payer’s once it is released': {
    broken: {
      steps: { releaseSettled: (invoice, id) => release(invoice, id, { keepRate: 0, context: RICH }) },
    },
    world: { ...HELD, reversals: 1, desk: 1 },
    fault: /^it is invalid and should be settled/,
  },
  'a soft hold has no end': {
    broken: { steps: { holdOver: () => undefined } },
    world: HELD,
    fault: /^it never comes to rest/,
  },
  'a hard hold counts after its time': {
    broken: {
      steps: {
        holdOver: (invoice, now) => {
          const step = holdOver(invoice, now);
          const pending = new Map(invoice.payments.map((one) => [one.id, one.pending]));
          return (
            step && {
              ...step,
              invoice: {
                ...withPayments(step.invoice, (one) => ({ ...one, pending: pending.get(one.id) ?? 0n })),
                state: invoice.state,
              },
            }
          );
        },
      },
    },
    world: HELD,
    fault: /^(it is confirming and should be open|pending is \d+ and should be 0)/,
  },
  'a mark as invalid keeps the reserves': {
    broken: {
      steps: {
        mark: (invoice, as) => {
          const step = mark(invoice, as);
          return step && { ...step, legs: [] };
        },
      },
    },
    world: { ...WORLD, pays: 1, marks: 1 },
    fault: /^reserve holds \d+ and should hold 0/,
  },
  'a settlement by money leaves the mark': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) => {
          const step = arrive(invoice, reported, arrival, context);
          return step && { ...step, invoice: { ...step.invoice, mark: invoice.mark } };
        },
      },
    },
    world: { ...EXACT, marks: 1 },
    fault: /^its mark is settled and should be undefined/,
  },
  'a coin of another kind has the locked rate': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) =>
          arrive(invoice, reported, arrival, {
            ...context,
            priceNow: () => optionOf(invoice, invoice.options[0]?.id ?? '').price,
          }),
      },
    },
    world: LITECOIN,
    fault: /^(it is settled and should be open|credited is \d+ and should be \d+)/,
  },
  'a coin of another kind that the store takes stays its payer’s': {
    broken: {
      steps: {
        arrive: (invoice, reported, arrival, context) => arrive(invoice, reported, arrival, { ...context, takenNow: undefined }),
      },
    },
    world: LITECOIN,
    fault: /^credited is 0 and should be \d+/,
  },
  'the table forgets that the desk’s release may settle an invoice': {
    broken: {
      rows: INVOICE_MACHINE.rows.map((row) =>
        row.event === 'clear' ? { ...row, next: row.next.filter((to) => to !== 'settled') } : row,
      ),
    },
    world: HELD,
    fault: /^the table does not lead from \w+ to settled by clear/,
  },
  'the table forgets that a mark ends an open invoice': {
    broken: { rows: INVOICE_MACHINE.rows.map((row) => (row.event === 'mark' ? { ...row, next: ['same'] } : row)) },
    world: { ...WORLD, pays: 1, marks: 1 },
    fault: /^the table does not lead from open to cancelled by mark/,
  },
  'the table forgets that a short invoice can lose all its credit': {
    broken: {
      rows: INVOICE_MACHINE.rows.map((row) =>
        row.event === 'reverse' && row.from.includes('short') ? { ...row, next: ['same'] } : row,
      ),
    },
    fault: /^the table does not lead from short to expired by reverse/,
  },
  'the table forgets the posting of a step': {
    broken: {
      rows: INVOICE_MACHINE.rows.map((row) => ({ ...row, money: row.money.filter((posting) => posting !== 'reserve_back') })),
    },
    fault: /^\w+ in \w+ may not post reserve_back/,
  },
};

describe('a broken invoice is caught', () => {
  for (const [name, { broken, world = WORLD, fault }] of Object.entries(BROKEN))
    test(name, () => assert.match(explore(world, broken).fault ?? 'sound', fault));

  test('ten or more are broken, and the worlds are sound without', () => {
    assert.ok(Object.keys(BROKEN).length >= 10);
    for (const world of [BIG, EXACT]) assert.equal(explore(world).fault, undefined);
  });
});
