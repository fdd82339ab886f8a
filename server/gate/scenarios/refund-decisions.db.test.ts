// Decisions about claims of refunds by caps of roles and keys, members and the desk, and obstacles to a store's refunds.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { grantRole, makeApiKey, makeCode } from '../../auth/index.ts';
import { newHolder } from '../../auth/testing.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { decide } from '../businesses/decide.ts';
import { capsView, setCap } from '../refunds/actions/caps.ts';
import { mailCodeOfRefund } from '../refunds/actions/claim-refund.ts';
import { decideAsDesk } from '../refunds/actions/decide-claim.ts';
import { cancelRefund } from '../refunds/actions/end-refund.ts';
import { forgetRefunds } from '../refunds/forget-refunds.ts';
import type { Claim, Refund, RefundMaker } from '../refunds/machine/refund.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { forgottenRefund } from '../refunds/rows/refund-rows.ts';
import { claimPageWire } from '../refunds/views/claim-wire.ts';
import { refundRoutes } from '../refunds/routes.ts';
import { refundRowWire } from '../refunds/wire.ts';
import { asResource } from '../stores/store.ts';
import { CLAIMANT, type RefundWorld, openRefundWorld } from './refund-world.testing.ts';

/** Minutes of a day. */
const DAY = 1_440;

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('9000');
});
after(() => world.close());

async function manager(): Promise<RefundMaker> {
  const id = await newHolder(world.db);
  await world.db.tx((tx) => grantRole(tx, { holderId: id, on: asResource(world.store), role: 'manager', by: 'test' }));
  return { kind: 'member', id, isProposed: false };
}

/** Makes a refund of a paid invoice. */
const refundOf = async (amount: string, by?: RefundMaker): Promise<Refund> =>
  world.refund({ amount, invoice: (await world.paid(amount)).view.id }, by);

async function lastClaim(refund: Refund): Promise<Claim> {
  const claim = (await world.look(refund)).claims.at(-1);
  assert.ok(claim);
  return claim;
}

const byDesk = (id: string, action: 'approve' | 'reject', by = ['olga']): Promise<Claim> =>
  world.db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    const claim = await decideAsDesk(unit, world.sender, { id, action, reason: 'looked at', by });
    await unit.commit();
    return claim;
  });

test('claims of a manager’s refunds go out up to the store’s cap in a day, and wait for a member above it', async () => {
  const by = await manager();
  const refund = await refundOf('100.00', by);
  await world.claim(refund, { amount: '20' });
  const first = await lastClaim(refund);
  assert.equal(first.state, 'confirming', 'the cap is 0 until the owner sets one');
  assert.deepEqual(await world.prove(), []);
  await setCap(world.db, { store: world.store.id, cap: '50' }, world.store.holderId);
  await world.claim(refund, { amount: '40' });
  assert.equal((await lastClaim(refund)).state, 'paying');
  await world.claim(refund, { amount: '30' });
  const third = await lastClaim(refund);
  assert.equal(third.state, 'confirming', 'parts add up');
  assert.equal(await refusal(() => world.decide(third.id, 'confirm', by)), 'forbidden', 'a manager confirms up to the cap, too');
  await world.decide(third.id, 'confirm');
  await world.decide(first.id, 'refuse');
  await world.send();
  const { refund: now, claims } = await world.look(refund);
  assert.deepEqual(
    claims.map(({ state }) => state),
    ['refused', 'done', 'done'],
  );
  assert.equal(now.state, 'open');
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => world.decide(first.id, 'confirm')), 'order_changed');
});

