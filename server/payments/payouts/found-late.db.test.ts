// Tests transfers found after their payout had counted as not sent: people are alarmed, nothing else leaves meanwhile, and the
// books have them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Problem } from '@kurs/contract';
import { accounts, leg, post } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { fundDesk, withdrawDesk } from '../balances/capital.ts';
import { type PayFound, countFound, foundLate, foundLateById, noteFoundLate, owedForFinds, writeOffFound } from './found-late.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { rowFaults } from '../proof/check-rows.ts';
import type { Owner } from '../rails/owner.ts';
import { requestPayout } from './request-payout.ts';
import { resolvePayout } from '../sending/resolve-payout.ts';
import { lockPayouts } from './rows/payout-store.ts';
import { payRail } from '../sending/send-payouts.ts';
import { marketValues } from '../rails/values.ts';
import { type Desk, events, openDesk, resume } from '../scenarios/world.testing.ts';

const PARTS = 100_000n;
const DAY = 24 * 60 * 60_000;
const two = { by: ['ann', 'bob'], evidence: 'the provider’s list of 25 November' };
const fails = (code: string) => (error: Problem) => error.code === code;

let desk: Desk;
before(async () => {
  desk = await openDesk({ id: 'provider', provider: { hasDedupe: false } });
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: desk.currency, place: 'hot', parts: 10_000_000n }));
});
after(() => desk.close());

const send = async (owner: Owner, purpose: 'payout' | 'refund' = 'payout', party?: string): Promise<string> => {
  const id = newId();
  const to = desk.receiver();
  const { currency, unit } = desk;
  const request = { id, owner, currency, unit, parts: PARTS, to, purpose, ...(party !== undefined && { party }) };
  await desk.db.tx((tx) => requestPayout(tx, request));
  return id;
};
const order = (): Owner => ({ kind: 'order', id: newId() });
const owed = (party: string): Promise<bigint> => desk.balance(accounts.receivable(party, desk.unit));
const settle = (decide: typeof countFound | typeof writeOffFound, id: string): Promise<void> =>
  desk.db.tx((tx) => decide(tx, newId(), { id, ...two }));

/** Makes a send whose answer is lost, which no look-up shows, and which two people decide as not sent. */
async function givenUp(owner: Owner, party?: string): Promise<string> {
  desk.world.inject('send', { kind: 'lost' });
  desk.world.inject('find', { kind: 'lie' }, 50);
  const id = await send(owner, 'payout', party);
  await desk.turn();
  await desk.pass(61_000);
  await desk.turn();
  assert.equal(await desk.status(id), 'in_doubt');
  await desk.db.tx((tx) => resolvePayout(tx, id, 'not_sent', { statement: 'not on their list', by: ['ann', 'bob'] }));
  desk.world.calm();
  return id;
}

/** A look-up that shows it now. */
async function poll(): Promise<void> {
  desk.world.mine();
  await desk.pass(DAY);
  await desk.turn();
}

