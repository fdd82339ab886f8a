// Tests that a rail never promises more than it has.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId, putSetting } from '../../platform/index.ts';
import { writeBalanceMacs } from './balance-macs.ts';
import { fundDesk } from './capital.ts';
import { askReserve, payable, refreshFloat } from './float.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { payRail } from '../sending/send-payouts.ts';
import { type Desk, openDesk, resume } from '../scenarios/world.testing.ts';

const PARTS = 100_000n;
let desk: Desk;
before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
});
after(() => desk.close());

test('the payable amount is the confirmed balance less queued payouts and those under way', async () => {
  await askReserve(desk.deps, desk.rail);
  await desk.turn();
  const free = await payable(desk.db, 'BTC');
  assert.ok(free > 0n && free <= desk.world.held('BTC', 'hot'));
  const id = await desk.request(PARTS);
  await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', false, 'test'));
  await desk.turn();
  assert.equal(await payable(desk.db, 'BTC'), free - PARTS);
  await desk.db.tx((tx) => putSetting(tx, 'payments.payouts.enabled', true, 'test'));
  await desk.db.run(`update rail_state set up = false`);
  assert.equal(await payable(desk.db, 'BTC'), 0n, 'a rail that is down promises nothing');
  await desk.db.run(`update rail_state set up = true`);
  assert.equal(await payable(desk.db, 'DOGE'), 0n);
  await resume(desk, 2);
  assert.equal(await desk.status(id), 'final');
});

test('a payout that was final before the next reading is promised to nobody', async () => {
  await desk.read();
  const free = await payable(desk.db, 'BTC');
  const id = await desk.request(PARTS);
  await payRail(desk.deps, desk.rail);
  desk.world.mine(6);
  await desk.pass(61_000);
  await followRail(desk.deps, desk.rail);
  assert.equal(await desk.status(id), 'final');
  await refreshFloat(desk.deps, desk.rail);
  const promised = await payable(desk.db, 'BTC');
  assert.ok(promised <= free - PARTS, `${promised} of ${free}`);
});

/** Computes the same by reading every row, as the definition says. */
const WHOLE = `
  select greatest(0, payable
    - coalesce((select sum(o.parts) from payout o where o.currency = b.currency
        and (o.status in ('queued', 'preparing', 'sending', 'in_doubt')
          or o.status = 'sent' and (o.confirmations = 0 or o.status_at >= b.read_at)
          or o.status = 'final' and exists (select from payment_attempt a where a.id = o.attempt_id and a.accepted_at >= b.read_at))), 0)
    - coalesce((select sum(a.parts) from payout_asked a where a.currency = b.currency), 0)) as free
  from rail_balance b where currency = 'BTC' and place = 'hot'`;

test('the promised amount is what all rows leave, for payouts of every status and time', async () => {
  const id = await desk.request(PARTS);
  await resume(desk, 2);
  assert.equal(await desk.status(id), 'final');
  const STATUSES = ['queued', 'preparing', 'sending', 'in_doubt', 'sent', 'final', 'failed', 'stopped'];
  await desk.db.run('update rail_balance set read_at = clock_now()');
  await writeBalanceMacs(desk.db);
  // Each status, in a block or not, before the reading and after it, in several sums.
  await desk.db.run(
    `with made as (
       select gen_random_uuid() as id, gen_random_uuid() as attempt, status, confirmations, 10 ^ n as parts, clock_now() + ago as at
       from unnest($2::text[]) with ordinality as s (status, n), unnest(array[0, 3]) as confirmations,
         unnest(array['-1 hour', '1 minute']::interval[]) as ago
     ), attempts as (
       insert into payment_attempt select copy.* from (select * from payment_attempt limit 1) sample, made,
         jsonb_populate_record(null::payment_attempt, to_jsonb(sample) || jsonb_build_object('id', attempt, 'reference', attempt,
           'items', jsonb_build_array(made.id), 'accepted_at', made.at, 'due_at', null, 'nonce', null)) as copy returning id)
     insert into payout select copy.* from (select * from payout where id = $1) sample, made,
       jsonb_populate_record(null::payout, to_jsonb(sample) || jsonb_build_object('id', made.id, 'attempt_id', attempt, 'status', made.status,
         'confirmations', made.confirmations, 'parts', made.parts, 'status_at', made.at, 'due_at', null)) as copy`,
    [id, STATUSES],
  );
  await desk.db.run(`insert into payout_asked (id, currency, parts) values (gen_random_uuid(), 'BTC', 7)`);
  await desk.db.run(`update rail_state set up = true`);
  await refreshFloat(desk.deps, desk.rail);
  const whole = await desk.db.row<{ free: string }>(WHOLE);
  const free = await desk.db.row<{ free: string }>(`select free from rail_balance where currency = 'BTC' and place = 'hot'`);
  assert.equal(free?.free, whole?.free);
  assert.ok(BigInt(whole?.free ?? 0) > 0n);
});
