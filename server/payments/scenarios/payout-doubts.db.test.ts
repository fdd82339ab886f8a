import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { fundDesk } from '../balances/capital.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { voucherState } from '../payouts/vouchers.ts';
import { doubts, resolvePayout } from '../sending/resolve-payout.ts';
import { payRail } from '../sending/send-payouts.ts';
import { type Desk, events, openDesk, resume } from './world.testing.ts';

const PARTS = 100_000n;
const MINUTE = 60_000;

describe('payouts through a provider that answers unclearly', () => {
  const open = async (hasDedupe: boolean): Promise<Desk> => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe } });
    return desk;
  };

  it('is in doubt, looked up and found', async () => {
    const desk = await open(false);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lost' });
      await desk.turn();
      await resume(desk);
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown', 'found', 'final']);
    } finally {
      await desk.close();
    }
  });

  it('without dedupe nothing is ever repeated, and time alone never proves that it was not sent', async () => {
    const desk = await open(false);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'drop' });
      await desk.turn();
      await resume(desk, 3);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown', 'dedupe_over']);
      for (let day = 0; day < 100; day += 10) {
        await desk.pass(10 * 24 * 60 * MINUTE);
        await desk.turn();
      }
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown', 'dedupe_over']);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [0, 'in_doubt']);
      const [doubt] = await doubts(desk.db, 10);
      assert.deepEqual([doubt?.id, doubt?.mayReport, doubt?.isKnown], [id, false, false]);
    } finally {
      await desk.close();
    }
  });

  it('sends without answers and look-ups that show nothing make one payment of one reference, never two', async () => {
    const desk = await open(true);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lost' });
      desk.world.inject('send', { kind: 'drop' }, 6);
      desk.world.inject('find', { kind: 'lie' }, 100);
      await desk.turn();
      for (let minutes = 1; minutes < 1_000; minutes *= 2) {
        await desk.pass(minutes * MINUTE);
        await desk.turn();
      }
      const reported = events(await desk.payouts(id));
      assert.ok(reported.includes('resend') && !reported.includes('absent'), reported.join());
      desk.world.calm();
      await resume(desk, 2);
      await desk.pass(60 * MINUTE);
      await desk.turn();
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'final']);
    } finally {
      await desk.close();
    }
  });

  it('a payout whose look-up always fails keeps no other in doubt', async () => {
    const desk = await open(false);
    try {
      const send = async (): Promise<string> => {
        const id = await desk.request(PARTS);
        desk.world.inject('send', { kind: 'lost' });
        await payRail(desk.deps, desk.rail);
        return id;
      };
      const [odd, other] = [await send(), await send()];
      await desk.pass(61_000);
      const { payout } = desk.rail;
      assert.ok(payout);
      const find: typeof payout.find = async (attempt) => {
        if (attempt.items.includes(odd)) throw new Error('it shows another payment under our reference');
        return payout.find(attempt);
      };
      await followRail(desk.deps, { ...desk.rail, payout: { ...payout, find } });
      assert.deepEqual([await desk.status(odd), await desk.status(other)], ['in_doubt', 'sent']);
    } finally {
      await desk.close();
    }
  });

  it('a reference that was used stays in doubt until the look-up shows ours or two people decide', async () => {
    const desk = await open(true);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'exists' }, 100);
      await desk.turn();
      await desk.pass(3 * 24 * 60 * MINUTE);
      await desk.turn();
      assert.deepEqual(events(await desk.payouts(id)).slice(0, 2), ['send', 'unknown']);
      assert.equal(await desk.status(id), 'in_doubt');
      assert.deepEqual(
        (await doubts(desk.db, 10)).map(({ isKnown, reason }) => [isKnown, reason]),
        [[true, 'the reference was used']],
      );
      await desk.db.tx((tx) => resolvePayout(tx, id, 'sent', { statement: 'their list', by: ['ann', 'bob'] }));
      assert.equal(await desk.status(id), 'final');
    } finally {
      await desk.close();
    }
  });

  it('if look-ups prove nothing, two people decide even if one shows something', async () => {
    const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false, isVague: true, by: 'voucher' } });
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lost' });
      await desk.turn();
      await resume(desk, 5);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [1, 'in_doubt']);
      await desk.db.tx((tx) => resolvePayout(tx, id, 'sent', { statement: 'their list', by: ['ann', 'bob'] }));
      assert.equal(await voucherState(desk.db, id), 'unseen', 'the voucher shown is there for its receiver');
      const reported = await desk.request(PARTS);
      await desk.turn();
      await resume(desk, 2);
      assert.equal(await desk.status(reported), 'final', 'its own answer to the send is proof');
    } finally {
      await desk.close();
    }
  });

  it('a look-up that says "not there" right after a lost answer proves nothing', async () => {
    const desk = await open(false);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lost' });
      desk.world.inject('find', { kind: 'lie' }, 5);
      await desk.turn();
      await resume(desk, 10);
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown', 'dedupe_over', 'found', 'final']);
    } finally {
      await desk.close();
    }
  });

  it('with dedupe the same reference is repeated, within 80 % of the window', async () => {
    const desk = await open(true);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'drop' });
      await desk.turn();
      await resume(desk, 3);
      assert.equal(desk.world.executions(id), 1);
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown', 'resend', 'accepted', 'final']);
      const late = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lost' });
      await desk.turn();
      await desk.pass(20 * 60 * MINUTE);
      desk.world.inject('find', { kind: 'lie' }, 2);
      await desk.turn();
      assert.deepEqual(events(await desk.payouts(late)), ['send', 'unknown', 'dedupe_over'], 'the window is over');
    } finally {
      await desk.close();
    }
  });

  it('a definite refusal is accepted', async () => {
    const desk = await open(false);
    try {
      const id = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'refuse', reason: 'account closed' });
      await desk.turn();
      const events = await desk.payouts(id);
      assert.deepEqual(events.map(({ event, reason }) => [event, reason])[1], ['refused', 'account closed']);
      assert.deepEqual([desk.world.executions(id), await desk.status(id)], [0, 'failed']);
    } finally {
      await desk.close();
    }
  });

  it('an unclear batch puts each of its payouts in doubt; two people resolve one of them', async () => {
    const desk = await open(false);
    try {
      const ids = await Promise.all([desk.request(PARTS), desk.request(PARTS), desk.request(PARTS)]);
      desk.world.inject('send', { kind: 'hang' });
      await desk.turn();
      for (const id of ids) assert.deepEqual(events(await desk.payouts(id)), ['send', 'unknown']);
      const [sent, not] = ids as [string, string, string];
      const by = (first: string, second: string) => ({
        statement: 'the provider’s list of 20 November',
        by: [first, second] as const,
      });
      const resolve = (id: string, outcome: 'sent' | 'not_sent', first: string, second: string): Promise<void> =>
        desk.db.tx((tx) => resolvePayout(tx, id, outcome, by(first, second)));
      await assert.rejects(resolve(sent, 'sent', 'ann', 'ann'), { code: 'same_person' });
      await assert.rejects(resolve(sent, 'sent', 'ann', ''), { code: 'second_person_required' });
      await resolve(sent, 'sent', 'ann', 'bob');
      await resolve(not, 'not_sent', 'ann', 'bob');
      await assert.rejects(resolve(not, 'sent', 'ann', 'bob'), { code: 'action_not_open' });
      assert.deepEqual(events(await desk.payouts(sent)), ['send', 'unknown', 'found', 'final']);
      assert.deepEqual((await desk.payouts(not)).map(({ event, isResolved }) => [event, isResolved])[2], ['absent', true]);
      const stored = await desk.db.row<{ evidence: { by: string[] } }>(`select evidence from payout where id = $1`, [sent]);
      assert.deepEqual(stored?.evidence.by, ['ann', 'bob']);
      const fees = await desk.db.rows(`select from payment_event where kind = 'rail_fee'`);
      assert.equal(fees.length, 1, 'the send cost its fee');
      await resume(desk, 35);
      assert.equal((await desk.payouts(ids[2] as string)).at(-1)?.event, 'dedupe_over', 'nobody has decided about the third');
      assert.deepEqual(events(await desk.payouts(sent)), ['send', 'unknown', 'found', 'final'], 'people’s decision stays');
    } finally {
      await desk.close();
    }
  });
});

