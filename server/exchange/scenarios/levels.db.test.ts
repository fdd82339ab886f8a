// The level is that of the signed-in account holder, read at each step and at the placing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { setLevel } from '../../compliance/index.ts';
import { type SettingsWatch, putSetting, watchSettings } from '../../platform/index.ts';
import { directionsWire } from '../../pricing/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3, showCalculation } from '../calculation/calculate.ts';
import type { SignedIn } from './signed-in.testing.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;

/** Opens a world in which USDT is reversible for months, so that paying with it needs level 2. */
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

const REVERSIBLE = { from: 'USDT_ERC20', amount: '100' } as const;
/** 1 800 USD; a visitor may exchange 1 000 at once. */
const LARGE = { from: 'BTC', amount: '0.02' } as const;
const VISITOR = { locale: 'en', device: 'a device', ip: '198.51.100.9' } as const;
const calculating = () => ({
  db: world.db,
  tokens: world.deps.sender.tokens,
  receipts: world.deps.receipts,
  approvalFor: () => 0,
  operators: async () => 2,
});

/** Accepts `sign_in_needed` with this level. */
const asksToSignIn = (level: number) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.deepEqual([error.code, error.details.params], ['sign_in_needed', { level: String(level) }]);
  return true;
};
/** Accepts a refusal with this code, of the call or of one of its fields. */
const refusedWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  const fields = Object.values(error.details.errors ?? {}).flat();
  assert.ok(error.code === code || fields.some((one) => one.code === code), `${error.code} ${JSON.stringify(fields)}`);
  return true;
};
const place = (known: { id: string; token: string }, own?: SignedIn) => placeOrder(world.deps, { ...known, holderId: own?.id });

test('typing the address of a customer of level 2 gives no level: a visitor is asked to sign in', async () => {
  const { email } = await world.holder(2);
  await assert.rejects(world.calculate({ ...REVERSIBLE, email }), asksToSignIn(2));
  await assert.rejects(world.calculate({ ...LARGE, email }), asksToSignIn(1));
  await assert.rejects(world.calculate({ ...LARGE, amount: '0.1', email }), asksToSignIn(2));
  await assert.rejects(world.calculate({ ...LARGE, amount: '5', email }), refusedWith('amount_above_max'), 'no level allows it');
});

test('a customer who may not pay in a currency learns it at the first step', async () => {
  const ask = { from: 'USDT_ERC20', to: 'BTC', amount: '100', side: 'give' } as const;
  const [known, fresh] = [await world.holder(2), await world.holder(1)];
  await assert.rejects(step1(calculating(), ask, VISITOR), asksToSignIn(2));
  await assert.rejects(
    step1(calculating(), ask, VISITOR, fresh),
    (error: Problem) => error.code === 'level_needed' && error.details.errors === undefined,
  );
  assert.ok((await step1(calculating(), ask, VISITOR, known)).id);
  assert.ok((await step1(calculating(), { ...ask, from: 'BTC', to: 'USDT_ERC20', amount: '0.005' }, VISITOR)).id);
});

test('directions name the level needed to pay, if the viewer’s is lower', () => {
  const needed = (level: 0 | 2, wallet?: 'give' | 'get') =>
    directionsWire({ from: 'USDT_ERC20', to: 'BTC' }, { level, wallet }).directions[0]?.needs_level;
  assert.deepEqual([needed(0), needed(2), needed(0, 'get'), needed(0, 'give')], [2, undefined, 2, undefined]);
  assert.equal(directionsWire({ from: 'BTC' }).directions[0]?.needs_level, undefined);
});

