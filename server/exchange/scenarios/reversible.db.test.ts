import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { setLevel } from '../../compliance/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { type SettingsWatch, putSetting, watchSettings } from '../../platform/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { SignedIn } from './signed-in.testing.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;

/** Opens a world in which USDT is reversible for months. */
before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await world.db.tx(async (tx) => {
    await putSetting(tx, 'compliance.reversible_currencies', ['USDT_ERC20'], 'test');
    await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
  });
  await settings.refresh();
});
after(async () => {
  await settings.stop();
  await world.close();
});

const HOUR = 60;
const provision = async () => (await balances(world.db, [accounts.provisionReversal('USDT')]))[0] ?? 0n;

/** Pays an order until it is exchanged, by default from the customer's own account. */
async function paid(own: SignedIn, from: readonly string[] = [`account of ${own.email}`]): Promise<StoredOrder> {
  const order = await world.place({ from: 'USDT_ERC20', amount: '100', own });
  world.pay(order, undefined, { from });
  await world.mine(70);
  return world.order(order);
}
async function done(order: StoredOrder): Promise<StoredOrder> {
  for (let turn = 0; turn < 4; turn += 1) await world.mine(8);
  return world.order(order);
}

test('reversible payments are accepted from verified customers only, within their limits', async () => {
  const own = await world.holder(1);
  const refusal = (field: string, code: string) => (error: Problem) =>
    (error.details.errors?.[field] as { code: string } | undefined)?.code === code;
  const place = (amount: string) => world.place({ from: 'USDT_ERC20', amount, own });
  await assert.rejects(
    place('100'),
    (error: Problem) => error.code === 'level_needed' && error.details.errors === undefined,
    'it is no fault of a field',
  );
  await world.db.tx((tx) => setLevel(tx, own.id, 2, 'test'));
  await assert.rejects(place('250'), refusal('amount', 'amount_above_reversible'));
  await place('150');
  const paidIn = await world.place({ from: 'BTC', email: 'anybody@example.org' });
  assert.equal(paidIn.view.get?.currency, 'USDT_ERC20', 'being paid in it is open to everybody');
  assert.equal(paidIn.view.pinned.isReversible, false);
  await assert.rejects(place('190'), refusal('amount', 'amount_above_reversible'), 'an open order counts');
});

test('a reversible payment is exchanged at once, with a provision, and paid out after 72 hours, from the fourth on after 24', async () => {
  const own = await world.holder(3);
  const before = await provision();
  const first = await paid(own);
  assert.equal(first.view.state, 'approving');
  assert.equal(first.view.facts.exchange?.got, first.view.get?.parts);
  assert.equal((await provision()) - before, 500_000n, '1 % of 100, as far as the list price of 0.50 reaches');
  await world.price('80000');
  await world.pass(71 * HOUR - 30);
  await world.mine();
  assert.equal((await world.order(first)).view.state, 'approving');
  await world.pass(2 * HOUR);
  const paidOut = await done(first);
  assert.deepEqual([paidOut.view.state, paidOut.view.positions.transfer], ['completed', 0n], 'at its own rate');
  await world.price('90000');
  for (let more = 0; more < 2; more += 1) {
    const next = await paid(own);
    await world.pass(25 * HOUR);
    await world.mine();
    assert.equal((await world.order(next)).view.state, 'approving', 'the second and the third wait as long');
    await world.pass(48 * HOUR);
    assert.equal((await done(next)).view.state, 'completed');
  }
  const fourth = await paid(own);
  await world.pass(25 * HOUR);
  assert.equal((await done(fourth)).view.state, 'completed');
  await world.audit();
});

