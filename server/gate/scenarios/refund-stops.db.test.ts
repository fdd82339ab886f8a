// A frozen owner and a flagged account stop claims of refunds. Money that a refund returns to its store repays a debt first.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { configureCompliance, screenPayouts } from '../../compliance/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { setCap } from '../refunds/actions/caps.ts';
import { clearClaimToLeave, decideAsDesk } from '../refunds/actions/decide-claim.ts';
import { cancelRefund } from '../refunds/actions/end-refund.ts';
import { requireEmpty } from '../require-empty.ts';
import type { Claim, Refund } from '../refunds/machine/refund.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('100.00');
});
after(() => world.close());

const lastClaim = async (refund: Refund): Promise<Claim> => (await world.look(refund)).claims.at(-1) ?? assert.fail();

/** Freezes the account of the store's owner for a day, or ends its freeze. */
async function freeze(isOn: boolean): Promise<void> {
  const values = isOn ? `clock_now() + interval '1 day', 'password_reset'` : 'null, null';
  await world.db.run(`update account_holder set (frozen_until, frozen_because) = (${values}) where id = $1`, [
    world.store.holderId,
  ]);
  await writeHolderMacs(world.db);
}

const approve = (id: string): Promise<Claim> =>
  world.db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    const claim = await decideAsDesk(unit, world.sender, { id, action: 'approve', reason: 'looked at', by: ['olga', 'lee'] });
    await unit.commit();
    return claim;
  });

test('an open refund keeps its business open, though its store has no balance', async () => {
  const isEmpty = (): Promise<string> => refusal(() => requireEmpty(world.db, world.store.businessId ?? ''));
  const empty = async (): Promise<void> => {
    const { movable } = await unitStanding(world, 'USDT');
    await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
  };
  const refund = await world.refund({ amount: '10.00' });
  await empty();
  assert.equal(await world.merchant('USDT'), 0n);
  assert.equal(await isEmpty(), 'business_not_empty');
  await cancelRefund(world.db, { store: world.store.id, id: refund.id });
  await empty();
  assert.equal(await isEmpty(), 'done');
  await world.paid('200.00');
});

test('while its owner is frozen, a refund of the owner is not made, and claims of earlier ones wait', async () => {
  const before = await world.refund({ amount: '30.00', invoice: (await world.paid('30.00')).view.id });
  await freeze(true);
  assert.equal(await refusal(() => world.refund({ amount: '1.00' })), 'withdrawals_frozen');
  await world.claim(before);
  const claim = await lastClaim(before);
  assert.equal(claim.state, 'confirming');
  assert.equal(await refusal(() => world.decide(claim.id, 'confirm')), 'withdrawals_frozen');
  const cap = { store: world.store.id, cap: '5000' };
  assert.equal(await refusal(() => setCap(world.db, cap, world.store.holderId)), 'withdrawals_frozen');
  await freeze(false);
  await world.decide(claim.id, 'confirm');
  await world.send();
  assert.equal((await world.look(before)).refund.state, 'paid');
  assert.deepEqual(await world.prove(), []);
});

test('a freeze that begins later stops the desk’s approval, and a payout that is about to leave', async () => {
  const large = await world.refund({ amount: '4000.00', invoice: (await world.paid('4000.00')).view.id });
  await world.claim(large);
  const waiting = await lastClaim(large);
  assert.equal(waiting.state, 'approving');
  const small = await world.refund({ amount: '30.00', invoice: (await world.paid('30.00')).view.id });
  await world.claim(small);
  assert.equal((await lastClaim(small)).state, 'paying');
  await freeze(true);
  assert.equal(await refusal(() => approve(waiting.id)), 'withdrawals_frozen');
  await world.send();
  const stopped = await lastClaim(small);
  assert.deepEqual([stopped.state, stopped.reason], ['approving', 'withdrawals_frozen']);
  assert.equal(await refusal(() => approve(stopped.id)), 'withdrawals_frozen');
  await freeze(false);
  for (const { id } of [waiting, stopped]) await approve(id);
  await world.send();
  for (const refund of [small, large]) assert.equal((await world.look(refund)).refund.state, 'paid');
  assert.deepEqual(await world.prove(), []);
});

test('the account of a claim is screened when it is claimed, when the desk approves it, and before it leaves', async () => {
  const refundOf = async (amount: string): Promise<Refund> =>
    world.refund({ amount, invoice: (await world.paid(amount)).view.id });
  const [first, large] = [await refundOf('30.00'), await refundOf('4000.00')];
  const plain = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
  const flagged = new Set<string>();
  configureCompliance({
    ...plain,
    screener: async (requests) =>
      requests.map(({ fields }) => ({ score: flagged.has(fields['address'] ?? '') ? 100 : 1, labels: [] })),
  });
  const receiver = () => world.rails.USDT_ERC20.receiver();
  const addressOf = ({ to }: Claim): string => to['address'] ?? assert.fail();
  const to = receiver();
  flagged.add(to['address'] ?? '');
  assert.equal(await refusal(() => world.claim(first, { to })), 'account_refused');
  assert.equal((await world.look(first)).claims.length, 0, 'another account can be named');
  await world.claim(large, { to: receiver() });
  const waiting = await lastClaim(large);
  flagged.add(addressOf(waiting));
  assert.equal(await refusal(() => clearClaimToLeave(world.db, waiting.id)), 'account_refused');
  flagged.delete(addressOf(waiting));
  await clearClaimToLeave(world.db, waiting.id);
  await world.claim(first, { to: receiver() });
  const leaving = await lastClaim(first);
  assert.equal(leaving.state, 'paying');
  flagged.add(addressOf(leaving));
  for (let at = 0; at < 3; at += 1) {
    await screenPayouts(world.db);
    await world.send();
  }
  const stopped = await lastClaim(first);
  assert.deepEqual([stopped.state, stopped.reason], ['approving', 'account_refused']);
  assert.equal(world.rails.USDT_ERC20.world.received(addressOf(leaving)), 0n);
  configureCompliance(plain);
  assert.deepEqual(await world.prove(), []);
});

test('what a refund returns to the store repays a debt first, when it is cancelled and when its time is over', async () => {
  const owed = async (): Promise<bigint> =>
    (await balances(world.db, [accounts.receivable(`business_${world.store.businessId}`, 'USDT')]))[0] ?? 0n;
  const endings = [
    (refund: Refund) => cancelRefund(world.db, { store: world.store.id, id: refund.id }),
    () => world.pass(91 * 1_440),
  ];
  for (const end of endings) {
    await world.paid('60.00');
    const refund = await world.refund({ amount: '50.00' });
    const invoice = await world.paid('20.00');
    const { movable } = await unitStanding(world, 'USDT');
    await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
    await world.db.tx((tx) => decidePayin(tx, takeBack(invoice.view.payments[0]?.id ?? '')));
    await world.turn();
    const debt = await owed();
    assert.ok(debt > usdt('19') && debt < usdt('21'), String(debt));
    await end(refund);
    assert.deepEqual([await owed(), await world.merchant('USDT')], [0n, refund.taken.parts - debt]);
    assert.equal((await unitStanding(world, 'USDT')).debt, 0n);
    assert.deepEqual(await world.prove(), []);
  }
});
