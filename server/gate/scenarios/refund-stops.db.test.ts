// A frozen owner lets nothing out by refunds, and money that a refund returns to its store repays what the business owes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { refusal } from '../../platform/testing.ts';
import { setCap } from '../refunds/actions/caps.ts';
import { decideAsDesk } from '../refunds/actions/decide-claim.ts';
import { cancelRefund } from '../refunds/actions/end-refund.ts';
import type { Claim, Refund } from '../refunds/machine/refund.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('9000.00');
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