test('claims that waited for more than a day count towards the cap when they are confirmed', async () => {
  const by = await manager();
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const refund = await refundOf('30.00', { kind: 'key', id: newId(), isProposed: true });
    await world.claim(refund);
    ids.push((await lastClaim(refund)).id);
  }
  await world.pass(2 * DAY);
  await setCap(world.db, { store: world.store.id, cap: '50' }, world.store.holderId);
  const [first = '', second = '', third = ''] = ids;
  await world.decide(first, 'confirm', by);
  for (const id of [second, third]) assert.equal(await refusal(() => world.decide(id, 'confirm', by)), 'forbidden');
  await world.send();
  await world.pass(DAY - 60);
  assert.equal(await refusal(() => world.decide(second, 'confirm', by)), 'forbidden', 'also once the first has arrived');
  await world.pass(180);
  await world.decide(second, 'confirm', by);
  await world.decide(third, 'refuse');
  await world.send();
  assert.deepEqual(await world.prove(), []);
});

test('a removed manager’s refunds wait for a member', async () => {
  const by = await manager();
  await setCap(world.db, { store: world.store.id, cap: '5000' }, world.store.holderId);
  const refund = await refundOf('30.00', by);
  await world.db.tx((tx) => grantRole(tx, { holderId: by.id, on: asResource(world.store), by: 'test' }));
  await world.claim(refund);
  assert.equal((await lastClaim(refund)).state, 'confirming');
});

test('claims of a key’s refunds go out up to the key’s cap, and all of a key that only proposes wait', async () => {
  const { store, db } = world;
  const keyWith = (scopes: string[]) =>
    db.tx((tx) =>
      makeApiKey(
        tx,
        { holderId: store.holderId, mode: 'sandbox', bound: { on: asResource(store), madeBy: store.holderId, isTest: false } },
        { name: scopes.join(), scopes, networks: [], days: 30 } as never,
      ),
    );
  const [creating, proposing] = [await keyWith(['refunds.create']), await keyWith(['refunds.propose'])];
  const first = await refundOf('30.00', { kind: 'key', id: creating.id, isProposed: false });
  await world.claim(first, { amount: '10' });
  assert.equal((await lastClaim(first)).state, 'confirming', 'a stolen key gets no money out');
  await setCap(db, { store: store.id, key: creating.id, cap: '20' }, store.holderId);
  assert.equal((await capsView(db, store.id)).keys.find(({ id }) => id === creating.id)?.cap, '20.00');
  await world.claim(first, { amount: '10' });
  assert.equal((await lastClaim(first)).state, 'paying');
  const second = await refundOf('30.00', { kind: 'key', id: proposing.id, isProposed: true });
  await world.claim(second, { amount: '10' });
  assert.equal((await lastClaim(second)).state, 'confirming');
  assert.equal(await refusal(() => setCap(db, { store: store.id, key: newId(), cap: '1' }, store.holderId)), 'not_found');
  await world.send();
});

test('a claim above the limits of money out waits for the desk, as one of an order or a wallet does', async () => {
  const refund = await refundOf('600.00');
  await world.claim(refund);
  const claim = await lastClaim(refund);
  assert.deepEqual([claim.state, claim.people], ['approving', 1]);
  assert.deepEqual(await world.prove(), []);
  await world.turn();
  assert.equal((await lastClaim(refund)).state, 'approving', 'nothing leaves');
  await byDesk(claim.id, 'approve');
  await world.send();
  assert.equal((await world.look(refund)).refund.state, 'paid');
  assert.deepEqual(await world.prove(), []);
  const other = await refundOf('700.00');
  await world.claim(other);
  await byDesk((await lastClaim(other)).id, 'reject');
  const back = await world.look(other);
  assert.deepEqual([back.refund.state, back.refund.rests], ['open', [back.refund.taken]]);
  await cancelRefund(world.db, { store: world.store.id, id: other.id });
  assert.deepEqual(await world.prove(), []);
});

