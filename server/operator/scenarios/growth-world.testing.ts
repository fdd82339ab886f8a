// Fills a test database with rows in all tables about coupons, affiliates and rewards, prizes, and loyalty and verification
// levels. Also adds orders that have coupons, rewards and prizes.

import assert from 'node:assert/strict';
import { affiliateOrders } from '../../affiliates/index.ts';
import { fillWaiting, matureDue, rewardsToWallet } from '../../affiliates/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { alone, subscriptionsOf } from '../../collecting/index.ts';
import { setLevel } from '../../compliance/index.ts';
import { earnLate } from '../../coupons/testing.ts';
import { earnSubscription } from '../../earn/index.ts';
import { putEndpoint } from '../../deliveries/index.ts';
import { openBeginning, openClaiming, payTask, prizesToWallet, toCredit } from '../../earn/testing.ts';
import type { StoredOrder } from '../../exchange/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { INVOICE_OWNER } from '../../gate/index.ts';
import { approvedFor, bookCostFor, invoiceFor, linksFor, moveSettled, storeFor } from '../../gate/testing.ts';
import { addAddress, setList } from '../../moneyout/testing.ts';
import { type AccountHolder, type SettingsWatch, newId, outbox, putSetting, watchSettings } from '../../platform/index.ts';
import { fundPot } from '../../pots/index.ts';
import { WALLET_OWNER } from '../../wallets/index.ts';
import { storeCampaign, saveTerms } from '../../referrals/index.ts';
import { newCoupons } from '../actions/money/coupons.ts';
import { addPerson } from '../people/person.testing.ts';

const USDT = 1_000_000n;
const DAY_MINUTES = 24 * 60;
const HALF_DAY_MINUTES = DAY_MINUTES / 2;

/** A simulated desk with rows in all tables about coupons, affiliates, prizes and levels, and its account holders. */
export interface GrowthWorld {
  readonly world: World;
  /** Customer with an account, referred by `ann`. */
  readonly cat: AccountHolder;
  /** Affiliate who referred `cat`. */
  readonly ann: AccountHolder;
  /** Affiliate who referred `ann`. */
  readonly bob: AccountHolder;
  /** Open order of `cat`, which holds uses of coupons. */
  readonly open: StoredOrder;
  close(): Promise<void>;
}