describe('payouts on an account chain', () => {
  it('takes nonces in order, posts the gas when it is mined, and publishes a reverted transfer as returned', async () => {
    const desk = await openDesk({ id: 'evm', currencies: [{ code: 'USDT_MEM', unit: 'USDT' }], batch: 1, fuel: 'ETH' });
    try {
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'ETH', place: 'fuel', parts: 10n ** 18n }));
      const ids = await Promise.all(Array.from({ length: 5 }, () => desk.request(PARTS)));
      await desk.turn();
      const reverted = await desk.request(PARTS);
      desk.world.inject('send', { kind: 'lie' });
      await desk.turn();
      assert.equal(await desk.balance(accounts.spent('network', 'ETH')), 0n, 'gas isn’t known yet');
      desk.world.mine(12);
      await desk.turn();
      const nonces = await desk.db.rows<{ nonce: string }>(`select nonce from payment_attempt order by nonce`);
      assert.deepEqual(
        nonces.map(({ nonce }) => nonce),
        ['0', '1', '2', '3', '4', '5'],
      );
      for (const id of ids) assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
      assert.deepEqual(events(await desk.payouts(reverted)), ['send', 'accepted'], 'mined anew it could still succeed');
      desk.world.mine(52);
      await desk.turn();
      assert.deepEqual((await desk.payouts(reverted)).map(({ event, reason }) => [event, reason])[2], ['returned', 'reverted']);
      assert.equal(await desk.balance(accounts.spent('network', 'ETH')), 6_000n, 'its gas is spent all the same');
      assert.equal(desk.world.held('ETH', 'fuel'), await desk.balance(accounts.custody('ETH', 'fuel', 'ETH')));
    } finally {
      await desk.close();
    }
  });
});