test('one account pays for one customer: else it is held, and goes back if nobody releases it', async () => {
  const [owner, other] = [await world.holder(3), await world.holder(3)];
  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const first = await paid(owner, ['ID1', 'mail1']);
  assert.equal(await state(first), 'approving');
  const again = await paid(owner, ['ID1', 'a new mail']);
  assert.equal(await state(again), 'approving', 'one name of the account is enough');
  const byOther = await paid(other, ['ID1', 'mail1']);
  assert.equal(await state(byOther), 'holding');
  const [held] = await world.db.rows<{ why: string }>(
    `select why from order_event where order_id = $1 and event = 'payin_final'`,
    [byOther.view.id],
  );
  assert.match(held?.why ?? '', /account/, 'who looks at it is told why');
  await world.pass(73 * HOUR);
  assert.equal((await done(first)).view.state, 'completed');
  assert.ok(['r_queued', 'r_sending', 'r_sent', 'refunded'].includes(await state(byOther)), 'the soft hold ended by a refund');
  assert.equal(await state(await paid(other, ['ID1'])), 'holding', 'nor later');
  const second = await paid(owner, ['ID2']);
  assert.equal(await state(second), 'holding', 'a second account of one person');
  const release = { number: second.number, action: 'release', by: 'clara', reason: 'their own, too' } as const;
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, release));
  await world.pass(73 * HOUR);
  assert.equal((await done(second)).view.state, 'completed');
  assert.equal(await state(await paid(owner, ['ID2'])), 'approving', 'let through once it is theirs, too');
  assert.equal(await state(await paid(other, ['ID2'])), 'holding');
  await world.audit();
});

test('the payment is polled before the payout: without an answer it waits, and an unreported dispute stops it', async () => {
  const own = await world.holder(3);
  const { world: chain } = world.rails.USDT_ERC20;
  const order = await paid(own);
  await world.pass(71 * HOUR);
  assert.equal((await world.order(order)).view.state, 'approving');
  chain.inject('observe', { kind: 'error' }, 1_000);
  await world.pass(2 * HOUR);
  await world.pass(1);
  assert.equal((await world.order(order)).view.state, 'approving', 'nothing is paid on what nobody could look at');
  chain.reorg(80, true);
  chain.calm();
  for (let turn = 0; turn < 4; turn += 1) await world.mine();
  assert.equal((await world.order(order)).view.state, 'reversed');
  await world.audit();
});

test('an approved or retried payout is polled for, too: an unreported dispute stops it', async () => {
  await world.db.tx((tx) => putSetting(tx, 'exchange.auto_order_usd', '50', 'test'));
  await settings.refresh();
  const own = await world.holder(3);
  const { world: chain } = world.rails.USDT_ERC20;
  const order = await paid(own);
  assert.equal((await world.order(order)).view.facts.approval?.people, 1);
  await world.pass(73 * HOUR);
  chain.inject('observe', { kind: 'error' }, 1_000);
  const approve = { number: order.number, action: 'approve', by: 'olga', reason: 'looked at' } as const;
  assert.equal(await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, approve)), 'queued');
  await world.pass(1);
  await world.mine();
  assert.equal(await world.state(order), 'queued', 'nothing is paid on what nobody could look at');
  chain.reorg(80, true);
  chain.calm();
  for (let turn = 0; turn < 4; turn += 1) await world.mine();
  assert.equal((await world.order(order)).view.state, 'reversed');
  await world.audit();
});

test('nothing is paid from a partly reversed payment before its order is notified', async () => {
  const own = await world.holder(3);
  const order = await paid(own);
  await world.pass(73 * HOUR);
  const { world: chain } = world.rails.USDT_ERC20;
  chain.inject('observe', { kind: 'error' }, 1_000);
  const approve = { number: order.number, action: 'approve', by: 'olga', reason: 'looked at' } as const;
  assert.equal(await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, approve)), 'queued');
  await world.pass(1);
  const payinId = (await world.order(order)).view.payments[0]?.id ?? '';
  await world.db.tx((tx) => decidePayin(tx, takeBack(payinId, 50_000_000n)));
  chain.calm();
  for (let turn = 0; turn < 4; turn += 1) await world.mine();
  assert.equal(await world.state(order), 'choosing', 'its customer says what becomes of what is left of it');
  await world.audit();
});