describe('a payout that people decided as not sent, but that was sent', () => {
  it('is published, stored for people, and booked as owed; its repetition does not leave', async () => {
    const owner = order();
    const first = await givenUp(owner);
    await poll();
    const second = await send(owner);
    await desk.turn();
    assert.deepEqual(events(await desk.payouts(first)).slice(-2), ['absent', 'found_late']);
    const [found] = await foundLate(desk.db, 10);
    assert.deepEqual([found?.id, found?.owner, found?.party, found?.status], [first, owner, owner.id, 'open']);
    assert.equal(await owed(owner.id), PARTS);
    assert.deepEqual(
      (await owedForFinds(desk.db)).map(({ account, parts }) => [account.name, parts]),
      [[`receivable:${owner.id}:${desk.unit}`, PARTS]],
    );
    const published = await desk.payouts(second);
    assert.deepEqual(
      published.map(({ event, reason }) => [event, reason]),
      [['kept', 'found_late']],
    );
    assert.deepEqual([desk.world.executions(first), desk.world.executions(second)], [1, 0]);

    // Two people decide that it counts: it replaces the next payout of that sum.
    await assert.rejects(
      desk.db.tx((tx) => countFound(tx, newId(), { ...two, id: first, by: ['ann'] })),
      fails('second_person_required'),
    );
    await settle(countFound, first);
    const third = await send(owner);
    await desk.turn();
    await resume(desk, 2);
    assert.deepEqual(events(await desk.payouts(third)), ['send', 'accepted', 'final']);
    assert.equal(desk.world.executions(third), 0, 'nothing was sent');
    assert.equal(await owed(owner.id), 0n);
    assert.deepEqual(await rowFaults(desk.db), [], 'its attempt now passes its MAC');
    assert.deepEqual(await foundLate(desk.db, 10), []);
    await assert.rejects(settle(writeOffFound, first), fails('action_not_open'));
  });

  it('is owed if its repetition has left, until two people write it off', async () => {
    const owner = order();
    const first = await givenUp(owner);
    const second = await send(owner);
    await desk.turn();
    await resume(desk, 2);
    assert.equal(desk.world.executions(second), 1);
    await poll();
    assert.equal(await owed(owner.id), PARTS);
    const before = await desk.balance(accounts.spent('loss', desk.unit));
    await settle(writeOffFound, first);
    assert.equal(await owed(owner.id), 0n);
    assert.equal((await desk.balance(accounts.spent('loss', desk.unit))) - before, PARTS);
    const third = await send(owner);
    await desk.turn();
    assert.equal(desk.world.executions(third), 1, 'a find that is written off stops nothing');
  });

  it('prevents a second send in doubt from being sent again', async () => {
    const deduping = await openDesk({ id: 'provider', provider: { hasDedupe: true } });
    try {
      const owner = order();
      const request = { owner, currency: deduping.currency, unit: deduping.unit, parts: PARTS, purpose: 'payout' as const };
      const [first, second] = [newId(), newId()];
      const ask = (id: string) => deduping.db.tx((tx) => requestPayout(tx, { ...request, id, to: deduping.receiver() }));
      deduping.world.inject('send', { kind: 'lost' });
      deduping.world.inject('find', { kind: 'lie' }, 50);
      await ask(first);
      await payRail(deduping.deps, deduping.rail);
      await deduping.db.tx((tx) => resolvePayout(tx, first, 'not_sent', { statement: 'not there', by: ['ann', 'bob'] }));
      await ask(second);
      deduping.world.inject('send', { kind: 'drop' });
      await payRail(deduping.deps, deduping.rail);
      deduping.world.calm();
      deduping.world.mine();
      // The first is looked up an hour after it was given up.
      await deduping.db.run(`update payment_attempt set due_at = null where $1 = any (items)`, [second]);
      await deduping.pass(61 * 60_000);
      await followRail(deduping.deps, deduping.rail);
      assert.equal((await foundLate(deduping.db, 10)).length, 1);
      await deduping.db.run(`update payment_attempt set due_at = clock_now() where $1 = any (items)`, [second]);
      await followRail(deduping.deps, deduping.rail);
      assert.deepEqual([deduping.world.executions(second), await deduping.status(second)], [0, 'in_doubt']);
    } finally {
      await deduping.close();
    }
  });

  it('stops all other payouts of its party, of wallets too', async () => {
    const holder = newId();
    await givenUp({ kind: 'wallet', id: newId() }, holder);
    await poll();
    assert.equal(await owed(holder), PARTS);
    const other = await send({ kind: 'wallet', id: newId() }, 'payout', holder);
    const foreign = await send({ kind: 'wallet', id: newId() }, 'payout', newId());
    await desk.turn();
    assert.deepEqual([desk.world.executions(other), desk.world.executions(foreign)], [0, 1]);
  });

  it('pays an owner whose kind takes it, and does not stop the owner’s later payouts', async () => {
    const owner = order();
    const first = await givenUp(owner);
    await poll();
    const found = await foundLateById(desk.db, first);
    const paid: object[] = [];
    const payFound: PayFound = async (tx, one) => {
      paid.push(one);
      const legs = [leg(accounts.deskFree(desk.unit), accounts.receivable(one.id, desk.unit), PARTS)];
      await post(tx, [{ id: newId(), kind: 'capital_out', cause: first, legs }]);
    };
    await desk.db.tx((tx) => countFound(tx, newId(), { id: first, ...two }, payFound));
    assert.deepEqual(paid, [{ id: owner.id, txid: found?.txid, by: two.by }]);
    assert.equal((await foundLateById(desk.db, first))?.status, 'met');
    assert.equal(await owed(owner.id), 0n);
    const second = await send(owner);
    await desk.turn();
    assert.equal(desk.world.executions(second), 1);
  });

  it('is owed no more once it came back', async () => {
    const owner = order();
    const first = await givenUp(owner);
    await poll();
    assert.equal(await owed(owner.id), PARTS);
    for (const { id } of desk.world.carrying(first)) desk.world.revert(id);
    await desk.pass(3 * DAY);
    await poll();
    assert.deepEqual(events(await desk.payouts(first)).slice(-2), ['found_late', 'late_back']);
    assert.equal(await owed(owner.id), 0n);
  });

  it('that came back in part is owed for what the receiver retained; the desk bears what the rail retained', async () => {
    const spent = accounts.spent('rail', desk.unit);
    for (const [extra, left, borne] of [
      [{ back: '60000' }, 0n, 40_000n],
      [{ back: '60000', isBorneByReceiver: true }, 40_000n, 0n],
    ] as const) {
      const owner = order();
      const first = await givenUp(owner);
      await poll();
      const [before, [found]] = [await desk.balance(spent), (await foundLate(desk.db, 9)).filter(({ id }) => id === first)];
      assert.ok(found);
      await desk.db.tx(async (tx) => {
        const [payout] = await lockPayouts(tx, [first]);
        assert.ok(payout);
        await noteFoundLate(tx, marketValues, found.attemptId, [{ payout, events: [{ event: 'late_back', extra }] }]);
      });
      await desk.turn();
      assert.deepEqual([await owed(owner.id), (await desk.balance(spent)) - before], [left, borne]);
      const status = (await owedForFinds(desk.db))
        .filter(({ of }) => of.includes(first))
        .reduce((sum, { parts }) => sum + parts, 0n);
      assert.equal(status, left, 'the proof of the books expects the rest');
    }
  });

  it('that came back in part and was found again is owed as a whole, with what its receiver had retained', async () => {
    const owner = order();
    const first = await givenUp(owner);
    await poll();
    const note = async (event: 'found_late' | 'late_back', extra: object): Promise<bigint> => {
      const reported = await desk.db.tx(async (tx) => {
        const [payout] = await lockPayouts(tx, [first]);
        const found = await foundLateById(tx, first);
        assert.ok(payout && found);
        return noteFoundLate(tx, marketValues, found.attemptId, [{ payout, events: [{ event, extra }] }]);
      });
      await desk.turn();
      return BigInt(reported[0]?.events[0]?.extra?.owed ?? -1);
    };
    for (const [event, extra, left] of [
      ['late_back', { back: '60000', isBorneByReceiver: true }, 40_000n],
      ['found_late', { txid: 'again' }, 140_000n],
      ['late_back', { back: '100000' }, 40_000n],
      ['late_back', { back: '100000' }, 0n],
      ['found_late', { txid: 'once more' }, 100_000n],
    ] as const) {
      const reported = await note(event, extra);
      const [row] = (await owedForFinds(desk.db)).filter(({ of }) => of.includes(first));
      assert.deepEqual([await owed(owner.id), row?.parts ?? 0n, reported], [left, left, left], event);
    }
    await settle(writeOffFound, first);
    assert.equal(await owed(owner.id), 0n);
  });

  it('of the desk’s own money is settled from the desk’s free money', async () => {
    const id = newId();
    desk.world.inject('send', { kind: 'lost' });
    desk.world.inject('find', { kind: 'lie' }, 50);
    await desk.db.tx((tx) => withdrawDesk(tx, { id, currency: desk.currency, parts: PARTS, to: desk.receiver() }));
    await desk.turn();
    await desk.pass(61_000);
    await desk.turn();
    await desk.db.tx((tx) => resolvePayout(tx, id, 'not_sent', { statement: 'not there', by: ['ann', 'bob'] }));
    desk.world.calm();
    await poll();
    const free = await desk.balance(accounts.deskFree(desk.unit));
    assert.equal(await owed(id), PARTS);
    await settle(countFound, id);
    assert.deepEqual([await owed(id), free - (await desk.balance(accounts.deskFree(desk.unit)))], [0n, PARTS]);
  });

  it('is looked up for a month only', async () => {
    const id = await givenUp(order());
    desk.world.inject('find', { kind: 'lie' }, 1_000);
    for (let day = 0; day < 32; day += 1) await poll();
    desk.world.calm();
    await poll();
    assert.equal(events(await desk.payouts(id)).at(-1), 'absent');
  });
});
