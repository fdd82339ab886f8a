// Uses moved in one call by set-based statements have the same result as uses moved one by one, rests included.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Db, type Tx, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { type UseMoved, moveUses } from './hold-use.ts';
import { mayMove } from './use.ts';

const [HELD, MAX] = [100_000n, 10_000_000n];
const OWN = 3;
let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

/** A fixed coupon with spent uses, whose rests other orders hold. Returns the ids, own uses first. */
async function makeUses(tx: Tx): Promise<string[]> {
  const coupon = newId();
  await tx.run(
    `insert into coupon (id, code, kind, state, value, uses, budget, held, from_pot, max, made_by, made_at, state_at)
     values ($1, $2, 'fixed', 'live', $3, 100, $4, $5, $4, $4, array['ann'], $6, $6)`,
    [coupon, `C-${coupon.slice(-8)}`, HELD, MAX, HELD * BigInt(OWN), tx.now],
  );
  await tx.run('update coupon set taken = $2 where id = $1', [coupon, OWN]);
  const ids: string[] = [];
  const add = async (state: string, spent: bigint, rest: bigint, of: string | null): Promise<void> => {
    ids.push(newId());
    await tx.run(
      `insert into coupon_use (id, coupon_id, owner_kind, owner_id, keys, state, held, spent, rest, rest_of, at)
       values ($1, $2, 'order', $1, array['email:one'], $3, $4, $5, $6, $7, $8)`,
      [ids.at(-1), coupon, state, HELD, spent, rest, of, tx.now],
    );
  };
  for (let at = 0; at < OWN; at += 1) await add('spent', 0n, 0n, null);
  for (let at = 0; at < OWN; at += 1) await add('held', 0n, 0n, ids[at] ?? null);
  return ids;
}

/** Returns the states of the uses and the coupon, by the positions of the uses; rolls everything back. */
async function status(move: (tx: Tx, ids: readonly string[]) => Promise<void>): Promise<unknown> {
  const undone = new Error('undone');
  let found: unknown;
  const trying = db.tx(async (tx) => {
    const ids = await makeUses(tx);
    await move(tx, ids);
    const uses = await tx.rows<{ id: string }>('select id, state, held, spent, rest from coupon_use where id = any ($1)', [ids]);
    const coupon = await tx.row(
      'select state, taken, budget, held, from_pot from coupon where id = (select coupon_id from coupon_use where id = $1)',
      [ids[0]],
    );
    found = { coupon, uses: uses.map((one) => ({ ...one, id: ids.indexOf(one.id) })).toSorted((a, b) => a.id - b.id) };
    throw undone;
  });
  await assert.rejects(trying, (error) => error === undone);
  return found;
}

const step = fc.record({ at: fc.nat(2 * OWN - 1), to: fc.constantFrom('spent', 'free'), spent: fc.bigInt(0n, HELD) } as const);

test('uses that move together stand as if each moved by itself', async () => {
  let withRest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const now = [...Array.from({ length: OWN }, () => 'spent' as const), ...Array.from({ length: OWN }, () => 'held' as const)];
      const stands: ('spent' | 'free' | 'held')[] = now;
      const moves = steps.filter(({ at, to }) => {
        const may = mayMove(stands[at] ?? 'free', to);
        if (may) stands[at] = to;
        return may;
      });
      withRest += moves.some(({ at }) => at >= OWN && moves.some((other) => other.at === at - OWN)) ? 1 : 0;
      const of = (ids: readonly string[]): UseMoved[] => moves.map(({ at, to, spent }) => ({ id: ids[at] ?? '', to, spent }));
      const each = await status(async (tx, ids) => {
        for (const move of of(ids)) await moveUses(tx, [move]);
      }).catch((error: { actual?: { constraint?: string } }) => error.actual?.constraint ?? assert.fail(String(error)));
      // Nobody takes more of a rest than exists: a check comes before a use moves, and the table refuses it.
      fc.pre(each !== 'coupon_use_rest_check');
      const once = await status(async (tx, ids) => void (await moveUses(tx, of(ids))));
      assert.deepEqual(once, each);
    }),
    { numRuns: 60 },
  );
  assert.ok(withRest > 5, String(withRest));
});
