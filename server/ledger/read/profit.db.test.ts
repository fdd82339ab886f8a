import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleOf } from '@kurs/money';
import fc from 'fast-check';
import { newId } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { callsOf } from '../post/journals.testing.ts';
import type { AccountClass } from '../chart/chart.ts';
import type { Journal } from '../chart/journal.ts';
import { enter } from '../post/post.ts';
import { profit } from './profit.ts';
import { formatUsd, usdOf } from './usd.ts';

const isOwn = (one: AccountClass): boolean => one === 'own' || one === 'spent';

/** Computes the profit by walking through the journals one by one: own money, prices and sums in 10^-36 USD. */
function walk(journals: readonly Journal[]) {
  const own = new Map<string, bigint>();
  const prices = new Map<string, bigint>();
  const sums = { capital: 0n, operating: 0n, revaluation: 0n };
  const worth = (unit: string, parts: bigint, price: bigint) => parts * price * 10n ** BigInt(18 - scaleOf(unit));
  for (const { kind, legs, prices: given } of journals) {
    for (const { from, to, parts } of legs) {
      if (isOwn(from.class) === isOwn(to.class)) continue;
      const { unit } = from;
      const [before, old] = [own.get(unit) ?? 0n, prices.get(unit) ?? 0n];
      const text = given?.[unit];
      const price = text === undefined ? old : usdOf('ETH', text);
      const change = isOwn(to.class) ? parts : -parts;
      sums.revaluation += worth(unit, before, price - old);
      sums[kind.startsWith('capital') ? 'capital' : 'operating'] += worth(unit, change, price);
      own.set(unit, before + change);
      prices.set(unit, price);
    }
  }
  const equity = [...own].reduce((sum, [unit, parts]) => sum + worth(unit, parts, prices.get(unit) ?? 0n), 0n);
  return { ...sums, profit: equity - sums.capital, own };
}

test('profit equals a walk through the journals one by one, over all time and over any period', async (t) => {
  const world = await testDb();
  t.after(() => world.drop());
  const seed = newId();
  t.diagnostic(`seed ${seed}`);
  const calls = fc.sample(callsOf('f', 8), { numRuns: 25, seed: parseInt(seed.slice(-7), 16) });
  for (const call of calls.flat())
    await world.db.tx((tx) =>
      enter(
        tx,
        call.map((one) => ({ ...one, id: newId() })),
      ),
    );
  const postings = await world.db.rows<{ journal: string; at: Date }>(
    'select journal, min(at) as at from posting group by journal order by at, journal',
  );
  assert.ok(postings.length > 20);

  const journals = new Map<string, Journal>();
  for (const row of await world.db.rows<Stored>(STORED)) {
    const old = journals.get(row.journal);
    const ref = (name: string, accountClass: AccountClass) => ({
      name,
      unit: row.unit,
      class: accountClass,
      floor: null,
      ceiling: null,
    });
    const leg = { from: ref(row.source, row.source_class), to: ref(row.target, row.target_class), parts: BigInt(row.parts) };
    journals.set(row.journal, {
      id: row.journal,
      kind: row.kind === 80 ? 'capital_in' : 'transfer',
      cause: row.journal,
      legs: [...(old?.legs ?? []), leg],
      prices: { ...old?.prices, ...(row.price !== null && { [row.unit]: row.price }) },
    });
  }
  const ordered = postings.map(({ journal }) => journals.get(journal) as Journal);

  const whole = await profit(world.db);
  const walked = walk(ordered);
  assert.ok(whole.isExact);
  for (const sum of ['capital', 'operating', 'revaluation', 'profit'] as const) {
    assert.equal(whole[sum], formatUsd(walked[sum]), sum);
  }
  for (const { unit, closing } of whole.units) assert.equal(closing, walked.own.get(unit));

  // Profits of two adjacent periods add up to that of both.
  const middle = (postings[postings.length >> 1] as { at: Date }).at;
  const [first, second] = [await profit(world.db, { until: middle }), await profit(world.db, { after: middle })];
  assert.ok(first.isExact && second.isExact);
  const exact = (text: string) => usdOf('ETH', text);
  for (const sum of ['capital', 'operating', 'revaluation', 'profit'] as const) {
    assert.equal(exact(first[sum]) + exact(second[sum]), exact(whole[sum]), sum);
  }
  assert.equal(first.closing, second.opening);
});

type Stored = Record<'journal' | 'unit' | 'source' | 'target' | 'parts', string> & {
  source_class: AccountClass;
  target_class: AccountClass;
  kind: number;
  price: string | null;
};
const STORED = `select journal, kind, parts, price, source.unit, source.name as source, source.class as source_class,
  target.name as target, target.class as target_class
  from posting join account source on source.id = from_id join account target on target.id = to_id
  order by posting.at, journal, leg`;