/** Opens a simulated desk and fills all tables about coupons, affiliates, prizes and levels, by the product's own code. */
export async function openGrowthWorld(): Promise<GrowthWorld> {
  const world = await openWorld();
  const settings = await watchSettings(world.db);
  const close = async (): Promise<void> => {
    await settings.stop();
    await world.close();
  };
  try {
    return { world, close, ...(await fillWorld(world, settings)) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillWorld(world: World, settings: SettingsWatch): Promise<Omit<GrowthWorld, 'world' | 'close'>> {
  const { db } = world;
  const [bob, ann, cat] = ['bob', 'ann', 'cat'].map((name) => ({
    ...{ id: newId(), email: `${name}@example.org`, isEmailVerified: true },
  })) as [AccountHolder, AccountHolder, AccountHolder];
  for (const [{ id, email }, by] of [
    [bob, null],
    [ann, bob.id],
    [cat, null],
  ] as const)
    await db.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referred_by)
       values ($1, $2, $2, clock_now(), 'en', clock_now(), $3)`,
      [id, email, by],
    );
  await db.tx(writeHolderMacs);
  // The simulated desk's capital was posted without its row in `desk_posting`.
  await world.owner.run(`insert into desk_posting select distinct cause, 'capital_in', at from posting where kind = 80`);
  const orders = affiliateOrders('Kurs');
  const subscriptions = [orders, earnSubscription, ...subscriptionsOf([WALLET_OWNER, INVOICE_OWNER], world.deps.sender)];
  await outbox.subscribe(db, subscriptions);
  const report = async (): Promise<void> => {
    for (const one of subscriptions) await outbox.drain(db, one);
  };
  await db.tx(async (tx) => {
    await putSetting(tx, 'earn.on', true, 'olga');
    await putSetting(tx, 'earn.wallet_least_usd', '0.1', 'olga');
    await putSetting(tx, 'affiliates.least_usd', '0.1', 'olga');
    await setLevel(tx, cat.id, 3, 'olga');
    await storeCampaign(tx, ann.id, { name: 'blog', split: 50, postback: 'https://ann.example/', maxSplit: 50 });
    await saveTerms(tx, bob.id, { share: 40, isSuspended: true });
    await addAddress(tx, bob.id, {
      currency: 'USDT_ERC20',
      key: '0xbb',
      fields: { address: '0xbb' },
      label: 'mine',
      usableAt: tx.now,
    });
    await setList(tx, bob.id, true, undefined);
    await putEndpoint(tx, { id: newId(), owner: `affiliate ${bob.id}`, kind: 'standard', url: 'https://bob.example/' });
  });
  const shop = await storeFor(db, bob.id, (await approvedFor(db, bob.id)).id);
  await storeFor(db, cat.id);
  await settings.refresh();
  for (const pot of ['late', 'affiliate', 'earn'] as const)
    await alone(db, async (unit) => unit.post(await fundPot(unit.tx, { id: newId(), pot, parts: 2_000n * USDT, isBack: false })));
  await makeCoupons(world);
  const ref = await db.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [ann.id]);
  const by = { own: cat, ref: `${ref?.code}.blog` };
  // An order of a referred customer, exchanged with a coupon and paid out late.
  const first = await settle(world, { ...by, coupon: 'FIXED', amount: '0.02' });
  await report();
  await world.pass(15 * DAY_MINUTES);
  await matureDue(db);
  await rewardsToWallet(db, ann.id, 100_000n);
  // An order with a pending reward, and an order whose customer is the affiliate.
  await settle(world, { ...by, coupon: 'PERCENT' });
  await settle(world, { ...by, own: ann });
  await report();
  await winPrizes(world, cat, bob);
  await alone(db, async (unit) => {
    const late = { id: first.view.id, emailKey: cat.email, keys: [`holder:${cat.id}`], worth: 3n * USDT };
    await earnLate(unit.tx, [{ ...late, id: newId() }], async () => 0n);
  });
  await settle(world, {});
  const open = await world.place({ ...by, coupon: 'PERCENT' });
  await invoiceFor(db, shop.id, '200', 'BTC');
  // A payment that is settled to the shop, and moved to its owner's wallet.
  const [{ to = '', parts = 0n } = assert.fail('no option')] = (await invoiceFor(db, shop.id, '100', 'BTC')).view.options;
  world.rails.BTC.world.pay(to, parts, { currency: 'BTC' });
  await world.mine(7);
  await report();
  await bookCostFor(db, shop, 'BTC');
  await moveSettled(db, shop);
  await linksFor(db, shop.id);
  // A calculation that becomes no order.
  await world.calculate({ ...by });
  await report();
  await fillWaiting(db);
  await world.turn();
  return { cat, ann, bob, open };
}

/** Makes coupons as people of the desk do. */
async function makeCoupons({ db }: World): Promise<void> {
  const olga = await addPerson(db, 'olga');
  const usual = { uses: 9, per_customer: 9, first_order: false, reason: 'for the spring' };
  await newCoupons(db, olga, { ...usual, code: 'PERCENT', percent: '20', most_usd: '90' });
  await newCoupons(db, olga, { ...usual, code: 'FIXED', value: '8' });
}

/** Places an order, pays it, and pays it out late. */
async function settle(world: World, options: Parameters<World['place']>[0]): Promise<StoredOrder> {
  const placed = await world.place(options);
  world.pay(placed);
  world.holdSends();
  await world.mine(6);
  await world.pass(20);
  world.holdSends(false);
  await world.turn();
  await world.mine(70);
  const done = await world.order(placed);
  assert.equal(done.view.state, 'completed');
  return done;
}

/** Makes a claimed and an open draw, a paid task, and prizes used in both ways. */
async function winPrizes(world: World, holder: AccountHolder, other: AccountHolder): Promise<void> {
  const { db } = world;
  // Moves the clock to noon, two days later: the next steps take hours and must stay within one day, since prizes are proven by
  // day.
  const now = await db.now();
  await world.pass(2 * DAY_MINUTES + HALF_DAY_MINUTES - now.getUTCHours() * 60 - now.getUTCMinutes());
  const [begin, claim] = [openBeginning(db), openClaiming(db)];
  const from = { customer: holder.email, device: 'device:d', network: 'net:n' };
  const request = { ...from, holderId: holder.id, spend: async () => {} };
  const draw = await begin(request);
  await claim({ holderId: holder.id, id: draw.id, clientSeed: 'a text' });
  await payTask(db, holder, 'email');
  await payTask(db, holder, 'first_order');
  await toCredit(db, holder, '0.01');
  await prizesToWallet(db, holder, '0.1');
  await begin({ holderId: other.id, customer: other.email, spend: async () => {} });
}
