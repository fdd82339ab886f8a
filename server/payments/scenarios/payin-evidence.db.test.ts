import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { log } from '../../platform/index.ts';
import { type Desk, events, openDesk } from './world.testing.ts';

/** Collects the words of alarms from now on, until it is stopped. */
function catchAlarms(): { stop(): string[] } {
  const caught: string[] = [];
  const reported = mock.method(log, 'alarm', (words: string) => void caught.push(words));
  return {
    stop: () => {
      reported.mock.restore();
      return caught;
    },
  };
}

/** Parts of BTC worth a number of USD here. */
const usd = (dollars: number): bigint => BigInt(dollars) * 1_000n;

describe('payments that a poll does not show, and their times', { timeout: 60_000 }, () => {
  let desk: Desk;
  before(async () => {
    desk = await openDesk();
  });
  afterEach(() => desk.world.calm());
  after(() => desk.close());

  const settle = async (blocks: number): Promise<void> => {
    desk.world.mine(blocks);
    await desk.turn();
  };

  it('a payment that is not shown and not proven gone stays, alarms once, and goes on when it is there again', async () => {
    const { order, to } = await desk.open();
    const id = desk.world.pay(to, usd(100));
    const [tx] = desk.world.paying(to);
    await desk.turn();
    desk.world.evict(id);
    const alarms = catchAlarms();
    for (const minutes of [1, 2, 20, 60]) {
      await desk.pass(minutes * 60_000);
      await desk.turn();
    }
    assert.deepEqual(events(await desk.payins(order)), ['seen'], 'an unsuccessful look-up proves nothing');
    assert.deepEqual(alarms.stop(), ['a payment is not shown any more, and nothing proves that it is gone']);
    if (tx) desk.world.restore(tx);
    await desk.pass(11_000);
    await desk.turn();
    const minedAt = await desk.db.now();
    desk.world.now = () => minedAt;
    await settle(1);
    desk.world.now = undefined;
    const published = await desk.payins(order);
    assert.deepEqual(events(published), ['seen', 'final']);
    assert.equal(published[1]?.seenAt, published[0]?.seenAt, 'it was there all the time');
  });

  it('a final payment that a poll does not show is neither reversed nor forgotten', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    await settle(1);
    desk.world.endless.add(to);
    for (let block = 0; block < 3; block += 1) {
      await desk.pass(31_000);
      await settle(1);
    }
    desk.world.inject('seek', { kind: 'error' }, 9);
    await desk.pass(31_000);
    await settle(1);
    desk.world.endless.delete(to);
    desk.world.calm();
    assert.deepEqual(events(await desk.payins(order)), ['final']);
    const row = await desk.db.row<{ confirmations: number }>('select confirmations from payin where owner_id = $1', [order]);
    assert.equal(row?.confirmations, 4, 'it is followed when queried by its id');
  });

  it('drops a replaced payment once its replacement is in a block, and no other', async () => {
    const { order, to } = await desk.open();
    const first = desk.world.pay(to, usd(100), { inputs: ['coin:0', 'coin:1'], isReplaceable: true });
    const other = desk.world.pay(to, usd(7), { inputs: ['coin:2'] });
    await desk.turn();
    desk.world.evict(first);
    desk.world.evict(other);
    const second = desk.world.pay(to, usd(100), { inputs: ['coin:3', 'coin:1'], isReplaceable: true });
    await desk.pass(3_000);
    await desk.turn();
    const reported = async () => (await desk.payins(order)).slice(2).map(({ event, txid, reason }) => [event, txid, reason]);
    assert.deepEqual(await reported(), [['seen', second, undefined]], 'a waiting payment replaces nothing');
    await desk.pass(3_000);
    await settle(1);
    assert.deepEqual((await reported()).slice(1), [
      ['final', second, undefined],
      ['dropped', first, 'replaced'],
    ]);
    await desk.pass(61_000);
    await settle(1);
    assert.equal((await reported()).length, 3, 'nobody knows about the other');
    assert.ok(other);
  });

  it('evidence from a chain lower than one seen before is ignored', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    await settle(1);
    desk.world.mine(3);
    desk.world.reorg(4, true);
    desk.world.mine(2);
    await desk.db.run('update rail_state set top_height = top_height + 9');
    await desk.pass(31_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['final']);
    desk.world.mine(9);
    await desk.pass(31_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['final', 'reversed']);
  });

  it('an address that is not read completely affects no others, is read further, and raises an alarm', async () => {
    const [endless, other] = [await desk.open(), await desk.open()];
    desk.world.endless.add(endless.to);
    desk.world.pay(endless.to, usd(100));
    desk.world.pay(other.to, usd(100));
    desk.world.mine();
    const alarms = catchAlarms();
    await desk.turn();
    assert.deepEqual(events(await desk.payins(other.order)), ['final']);
    await desk.pass(3_000);
    await desk.turn();
    const state = async () =>
      desk.db.row<{ read_on: string | null; polled: boolean }>(
        'select read_on, polled_at is not null as polled from receiving_address where to_text = $1',
        [endless.to],
      );
    assert.deepEqual(await state(), { read_on: '++', polled: false }, 'no poll proves absence');
    await desk.pass(10 * 60_000);
    await desk.turn();
    const unread = alarms.stop().filter((words) => words.startsWith('an address'));
    assert.deepEqual(unread, ['an address can’t be read completely: a payment to it may stay unseen']);
    desk.world.endless.delete(endless.to);
    await desk.pass(11_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(endless.order)), ['final']);
    assert.deepEqual(await state(), { read_on: null, polled: true });
  });

  it('a payment’s time is its block’s while we could not poll, bounded by our last poll', async () => {
    const { order, to } = await desk.open();
    await desk.turn();
    const before = await desk.db.now();
    await desk.pass(60_000);
    const minedAt = await desk.db.now();
    desk.world.pay(to, usd(100));
    desk.world.now = () => minedAt;
    desk.world.mine();
    desk.world.now = undefined;
    await desk.pass(40 * 60_000);
    await desk.turn();
    const [final] = await desk.payins(order);
    assert.deepEqual(
      [final?.event, final?.seenAt, final?.firstConfirmedAt],
      ['final', minedAt.toISOString(), minedAt.toISOString()],
    );
    const seenAfter = new Date(final?.seenAfter ?? 0);
    assert.ok(seenAfter <= before && before.getTime() - seenAfter.getTime() < 5_000, 'the last poll that did not show it');
  });

  it('a poll of a node that is behind bounds no time', async () => {
    const { order, to } = await desk.open();
    await desk.turn();
    const before = await desk.db.now();
    await desk.pass(60_000);
    const minedAt = await desk.db.now();
    desk.world.now = () => minedAt;
    desk.world.pay(to, usd(100));
    desk.world.mine();
    desk.world.now = undefined;
    await desk.db.run('update rail_state set top_height = greatest(top_height, $1)', [desk.world.height]);
    desk.world.lag = 1;
    await desk.pass(10 * 60_000);
    await desk.turn();
    desk.world.lag = 0;
    await desk.pass(60_000);
    await desk.turn();
    const final = (await desk.payins(order)).at(-1);
    assert.equal(final?.firstConfirmedAt, minedAt.toISOString());
    assert.ok(new Date(final?.seenAfter ?? 0) <= before);
  });

  it('a poll that leaves something out for a moment drops nothing', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    await desk.turn();
    desk.world.inject('observe', { kind: 'drop' }, 1);
    await desk.pass(3_000);
    await desk.turn();
    await desk.pass(3_000);
    await desk.turn();
    await settle(1);
    assert.deepEqual(events(await desk.payins(order)), ['seen', 'final']);
  });

  for (const depth of [1, 2, 3, 6]) {
    it(`reverses a final payment after a reorg of depth ${depth}, and finalises it again`, async () => {
      const { order, to } = await desk.open();
      desk.world.pay(to, usd(100));
      await settle(depth);
      const gone = desk.world.reorg(depth, true);
      await desk.turn();
      const [reversed] = (await desk.payins(order)).slice(1);
      assert.deepEqual([reversed?.event, reversed?.reason], ['reversed', 'reorg']);
      for (const tx of gone) if (!tx.own) desk.world.restore(tx);
      await desk.pass(11_000);
      await desk.turn();
      await settle(1);
      const published = await desk.payins(order);
      assert.deepEqual(events(published), ['final', 'reversed', 'seen', 'final']);
      assert.deepEqual([published[2]?.isBack, published[3]?.isBack], [true, true]);
    });
  }

  it('a reorg that mines a payment again reverses nothing; one before the credit only sets it back', async () => {
    const first = await desk.open();
    desk.world.pay(first.to, usd(100));
    const second = await desk.open();
    desk.world.pay(second.to, usd(4_000));
    await settle(2);
    desk.world.reorg(2, false);
    await desk.turn();
    await desk.pass(6_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(first.order)), ['final']);
    desk.world.reorg(2, true);
    await desk.turn();
    const dropped = (await desk.payins(second.order)).at(-1);
    assert.deepEqual([dropped?.event, dropped?.reason], ['dropped', 'reorg'], 'never final, so nothing is reversed');
  });
});
