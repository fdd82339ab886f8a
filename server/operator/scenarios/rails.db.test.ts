import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import '../owners.testing.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { railHistories, useRails } from '../../payments/index.ts';
import { peopleToChange, watchSettings } from '../../platform/index.ts';
import { authenticate, addOperator } from '../people/people.ts';
import type { Person } from '../people/roles.ts';
import { setRail } from '../actions/switches.ts';
import { auditView, orderView, ordersView, railsView, reservesView } from '../views.ts';

let world: World;
let settings: Awaited<ReturnType<typeof watchSettings>>;
let ann: Person;
let bob: Person;
before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  bob = (await authenticate(world.db, (await world.db.tx((tx) => addOperator(tx, 'bob', 'operator'))).key)) as Person;
  ann = (await authenticate(world.db, (await world.db.tx((tx) => addOperator(tx, 'ann', 'operator'))).key)) as Person;
});
after(async () => {
  await settings.stop();
  await world.close();
});

const rail = async (name: string) =>
  routes.operatorRails.output.parse(await railsView(world.db)).find((one) => one.rail === name);
const set = async (name: string, on: boolean, purpose?: string, by = ann): Promise<string> => {
  const { status } = await setRail(world.db, by, { rail: name, on, for: purpose, reason: 'the market asks for it' });
  // Reads the setting at once, where a process would take half a second.
  await settings.stop();
  settings = await watchSettings(world.db);
  await world.pass(0);
  return status;
};
const carried = (): Parameters<typeof useRails>[0] => new Map(Object.values(world.rails).map((one) => [one.rail.id, one.rail]));
const whyNot = (placed: Promise<unknown>): Promise<unknown> =>
  placed.then(
    () => 'placed',
    (error: unknown) => (error instanceof Problem ? [error.code, error.details.params?.['reason']] : error),
  );

test('a rail that is switched off takes no new orders; what was ordered is credited and paid', async () => {
  const order = await world.place();
  await set('bitcoin', false);
  assert.deepEqual(await whyNot(world.place()), ['direction_closed', 'rail_off']);
  const off = await rail('bitcoin');
  assert.deepEqual([off?.on, off?.up, off?.payouts], [false, true, true]);
  const reported = (await railHistories(world.db, 1)).find((one) => one.rail === 'bitcoin');
  assert.deepEqual([reported?.isOn, reported?.isUp], [false, true], 'as the page of the status tells everybody');
  world.pay(order);
  await world.mine(6);
  await world.mine(64);
  assert.equal((await world.order(order)).view.state, 'completed');
  await set('bitcoin', true);
  assert.equal(await whyNot(world.place()), 'placed');
  const { data } = await auditView(world.db, { page: 1, per_page: 20, by: undefined, subject: 'bitcoin' });
  assert.deepEqual(data.map(({ action }) => action).toSorted(), ['rail_off', 'rail_on']);
  await assert.rejects(set('nowhere', false), { code: 'validation' });
});

test('each purpose of a rail is switched alone, and all of them at once', async () => {
  const takes = async (): Promise<unknown> => [(await rail('bitcoin'))?.on, (await rail('bitcoin'))?.takes];
  assert.deepEqual(await takes(), [true, ['deposits', 'invoices', 'orders']]);
  await set('bitcoin', false, 'deposits');
  assert.deepEqual(await takes(), [true, ['invoices', 'orders']]);
  assert.equal(await whyNot(world.place()), 'placed', 'deposits alone are off');
  await set('bitcoin', false, 'orders');
  assert.deepEqual(await takes(), [true, ['invoices']]);
  await set('bitcoin', true, 'deposits');
  assert.deepEqual(await takes(), [true, ['deposits', 'invoices']]);
  assert.deepEqual(await whyNot(world.place()), ['direction_closed', 'rail_off']);
  await set('bitcoin', true);
  assert.deepEqual(await takes(), [true, ['deposits', 'invoices', 'orders']]);
  await assert.rejects(set('bitcoin', true, 'gifts'), { code: 'validation' });
});

test('lists each rail with its answers, since when, and its status text', async () => {
  const well = await rail('bitcoin');
  assert.deepEqual([well?.set_up, well?.up, well?.currencies], [true, true, ['BTC', 'LTC']]);
  assert.ok(well?.answered !== undefined && well.since !== undefined && well.since <= well.answered);
  world.rails.BTC.world.health = { isUp: false, detail: 'the key is refused' };
  world.rails.BTC.world.inject('tip', { kind: 'error' });
  for (let turn = 0; turn < 3; turn += 1) await world.pass(1).then(() => world.turn());
  const down = await rail('bitcoin');
  assert.deepEqual([down?.on, down?.up, down?.detail], [true, false, 'the key is refused']);
  assert.ok((down?.since ?? '') > (well.since ?? '') && (down?.answered ?? '') < (down?.requested ?? ''));
  world.rails.BTC.world.health = { isUp: true, detail: 'up' };
  for (let turn = 0; turn < 3; turn += 1) await world.pass(2).then(() => world.turn());
  assert.equal((await rail('bitcoin'))?.up, true);
});

