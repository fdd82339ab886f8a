// Personal data of draws, and the time for which they are stored.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { addDraws, forgetWhence } from './draw-store.ts';
import { HOUR_MS, hourOf, newSeed } from './draw.ts';
import { forgetDays } from './refill.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

test('address, device and network of a draw are forgotten after two days, its bounds after a week', async () => {
  const now = await db.now();
  const draw = (hours: number) => {
    const at = new Date(now.getTime() - hours * HOUR_MS);
    return {
      ...{ id: newId(), holderId: newId(), customer: 'ann@example.org', device: 'device:d', network: 'net:n', hour: hourOf(at) },
      ...{ seed: newSeed(), table: [], max: 1n, state: 'open' as const, clientSeed: undefined, prize: undefined },
      ...{ begunAt: at, endsAt: at },
    };
  };
  await db.tx((tx) => addDraws(tx, [draw(1), draw(40), draw(50)]));
  await db.run(
    `insert into earn_day (day, parts) select (clock_now() at time zone 'UTC')::date - n, 0 from unnest('{0,7,8}'::int[]) as n`,
  );
  await forgetWhence(db);
  await forgetDays(db);
  const stored = await db.rows<{ whence: number }>(
    'select num_nonnulls(customer, device, network) as whence from earn_draw order by hour',
  );
  assert.deepEqual(
    stored.map(({ whence }) => whence),
    [0, 3, 3],
  );
  assert.equal((await db.rows('select from earn_day')).length, 2);
});