test('a claim that waits gets at most what was shown, and less once the rate has fallen', async () => {
  const wait = async (then: string): Promise<{ readonly shown: bigint; readonly sent: bigint }> => {
    const refund = await refundOf('600.00');
    await world.claim(refund, { method: 'BTC' });
    const shown = (await lastClaim(refund)).parts;
    await world.price(then);
    const sent = (await byDesk((await lastClaim(refund)).id, 'approve')).parts;
    await world.send();
    assert.equal((await world.look(refund)).refund.state, 'paid');
    await world.price('90000');
    assert.deepEqual(await world.prove(), []);
    return { shown, sent };
  };
  const dear = await wait('100000');
  assert.ok(dear.sent < dear.shown, 'a bitcoin costs more: less arrives');
  const cheap = await wait('80000');
  assert.equal(cheap.sent, cheap.shown, 'no option on the market');
});

test('nothing leaves while the business is suspended; what was stopped at the last check waits for the desk', async () => {
  const { db, store } = world;
  const decideBusiness = (action: 'suspend' | 'resume') =>
    db.tx(async (tx) => {
      const business = await lockBusiness(tx, store.businessId ?? '');
      assert.ok(business);
      await decide(tx, world.sender, business, { action, note: '' });
    });
  const refund = await refundOf('60.00');
  await world.claim(refund, { amount: '20' });
  await decideBusiness('suspend');
  await world.turn();
  await world.turn();
  const kept = await lastClaim(refund);
  assert.deepEqual([kept.state, kept.reason], ['approving', 'store_closed']);
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => world.claim(refund)), 'store_closed');
  assert.equal(await refusal(() => world.refund()), 'store_closed');
  assert.equal(await refusal(() => byDesk(kept.id, 'approve')), 'store_closed');
  await decideBusiness('resume');
  await byDesk(kept.id, 'approve');
  await world.send();
  assert.equal((await lastClaim(refund)).state, 'done');
  await world.claim(refund);
  await world.send();
  assert.equal((await world.look(refund)).refund.state, 'paid');
  assert.deepEqual(await world.prove(), []);
});

test('a refund for an e-mail address needs the code that was mailed there', async () => {
  const refund = await world.refund({ amount: '30.00', email: 'eve@example.org', invoice: (await world.paid()).view.id });
  assert.equal(await refusal(() => world.claim(refund)), 'code_required');
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'store_refund', subject: refund.id, handle: 'browser' }));
  assert.equal(await refusal(() => world.claim(refund, { otp: '000000', handle: 'browser' })), 'code_wrong');
  assert.equal(await refusal(() => world.claim(refund, { otp, handle: 'another' })), 'code_expired');
  await world.claim(refund, { otp, handle: 'browser' });
  await world.send();
  assert.equal((await world.look(refund)).refund.state, 'paid');
});

test('a sum that its cost of sending would eat is said in words, and other currencies stay open', async () => {
  const refund = await world.refund({ amount: '0.30', invoice: (await world.paid()).view.id });
  const { methods } = await claimPageWire(world.db, refund, {}, 'en');
  const closed = methods.find(({ method }) => method === 'USDT_ERC20');
  assert.equal(closed?.closed, 'too_small');
  assert.ok(Number(closed.least) > 0.3);
  assert.equal(await refusal(() => world.claim(refund)), 'withdrawal_below_min');
  await cancelRefund(world.db, { store: world.store.id, id: refund.id });
});

test('less than was shown claims nothing', async () => {
  const refund = await refundOf('30.00');
  assert.equal(await refusal(() => world.claim(refund, { receive: '31' })), 'claim_changed');
  assert.deepEqual((await world.look(refund)).claims, []);
});

test('a refund without an invoice is bounded by the claimant’s level, one of an invoice is not', async () => {
  const free = await world.refund({ amount: '1100.00' });
  assert.equal(await refusal(() => world.claim(free)), 'amount_above_limit');
  await cancelRefund(world.db, { store: world.store.id, id: free.id });
  const bound = await refundOf('1100.00');
  await world.claim(bound);
  assert.equal((await lastClaim(bound)).state, 'approving');
  await byDesk((await lastClaim(bound)).id, 'reject');
  await cancelRefund(world.db, { store: world.store.id, id: bound.id });
});

