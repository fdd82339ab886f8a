// A customer's affiliate is determined again at the placing: knowledge gained since the review changes the price.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { canonicalEmail } from '../../platform/index.ts';
import { storeCampaign, noteKeys } from '../../referrals/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step3 } from '../calculation/calculate.ts';
import type { Calculation } from '../calculation/calculation.ts';
import { lockCalculations, saveCalculation } from '../calculation/calculation-store.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { SignedIn } from './signed-in.testing.ts';
import { type PlaceOptions, type World, openWorld } from './world.testing.ts';

let world: World;
/** The affiliate, and the link with the friend's discount. */
let ann: SignedIn;
let ref: string;

before(async () => {
  world = await openWorld();
  ann = await world.holder();
  await world.db.tx((tx) => storeCampaign(tx, ann.id, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 }));
  const row = await world.db.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [ann.id]);
  ref = `${row?.code}.blog`;
});
after(() => world.close());

type CalculationKey = { readonly id: string; readonly token: string };
const place = (known: CalculationKey, own?: SignedIn): Promise<StoredOrder> =>
  placeOrder(world.deps, { ...known, holderId: own?.id });
const deps = () => ({ ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 });
async function discounts(known: CalculationKey, own?: SignedIn): Promise<string[]> {
  const visitor = { locale: 'en', device: `device of ${known.id}` } as const;
  const { quote } = await step3(deps(), { ...known, bot_token: 'sandbox' }, visitor, own);
  return (quote.discounts ?? []).map(({ code }) => code);
}
const isExpired = (error: Problem): boolean => error.code === 'quote_expired';
const friendOf = ({ view: { pinned } }: StoredOrder): bigint => pinned.sent?.friend.numerator ?? 0n;
/** Places an order without a link and completes it. */
async function completed(options: PlaceOptions): Promise<void> {
  const order = await world.place(options);
  world.pay(order);
  for (let turns = 0; turns < 2; turns += 1) await world.mine(70);
  assert.equal(await world.state(order), 'completed');
}
const friendsOrder = (options: PlaceOptions = {}): Promise<CalculationKey> => world.calculate({ ref, ...options });

test('an affiliate’s customer gets the friend’s discount, in the review and in the order', async () => {
  const known = await friendsOrder();
  assert.deepEqual(await discounts(known), ['friend']);
  assert.ok(friendOf(await place(known)) > 0n);
});

test('an affiliate who reviews as a visitor and places signed in gets no friend’s discount', async () => {
  const known = await friendsOrder();
  await assert.rejects(place(known, ann), isExpired);
  assert.deepEqual(await discounts(known, ann), [], 'the review is quoted anew, though its time is not over');
  const { view } = await place(known, ann);
  assert.deepEqual([view.pinned.sent?.shared, view.pinned.sent?.friend.numerator], ['holder', 0n]);
});

test('an account that becomes the affiliate’s between review and placing ends the friend’s discount', async () => {
  const known = await friendsOrder();
  const row = await world.db.row<{ receive: string }>(`select receive::text as receive from calculation where id = $1`, [
    known.id,
  ]);
  const { key } = JSON.parse(row?.receive ?? '{}') as { key: string };
  await world.db.tx((tx) => noteKeys(tx, [{ holderId: ann.id, keys: [`account:USDT_ERC20:${key}`] }]));
  await assert.rejects(place(known), isExpired);
  assert.deepEqual(await discounts(known), []);
  assert.equal((await place(known)).view.pinned.sent?.shared, 'account');
});

test('a customer whose first order is completed between review and placing is no new friend', async () => {
  const own = await world.holder();
  const known = await friendsOrder({ own });
  await completed({ own });
  assert.deepEqual(await discounts(known, own), []);
  assert.equal(friendOf(await place(known, own)), 0n);
});

test('a holder who reviews as a visitor and places signed in belongs to the account’s affiliate', async () => {
  const [own, bob] = [await world.holder(), await world.holder()];
  await world.db.tx(async (tx) => {
    await tx.run('update account_holder set referred_by = $2 where id = $1', [own.id, bob.id]);
    await writeHolderMacs(tx);
  });
  const known = await friendsOrder();
  await assert.rejects(place(known, own), isExpired);
  await discounts(known, own);
  assert.equal((await place(known, own)).view.pinned.sent?.affiliate, bob.id);
});

test('an order with a merely typed address takes the friend’s discount neither from a holder nor from a verified mailbox', async () => {
  const own = await world.holder();
  const mailbox = 'mailbox@example.org';
  for (const email of [own.email, mailbox]) await completed({ email });
  const signedIn = await friendsOrder({ own });
  assert.deepEqual(await discounts(signedIn, own), ['friend']);
  assert.ok(friendOf(await place(signedIn, own)) > 0n);
  const typed = await friendsOrder({ email: mailbox });
  assert.deepEqual(await discounts(typed), [], 'between visitors it counts');
  await shown(typed);
  assert.deepEqual(await discounts(typed), ['friend']);
  assert.ok(friendOf(await place(typed)) > 0n);
});

test('a visitor who has ordered with a verified mailbox is no new friend, with an account neither', async () => {
  const email = 'regular@example.org';
  const known = await world.calculate({ email });
  await shown(known);
  await discounts(known);
  const order = await place(known);
  world.pay(order);
  for (let turns = 0; turns < 2; turns += 1) await world.mine(70);
  const again = await friendsOrder({ email });
  await shown(again);
  assert.deepEqual(await discounts(again), []);
  const own = await world.holder(1, email);
  assert.deepEqual(await discounts(await friendsOrder({ own }), own), []);
});

/** Lets the visitor prove to read the mailbox that they typed. */
const shown = ({ id }: CalculationKey): Promise<void> =>
  world.db.tx(async (tx) => {
    const calculation = (await lockCalculations(tx, [id])).get(id) as Calculation;
    const over = calculation.held && { held: { ...calculation.held, expiresAt: tx.now.getTime() } };
    saveCalculation(tx, { ...calculation, ...over, mailbox: canonicalEmail(calculation.email ?? '') });
  });