test('with real money a rail starts switched off but is polled, and one that isn’t set up is listed as such', async () => {
  const refused = new Map([['payeer', 'payeer.json is no JSON']]);
  useRails(carried(), [], { known: ['bitcoin', 'evm', 'perfectmoney'], isOnAtStart: false, refused });
  const list = await railsView(world.db);
  assert.deepEqual(
    list.map(({ rail: name, set_up, on, up }) => [name, set_up, on, up]),
    [
      ['bitcoin', true, true, true],
      ['evm', true, false, true],
      ['perfectmoney', false, false, false],
      ['payeer', false, false, false],
    ],
  );
  assert.deepEqual([list[2]?.detail, list[3]?.detail], ['not set up', 'not set up: payeer.json is no JSON']);
  const readAt = new Date('2026-11-28T08:25:40Z');
  useRails(carried(), [], {
    known: ['perfectmoney'],
    isOnAtStart: false,
    refused,
    readAt,
    needs: new Map([['perfectmoney', ['a file']]]),
  });
  const read = 'read at the start of 08:25 (2026-11-28, UTC); restart to read again';
  assert.deepEqual(
    (await railsView(world.db)).flatMap(({ set_up, detail }) => (set_up ? [] : [detail])),
    [`not set up: a file missing; ${read}`, `not set up: payeer.json is no JSON; ${read}`],
  );
  assert.deepEqual(await whyNot(world.place()), ['direction_closed', 'rail_off']);
  await assert.rejects(set('perfectmoney', true), { code: 'validation' });
  assert.equal(await set('evm', true, 'orders'), 'awaiting_second', 'its first time takes two');
  assert.deepEqual(await whyNot(world.place()), ['direction_closed', 'rail_off']);
  await assert.rejects(set('evm', true, 'orders'), { code: 'same_person' });
  await assert.rejects(set('evm', true, 'deposits', bob), { code: 'request_differs' });
  assert.equal(await set('evm', true, 'orders', bob), 'done');
  assert.equal(await whyNot(world.place()), 'placed');
  assert.equal(await set('evm', false), 'done');
  assert.equal(await set('evm', true), 'done', 'again, one does');
  const key = 'payments.rails';
  assert.equal(peopleToChange(key, { evm: false }, { evm: true }), 2, 'nor by the setting');
  assert.equal(peopleToChange(key, { evm: true }, { evm: false }), 1);
  assert.equal(await whyNot(world.place()), 'placed');
});

test('a rail that can no longer be set up stops nothing else: its orders are shown and wait, and the desk’s lists work', async () => {
  const [paid, unpaid] = [await world.place(), await world.place({ from: 'USDT_ERC20', amount: '500' })];
  world.pay(paid);
  world.pay(unpaid);
  await world.mine(1);
  const without = new Map([...carried()].filter(([name]) => name !== 'evm'));
  useRails(without, [], {
    known: ['bitcoin', 'evm'],
    refused: new Map([['evm', 'KURS_EVM_CHAIN_ID is missing: say which chain it is']]),
  });
  await world.mine(6);
  assert.equal((await rail('evm'))?.detail, 'not set up: KURS_EVM_CHAIN_ID is missing: say which chain it is');
  const showing = { ...world.deps, operators: async () => 2 } as unknown as Parameters<typeof orderView>[1];
  for (const { number } of [paid, unpaid]) assert.ok((await orderView(world.db, showing, number)).order.id);
  assert.ok(
    (await ordersView(world.db, { page: 1, per_page: 20, waiting: '0', state: undefined, q: undefined })).data.length > 1,
  );
  assert.deepEqual(
    (await reservesView(world.db)).map(({ currency }) => currency),
    ['BTC', 'LTC'],
  );
  assert.deepEqual(await whyNot(world.place({ from: 'BTC' })), ['direction_closed', 'rail_off']);
  useRails(carried(), [], { isOnAtStart: true });
  await world.mine(64);
  for (let turn = 0; turn < 6; turn += 1) await world.pass(1);
  assert.equal((await world.order(paid)).view.state, 'completed', 'once it is there again, what waited goes on');
  await world.audit();
});
