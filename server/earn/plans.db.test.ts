// A draw, the rules and a holder's own page read the same number of rows with twenty thousand earlier draws as with none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, advanceClock } from '../platform/index.ts';
import { apart, grownPages, pagesOf } from '../platform/testing.ts';
import { openBeginning } from './begin.ts';
import { openClaiming } from './claim.ts';
import { HOUR_MS } from './draw.ts';
import { type EarnWorld, openEarnWorld } from './earn.testing.ts';
import { ownView, rulesView } from './views.ts';

let world: EarnWorld;
before(async () => {
  world = await openEarnWorld();
  await world.holdInPot('500');
  // Eight draws of one account in a day: with a table of greater prizes, earlier winnings would refuse some of them.
  await world.put('earn.table', [{ prize: '0.001', weight: 1_000_000 }]);
});
after(() => world.close());

const BEFORE = `insert into earn_draw (id, holder_id, customer, device, network, hour, seed, prizes, max, state, client_seed, prize, counts, begun_at, ends_at)
  select gen_random_uuid(), gen_random_uuid(), 'customer ' || n, 'device:' || n, 'net:' || (n / 7), date_trunc('hour', at),
    decode(repeat('00', 32), 'hex'), '[]', 1, 'claimed', 'x', 1, 1, at, at
  from generate_series(1, 20000) as n, lateral (select clock_now() - interval '3 days' - n * interval '1 minute' as at) as t`;

test('what a draw reads does not grow with the draws of before', async () => {
  const { db, url, ownerUrl } = world;
  const holder = await world.holder();
  const from = { customer: holder.email, device: 'device:p', network: 'net:p', spend: async () => undefined };
  const work = async (own: Db): Promise<void> => {
    const made = await openBeginning(own)({ holderId: holder.id, ...from });
    await openClaiming(own)({ holderId: holder.id, id: made.id, clientSeed: 'mine' });
    await rulesView(own);
    await ownView(own, holder);
  };
  const nextHour = (): Promise<unknown> => advanceClock(db, HOUR_MS);
  const few = await pagesOf(db, url, work, nextHour);
  await apart(db, ownerUrl, async (own) => {
    await own.run(BEFORE);
    await own.run('vacuum analyze earn_draw');
  });
  const many = await pagesOf(db, url, work, nextHour);
  assert.deepEqual(
    grownPages(few, many).filter((one) => one.startsWith('earn_')),
    [],
  );
});