test('the address of a refund is forgotten 400 days after it ended, and money that comes back later returns to the store', async () => {
  const email = 'later@example.org';
  const { store, db, sender } = world;
  const made = async (): Promise<Refund> =>
    world.refund({ amount: '20.00', email, invoice: (await world.paid('20.00')).view.id });
  const ended = await made();
  await cancelRefund(db, { store: store.id, id: ended.id });
  const emailOf = async (): Promise<string | undefined> => (await world.look(ended)).refund.email;
  await world.pass(399 * DAY);
  assert.deepEqual([await forgetRefunds(db), await emailOf()], [0, email]);
  await world.pass(2 * DAY);
  // Refunds of the tests above are forgotten, too.
  assert.ok((await forgetRefunds(db)) >= 1);
  assert.deepEqual([await emailOf(), await forgetRefunds(db)], ['', 0]);
  const { refund } = await world.look(ended);
  const back = await made();
  assert.deepEqual([refund.isAltered, refundRowWire(refund).email], [undefined, undefined]);
  // As if a payout of it had come back meanwhile.
  await db.run(`update store_refund set email = '', mac = $2 where id = $1`, [back.id, forgottenRefund(back).mac]);
  assert.equal(await refusal(() => world.claim(back)), 'refund_over');
  const input = { id: back.id, token: refundSecret(sender.tokens, back.id) };
  assert.equal(await refusal(() => mailCodeOfRefund({ db, sender }, input)), 'refund_over');
  await cancelRefund(db, { store: store.id, id: back.id });
  assert.deepEqual(await world.prove(), []);
});

test('the refunds of a business mail ten codes a day to one address, however it is written', async () => {
  const { db, sender, store } = world;
  const routes = refundRoutes({ db, sender });
  const counts = new Map<string, number>();
  const limit = async (key: string, { max }: { readonly max: number }): Promise<void> => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if ((counts.get(key) ?? 0) > max) throw new Problem('rate_limited');
  };
  const refundTo = (email: string): Promise<Refund> => world.refund({ amount: '1.00', currency: 'USDT', email });
  const code = ({ id }: Refund): Promise<string> =>
    refusal(() => routes.refundGetOtp({ id, token: refundSecret(sender.tokens, id) }, { ...CLAIMANT, limit } as never));
  const refunds = [
    await refundTo('victim@example.org'),
    await refundTo('Victim@example.org'),
    await refundTo('victim@example.org'),
  ];
  const codes: string[] = [];
  for (let at = 0; at < 12; at += 1) codes.push(await code(refunds[at % 3] ?? assert.fail()));
  assert.deepEqual(codes, [...Array<string>(10).fill('done'), 'rate_limited', 'rate_limited']);
  assert.equal(await code(await refundTo('other@example.org')), 'done');
  assert.ok([...counts.keys()].some((key) => key.includes(store.businessId ?? 'no business')));
});

// Last: the business owes money afterwards.
test('a payment that is taken back after its refund takes from the balance, and then the business owes', async () => {
  const invoice = await world.paid('300.00', 'PAYEER_USD');
  const rest = await world.merchant('USDT');
  const owed = async (): Promise<bigint> =>
    (await balances(world.db, [accounts.receivable(`business_${world.store.businessId}`, 'USDT')]))[0] ?? 0n;
  const most = (Number(rest) / 1e6 - 1).toFixed(2);
  const all = await world.refund({ amount: most });
  const [payment] = invoice.view.payments;
  assert.ok(payment);
  await world.db.tx((tx) => decidePayin(tx, takeBack(payment.id)));
  await world.turn();
  assert.ok((await owed()) > 0n);
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => world.claim(all)), 'business_owes');
  assert.equal(await refusal(() => world.refund({ amount: '0.10' })), 'business_owes');
});
