// Account holders' pages are notified of changes: each of the own account, until the session ends.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { grantRole } from '../auth/index.ts';
import { keepOpeners } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { accounts, leg } from '../ledger/index.ts';
import { type Context, type EventStream, newId } from '../platform/index.ts';
import { fundPot } from '../pots/index.ts';
import { countDays } from '../referrals/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../wallets/testing.ts';
import { type AccountWatch, watchAccounts } from './account-watch.ts';
import { ORDER_OWNER } from '../exchange/index.ts';
import { WALLET_OWNER } from '../wallets/index.ts';

let world: WalletWorld;
let watch: AccountWatch;
before(async () => {
  world = await walletWorld();
  watch = watchAccounts(world.desk.db, [ORDER_OWNER, WALLET_OWNER]);
});
after(async () => {
  await watch.stop();
  await world.close();
});

/** Returns the context of a new account holder with a valid session. */
async function signedIn(btc = '0'): Promise<Context> {
  const context = as(await world.holder(btc));
  const { id, sessionId } = context.user!;
  await world.desk.db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, decode(md5($3), 'hex'), 'test', '203.0.113.7', clock_now(), clock_now())`,
    [sessionId, id, sessionId],
  );
  await keepOpeners(world.desk.db);
  return context;
}

/** Reads the stream, with the change token of `lastEventId` or as a new reader. */
async function read(context: Context, lastEventId?: string) {
  const gone = new AbortController();
  const marks: string[] = [];
  const stream: EventStream = {
    lastEventId,
    signal: gone.signal,
    send: ({ id }) => void marks.push(id),
    end: () => gone.abort(),
  };
  await (await watch.stream({}, context)).report(stream);
  return { marks, gone };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await isTrue()) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(await isTrue());
}

const markOf = async (context: Context): Promise<string> => (await watch.work({}, context)).mark;

test('notifies a holder of changes of their own money only, at once and only once', async () => {
  const [ann, bob] = [await signedIn('0.01'), await signedIn()];
  const known = await markOf(bob);
  const [hers, his, anew] = [await read(ann, await markOf(ann)), await read(bob, known), await read(ann, 'older')];
  await until(() => anew.marks.length === 1);
  assert.deepEqual([hers.marks, his.marks], [[], []]);

  await world.withdraw(ann.user!.id, '0.001');
  // A poll during the withdrawal may see half of it; the next one sees all.
  await until(async () => hers.marks.at(-1) === (await markOf(ann)));
  assert.deepEqual(his.marks, []);

  await world.transfer(ann.user!.id, '0.001', emailOf(bob.user!.id));
  await until(() => his.marks.length > 0);
  assert.notEqual(await markOf(bob), known);
  for (const { gone } of [hers, his, anew]) gone.abort();
});

test('notifies of a deposit when it is seen and when it is final', async () => {
  const ann = await signedIn();
  const { deposit } = await world.handlers.walletStore({ currency: 'BTC', rail: 'bitcoin' }, ann);
  const marks = new Set([await markOf(ann)]);
  world.desk.world.pay(deposit!.address, 500_000n);
  for (const blocks of [0, 2]) {
    if (blocks > 0) world.desk.world.mine(blocks);
    await world.desk.pass(61_000);
    await world.desk.turn();
    await world.report();
    marks.add(await markOf(ann));
  }
  assert.equal(marks.size, 3);
});

test('notifies an affiliate of clicks and rewards and a holder of coupons, and nobody else', async () => {
  const { db } = world.desk;
  const [ann, bob] = [await signedIn(), await signedIn()];
  const { id } = ann.user!;
  const [order, reward, coupon] = [newId(), newId(), newId()];
  const known = await markOf(bob);
  const earns = () =>
    alone(db, async (unit) => {
      unit.post({
        id: newId(),
        kind: 'capital_in',
        cause: reward,
        legs: [leg(accounts.custody('evm', 'hot', 'USDT'), accounts.deskFree('USDT'), 10n)],
      });
      unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: 10n, isBack: false }));
      const [pot, pending] = [accounts.promo('affiliate', 'USDT'), accounts.affiliatePending(id, 'USDT')];
      unit.post({ id: newId(), kind: 'reward', cause: reward, legs: [leg(pot, pending, 10n)] });
    });
  const changes: Record<string, () => Promise<unknown>> = {
    click: () =>
      db.run(`insert into affiliate_day (holder_id, day, campaign, clicks) values ($1, clock_now()::date, 'x', 1)`, [id]),
    'sign-up': () => db.tx((tx) => countDays(tx, [{ holderId: id, campaign: 'x', at: tx.now, signUps: 1 }])),
    case: async () => {
      await db.run(
        `insert into referred_order (order_id, affiliate, campaign, sub, give, get, placed_at) values ($1, $2, '', '', 'BTC', 'USDT', clock_now())`,
        [order, id],
      );
      await db.run(
        `insert into reward (id, order_id, tier, holder_id, state, parts, matures_at, made_at, state_at)
         values ($1, $2, 1, $3, 'case', 10, clock_now(), clock_now(), clock_now())`,
        [reward, order, id],
      );
    },
    'decided case': () => db.run(`update reward set state = 'refused' where id = $1`, [reward]),
    'posted reward': earns,
    coupon: async () => {
      await db.run(
        `insert into coupon (id, code, kind, state, percent, budget, max, made_by, made_at, state_at)
         values ($1, 'WATCHED', 'percent', 'live', '10', 10, 10, '{olga}', clock_now(), clock_now())`,
        [coupon],
      );
      await db.run('insert into coupon_kept (holder_id, coupon_id, at) values ($1, $2, clock_now())', [id, coupon]);
    },
    'stopped coupon': () => db.run(`update coupon set state = 'stopped' where id = $1`, [coupon]),
    credit: () => db.run(`update coupon set kind = 'credit', percent = null, holder_id = $2 where id = $1`, [coupon, id]),
    'used credit': () => db.run('update coupon set budget = 5 where id = $1', [coupon]),
    suspension: () => db.run('insert into affiliate (holder_id, suspended_at) values ($1, clock_now())', [id]),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = await markOf(ann);
    await change();
    assert.notEqual(await markOf(ann), before, what);
  }
  assert.equal(await markOf(bob), known);
});

test('notifies of the state of a business, of roles on stores and of invitations, and nobody else', async () => {
  const { db } = world.desk;
  const [unverified, bob] = [await signedIn(), await signedIn()];
  const ann = { ...unverified, user: { ...unverified.user!, isEmailVerified: true } };
  const { id } = ann.user;
  const [business, store] = [newId(), newId()];
  const known = await markOf(bob);
  const changes: Record<string, () => Promise<unknown>> = {
    business: () =>
      db.run(
        `insert into business (id, holder_id, state, state_at, legal_name, registration_number, country, address, web_sites, goods,
           turnover_usd, owners, created_at)
         values ($1, $2, 'applied', clock_now(), 'x', 'x', 'DE', 'x', '{https://x.example}', 'x', 1, '[]', clock_now())`,
        [business, id],
      ),
    approval: () => db.run(`update business set state = 'approved', state_at = clock_now() where id = $1`, [business]),
    role: () => db.tx((tx) => grantRole(tx, { holderId: id, on: { kind: 'store', id: store }, role: 'manager', by: id })),
    invitation: async () => {
      await db.run(
        `insert into store (id, kind, holder_id, name, timezone, invoice_currency, settlement_currency, created_at)
         values ($1, 'test', $2, 'x', 'UTC', 'USD', 'BTC', clock_now())`,
        [store, id],
      );
      await db.run(
        `insert into store_invitation (id, store_id, email, email_key, role, invited_by, invited_at, expires_at)
         values ($1, $2, $3, $3, 'manager', $4, clock_now(), clock_now() + interval '7 days')`,
        [newId(), store, emailOf(id), id],
      );
    },
    acceptance: () => db.run('update store_invitation set ended_at = clock_now() where store_id = $1', [store]),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = await markOf(ann);
    await change();
    assert.notEqual(await markOf(ann), before, what);
  }
  assert.equal(await markOf(bob), known);
});

test('ends the stream of a session that has ended', async () => {
  const ann = await signedIn('0.01');
  const { gone, marks } = await read(ann, await markOf(ann));
  await world.desk.db.run('update session set ended_at = clock_now() where id = $1', [ann.user!.sessionId]);
  await until(() => gone.signal.aborted);
  assert.deepEqual(marks, []);
});
