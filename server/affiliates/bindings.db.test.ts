// Bindings by orders: of the signed-in holder, or of an address without completed orders.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../auth/testing.ts';
import { type StoredOrder, placeOrder, step1, step2, step3 } from '../exchange/index.ts';
import { type PlaceOptions, type SignedIn, type World, openWorld } from '../exchange/testing.ts';
import { newId, outbox } from '../platform/index.ts';
import { countSignUp, forgetTypedBinding, storeCampaign, moveBinding } from '../referrals/index.ts';
import { affiliateOrders } from './apply-orders.ts';

const orders = affiliateOrders('Kurs');
let world: World;
let mallory: SignedIn;
/** Mallory's link, by which friends pay less. */
let ref: string;

before(async () => {
  world = await openWorld();
  await outbox.subscribe(world.db, [orders]);
  mallory = await world.holder();
  await world.db.tx((tx) => storeCampaign(tx, mallory.id, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 }));
  const row = await world.db.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [
    mallory.id,
  ]);
  ref = `${row?.code}.blog`;
});
after(() => world.close());

let people = 0;
const fresh = (): string => `person${(people += 1)}@example.org`;
/** Places an order, and has it completed. */
const order = async (options: PlaceOptions): Promise<StoredOrder> => completed(await world.place(options));
async function completed(placed: StoredOrder): Promise<StoredOrder> {
  world.pay(placed);
  for (let turns = 0; turns < 2; turns += 1) await world.mine(70);
  await outbox.drain(world.db, orders);
  const done = await world.order(placed);
  assert.equal(done.view.state, 'completed');
  return done;
}
/** Returns who is paid for a further order of a customer that came by no link. */
async function senderOf(options: PlaceOptions): Promise<string | undefined> {
  return (await world.place(options)).view.pinned.sent?.affiliate;
}

test('typing the address of a customer who has ordered binds nobody, and each such order earns for itself', async () => {
  const own = await world.holder();
  await order({ own });
  const typed = await order({ email: own.email, ref });
  assert.equal(typed.view.pinned.sent?.affiliate, mallory.id);
  assert.deepEqual([await senderOf({ own }), await senderOf({ email: own.email })], [undefined, undefined]);
  const visitor = fresh();
  await order({ email: visitor });
  await order({ email: visitor, ref });
  assert.equal(await senderOf({ email: visitor }), undefined, 'nor of a visitor who has ordered');
});

test('an address that nobody has ordered by is bound, but never the account holder who has it', async () => {
  const email = fresh();
  await order({ email, ref });
  assert.equal(await senderOf({ email, as: 'another device' }), mallory.id, 'a visitor');
  const own = await world.holder(1, email);
  assert.equal(await senderOf({ own }), undefined, 'its owner, signed in');
  await order({ own });
  assert.equal(await senderOf({ own }), undefined);
});

test('a sign-up is bound by its own reference alone, and ends what was bound by typing its address', async () => {
  const email = fresh();
  await order({ email, ref });
  await world.db.tx((tx) => countSignUp(tx, { email, by: undefined }));
  assert.equal(await senderOf({ email }), undefined, 'a visitor who types it');
  const own = await world.holder(1, email);
  assert.equal(await senderOf({ own }), undefined);
});

test('an order binds the holder who is signed in for 90 days, whatever address they type, and not that address', async () => {
  const [own, other] = [await world.holder(), fresh()];
  await order({ own, email: other, ref });
  assert.deepEqual([await senderOf({ own }), await senderOf({ email: other })], [mallory.id, undefined]);
  await world.db.tx((tx) => moveBinding(tx, { from: own.email, to: fresh() }));
  assert.equal(await senderOf({ own }), mallory.id, 'another address changes nothing');
  await world.pass(90 * 24 * 60 + 1);
  assert.equal(await senderOf({ own }), undefined);
});

test('signing in ends what was bound by typing the address of who signs in', async () => {
  const email = fresh();
  await order({ email, ref });
  await world.db.tx((tx) => forgetTypedBinding(tx, email.toUpperCase()));
  assert.equal(await senderOf({ email }), undefined);
});

test('who sent an account by its sign-up counts before what its orders came by, and for good', async () => {
  const own = await world.holder();
  const affiliate = await world.holder();
  await world.db.tx(async (tx) => {
    await tx.run('update account_holder set referred_by = $2 where id = $1', [own.id, affiliate.id]);
    await writeHolderMacs(tx);
  });
  await order({ own, ref });
  await world.pass(91 * 24 * 60);
  assert.equal(await senderOf({ own, ref }), affiliate.id);
});

test('a partner’s program binds nobody, and its order earns for its partner', async () => {
  const email = fresh();
  const deps = { ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 };
  const partner = { locale: 'en', isBotChecked: true } as const;
  const known = { id: newId(), token: '' };
  const begun = await step1(
    deps,
    { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give', ref },
    partner,
    undefined,
    known.id,
  );
  const named = { ...known, token: begun.token as string };
  const accounts = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } };
  await step2(deps, { ...named, ...accounts, email, terms_accepted: true, ask_me: false }, partner);
  await step3(deps, named, partner);
  const placed = await placeOrder(world.deps, { ...named, partner: { id: mallory.id, maxOpen: 10 } });
  assert.equal((await completed(placed)).view.pinned.sent?.affiliate, mallory.id);
  assert.deepEqual(await world.db.rows('select from binding where customer = $1', [email]), []);
  assert.equal(await senderOf({ email }), undefined);
});
