import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PricedWorld, openPricedWorld } from '../pricing/testing.ts';
import { endRestored, enterRestored, explainSend } from '../payments/index.ts';
import { foundInRooms } from './state.ts';
import { hasAlarmSince, recordReported } from './store.ts';
import { noteUnrecorded } from '../payments/testing.ts';

let world: PricedWorld;
before(async () => {
  world = await openPricedWorld();
});
after(() => world.close());

const found = async (): Promise<string[]> => (await foundInRooms(world.db)).map(({ key }) => key);

test('finds problems of rails, prices, reserves, payouts and books while they last', async () => {
  assert.deepEqual(await found(), [], 'all is well');

  await world.railUp('evm', false);
  assert.deepEqual(await found(), ['rail evm']);
  await world.railUp('evm', true);

  await world.db.run(`update rail_state set lacks = 'It has not granted a right. Ask for it' where rail = 'evm'`);
  const [right] = await foundInRooms(world.db);
  assert.deepEqual([right?.key, right?.words], ['right evm', 'It has not granted a right. Ask for it.']);
  await world.db.run('update rail_state set lacks = null');

  await world.rates({ BTC: { at: '2026-01-01T00:00:00Z' } });
  const [rates] = await foundInRooms(world.db);
  assert.match(
    rates?.words ?? '',
    /^There is no fresh rate of BTC, so .* Reason: two markets have not confirmed a price for half a minute/,
  );
  await world.rates({ BTC: null });
  assert.deepEqual(await found(), ['rates'], 'no price at all');
  await world.rates();

  await world.payable('BTC', 'BTC', '0.00100000');
  const [reserve] = await foundInRooms(world.db);
  assert.equal(reserve?.key, 'reserve BTC');
  assert.match(reserve?.words ?? '', /^The reserve of BTC is low: 0\.001\d*\u00a0BTC can be paid out\.$/);
  await world.payable('BTC', 'BTC', '50');

  const [send] = await world.db.tx((tx) =>
    noteUnrecorded(tx, [
      { rail: 'bitcoin', source: 'chain', reference: 'f00d', currency: 'BTC', parts: 10n ** 8n, receiver: 'bc1x' },
    ]),
  );
  const [unrecorded, ...others] = await foundInRooms(world.db);
  assert.deepEqual(others, [], 'one alarm');
  assert.equal(unrecorded?.key, 'unrecorded bitcoin');
  assert.match(
    unrecorded?.words ?? '',
    /f00d: 1\S*\u00a0BTC to bc1x.*somebody else signs with these keys, or this is an older copy\. Nothing is sent by bitcoin/,
  );
  await world.db.tx((tx) => explainSend(tx, send?.id ?? '', { by: ['ann', 'bob'], statement: 'an explorer' }));

  await world.db.tx((tx) => enterRestored(tx, [{ found: 'books', detail: 'The seal 9 is not there.' }]));
  const [restored, ...more] = await foundInRooms(world.db);
  assert.deepEqual(more, [], 'one alarm');
  assert.match(restored?.words ?? '', /^Restored mode: nothing is paid out until two people end it\. The seal 9 is not there\./);
  await world.db.tx((tx) => endRestored(tx, ['olga', 'oleg']));
  assert.deepEqual(await found(), []);

  const difference = (since: string): Promise<unknown> =>
    world.db.run(
      `insert into reconciliation (currency, place, unit, books, rail_says, coming, going, difference, at, since)
       values ('BTC', 'hot', 'BTC', 2, 1, 0, 0, -1, clock_now(), clock_now() - $1::interval)
       on conflict (currency, place) do update set since = excluded.since`,
      [since],
    );
  await difference('9 minutes');
  assert.deepEqual(await found(), []);
  await difference('11 minutes');
  const [books] = await foundInRooms(world.db);
  assert.match(books?.words ?? '', /^bitcoin has 0\.00000001\u00a0BTC less of BTC \(hot\) than the books, since 20/);
  await world.db.run(`update reconciliation set currency = 'PAYEER_USD', unit = 'PAYEER_USD', difference = -100`);
  const [dollars] = await foundInRooms(world.db);
  assert.match(dollars?.words ?? '', /^payeer has 1\.00\u00a0USD less of USD \(PAYEER_USD\)/, 'by its network');
  await world.db.run(`update reconciliation set difference = 0, since = null, at = clock_now() - interval '11 minutes'`);
  const [compared] = await foundInRooms(world.db);
  assert.equal(compared?.key, 'overdue comparison');
  assert.match(compared?.words ?? '', /^The books were last compared with the payment systems at 20/);
  await world.db.run('delete from reconciliation');
  await world.db.run(`insert into book_day (day) values ((clock_now() at time zone 'utc')::date - 2)`);
  assert.deepEqual(await found(), ['overdue close']);
  await world.db.run('delete from book_day');
  assert.deepEqual(await found(), []);

  await world.db.run(`insert into pot_funding (id, pot, parts, at) values (gen_random_uuid(), 'late', 7, clock_now())`);
  const [pot] = await foundInRooms(world.db);
  assert.deepEqual(
    [pot?.key, pot?.words],
    ['pot late', 'The pot late is empty: coupons for late orders wait, and fixed ones are refused. See `desk pot`.'],
  );
});

test('an alarm that has opened since a moment is known, also once it is over', async () => {
  const since = await world.db.now();
  const put = (at: string): Promise<unknown> =>
    world.db.run(
      `insert into alarm (key, kind, words, since, machine) values ('disk', 'disk', 'full', $1, 'a') on conflict (key, machine) do update set since = excluded.since`,
      [at],
    );
  await put(new Date(since.getTime() - 1_000).toISOString());
  assert.equal(await world.db.tx((tx) => hasAlarmSince(tx, since)), false, 'it was there before');
  await put(new Date(since.getTime() + 1_000).toISOString());
  assert.equal(await world.db.tx((tx) => hasAlarmSince(tx, since)), true);
  await world.db.run(`delete from alarm`);
  assert.equal(await world.db.tx((tx) => hasAlarmSince(tx, since)), false);
  const alarm = { key: 'disk', kind: 'disk', words: 'full', since: new Date(since.getTime() + 1_000) } as const;
  await recordReported(world.db, { notice: 'raised', alarm }, await world.db.now());
  assert.equal(await world.db.tx((tx) => hasAlarmSince(tx, since)), true, 'told, and over');
});