test('an account holder has their own level, whatever address they type', async () => {
  const [known, fresh] = [await world.holder(2), await world.holder(1)];
  await assert.rejects(world.calculate({ ...REVERSIBLE, own: fresh, email: known.email }), refusedWith('level_needed'));
  await assert.rejects(
    world.calculate({ ...LARGE, amount: '0.1', own: fresh, email: known.email }),
    refusedWith('amount_above_max'),
  );
  const order = await world.place({ ...REVERSIBLE, own: known, email: 'somebody@example.org' });
  assert.equal(order.email, 'somebody@example.org');
  await world.place({ ...LARGE, amount: '0.1', own: known, email: fresh.email });
});

test('a visitor whose counted orders exceed the limit is asked to sign in, if a level would allow more', async () => {
  for (let placed = 0; placed < 2; placed += 1) await world.place({ from: 'BTC', amount: '0.01', as: 'of many orders' });
  await assert.rejects(world.calculate({ from: 'BTC', amount: '0.01', as: 'of many orders' }), asksToSignIn(1));
});

test('an order is placed at the level of the caller: the session may have ended, or be another’s', async () => {
  const [known, fresh] = [await world.holder(2), await world.holder(1)];
  const reversible = await world.calculate({ ...REVERSIBLE, own: known });
  await assert.rejects(place(reversible), asksToSignIn(2));
  await assert.rejects(place(reversible, fresh), refusedWith('level_needed'));
  const large = await world.calculate({ ...LARGE, own: known });
  await assert.rejects(place(large), refusedWith('quote_expired'));
  await assert.rejects(step3(calculating(), large, VISITOR), asksToSignIn(1), 'and its review is not shown to a visitor again');
  assert.equal((await place(reversible, known)).holderId, known.id);
  await place(large, known);
});

test('a visitor who returns to a calculation is asked to sign in once its review is over', async () => {
  const own = await world.holder(2);
  const large = await world.calculate({ ...LARGE, own });
  await world.pass(4);
  await assert.rejects(showCalculation(calculating(), large), asksToSignIn(1));
  assert.equal((await showCalculation(calculating(), large, own)).id, large.id);
});

test('a level lowered since the review applies at the placing', async () => {
  const own = await world.holder(2);
  const [reversible, large] = [
    await world.calculate({ ...REVERSIBLE, own }),
    await world.calculate({ ...LARGE, amount: '0.1', own }),
  ];
  await world.db.tx((tx) => setLevel(tx, own.id, 1, 'test'));
  await assert.rejects(place(reversible, own), refusedWith('level_needed'));
  await assert.rejects(place(large, own), refusedWith('quote_expired'));
  await assert.rejects(step3(calculating(), large, VISITOR, own), refusedWith('amount_above_max'));
  await world.db.tx((tx) => setLevel(tx, own.id, 3, 'test'));
  await place(large, own);
});

test('a partner’s customer has level 0 and is refused without being asked to sign in', async () => {
  const { email } = await world.holder(2);
  const partner = { locale: 'en', isBotChecked: true } as const;
  const begun = await step1(calculating(), { from: 'USDT_ERC20', to: 'BTC', amount: '100', side: 'give' }, partner);
  const accounts = { receive: { ...world.rails.BTC.receiver() }, refund: { ...world.rails.USDT_ERC20.receiver() } };
  const known = { id: begun.id, token: begun.token as string, ...accounts };
  const request = step2(calculating(), { ...known, email, terms_accepted: true, ask_me: false }, partner);
  await assert.rejects(request, refusedWith('level_needed'));
});

test('a payment history belongs to a verified mailbox, never to a typed address', async () => {
  const [known, fresh] = [await world.holder(2), await world.holder(2)];
  await world.owner.run(
    `update customer_order set customer = $1, give_currency = 'USDT_ERC20', state = 'completed', finished_at = clock_now() - interval '90 days'
     where id = (select id from customer_order order by id limit 1)`,
    [known.email],
  );
  const wanted = { from: 'USDT_ERC20', amount: '400' } as const;
  await assert.rejects(world.calculate({ ...wanted, own: fresh, email: known.email }), refusedWith('amount_above_reversible'));
  await world.place({ ...wanted, own: known, email: fresh.email });
});
