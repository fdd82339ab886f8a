// Bugs about invoices, each planted in one line of the product: worlds with stores find them, by the rule that is broken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SourceBug, findBug } from './planted-source.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';
import { SHOPS_EVERY } from './world.ts';

interface Bug extends SourceBug {
  readonly name: string;
  /** The auditor's message about it. */
  readonly found: RegExp;
  /** A seed that finds it soon. */
  readonly first: number;
  /** True if only the full run plants it. */
  readonly isExpensive?: true;
}

/** Maximum number of seeds: a change of the code shifts what each seed covers. */
const MAX = 30;
const STEPS = 100;

const BUGS: readonly Bug[] = [
  {
    name: 'the reserve of a dropped payment is kept',
    file: 'gate/invoices/steps.ts',
    was: "draft.payment({ ...draft.releaseReserve(payment), stage: 'dropped',",
    is: "draft.payment({ ...payment, stage: 'dropped',",
    found: /^the payment \S+, dropped, has a reserve of \d+/,
    first: 25,
  },
  {
    name: 'a credit counts twice in the due figure',
    file: 'gate/invoices/invoice.ts',
    was: 'const due = amount - creditedOf(invoice) - pendingOf(invoice);',
    is: 'const due = amount - 2n * creditedOf(invoice) - pendingOf(invoice);',
    found: /^the invoice \S+ asks for \S+, and \d+ are due/,
    first: 80,
    isExpensive: true,
  },
  {
    name: 'the rate of a top-up is locked',
    file: 'gate/invoices/credit.ts',
    was: 'const holdsRate = !payment.isLate && draft.invoice.terms.amount !== undefined;',
    is: 'const holdsRate = !payment.isLate;',
    found: /^\d+ BTC of \S+(, which hold no rate,)? are credited with \d+, worth/,
    first: 25,
  },
  {
    name: 'a part-paid invoice is given back with its spread',
    file: 'gate/invoices/decide.ts',
    was: "return mid && convert(money(booked.unit, booked.set), assetOf(booked.unit), mid, unit, 'down').parts;",
    is: 'return mid && booked.parts;',
    found: /^\d+ \w+ of \S+ are given back, worth at most \d+/,
    first: 85,
    isExpensive: true,
  },
  {
    name: 'a late payment is accepted and stays its payer’s to refund',
    file: 'exchange/machine/steps.ts',
    was: "draft.payments(draft.order.payments.filter((payment) => payment.status !== 'final'));\n    draft.note({ isTakenOver: true });",
    is: 'draft.note({ isTakenOver: true });',
    found: /^the invoice \S+ gave 0 of \S+ to its payer, who has \d+/,
    first: 55,
  },
  {
    name: 'a refund takes money that is not deep',
    file: 'gate/free-balance.ts',
    was: 'const free = whole - (sums.get(unit) ?? 0n);',
    is: 'const free = whole;',
    found: /^the store \S+ let \w+ go that is not deep/,
    first: 25,
  },
];

for (const { name, found, first, isExpensive: _, ...bug } of BUGS.filter(({ isExpensive }) => isFullRun || !isExpensive))
  test(`${name}: found within ${MAX} seeds`, { timeout: 240_000 }, async (t) => {
    const seeds = Array.from({ length: MAX }, (_, n) => first + n * SHOPS_EVERY);
    const { seed, others } = await findBug(bug, { seeds, steps: STEPS, found: found.source });
    assert.notEqual(seed, undefined, ['never found; instead:', ...others].join('\n'));
    t.diagnostic(`${name}: seed ${seed}`);
  });
