import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { askReserve } from '../balances/float.ts';
import { isOwnAddress, watchClosely } from '../payins/open-payin.ts';
import { railStates } from '../rails/rail-state.ts';
import { watchRail } from './watch-payins.ts';
import { PAYIN_DEEP_EVENT } from '../rails/event-bodies.ts';
import { type Desk, events, holdUp, openDesk } from '../scenarios/world.testing.ts';

/** Parts of BTC worth a number of USD here. */
const usd = (dollars: number): bigint => BigInt(dollars) * 1_000n;

describe('watching pay-ins', { timeout: 60_000 }, () => {
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

  it('publishes a payment as seen, in a block, final, and no more', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(4_000));
    await desk.turn();
    await desk.turn();
    for (let block = 0; block < 5; block += 1) await settle(1);
    const events = await desk.payins(order);
    assert.deepEqual(
      events.map(({ event, confirmations, needed }) => `${event} ${confirmations}/${needed}`),
      ['seen 0/3', 'progress 1/3', 'final 3/3'],
    );
    const last = events.at(-1);
    assert.deepEqual([last?.parts, last?.currency, last?.unit, last?.place], [usd(4_000).toString(), 'BTC', 'BTC', 'hot']);
    assert.equal(last?.isBack, undefined);
    assert.ok(last?.firstConfirmedAt && last.firstConfirmedAt >= last.seenAt);
  });

  it('publishes once that a final payment is deep', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    const deep = () =>
      desk.db.rows(`select body ->> 'confirmations' as depth from event where kind = $1 and subject = $2`, [
        PAYIN_DEEP_EVENT,
        `order:${order}`,
      ]);
    await settle(1);
    assert.deepEqual([events(await desk.payins(order)), await deep()], [['final'], []]);
    for (let block = 0; block < 7; block += 1) {
      await desk.pass(3_600_000);
      await settle(1);
    }
    assert.deepEqual(await deep(), [{ depth: '6' }]);
  });

  it('credits once, however often the rail shows it', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    desk.world.inject('observe', { kind: 'duplicate' }, 3);
    for (let turn = 0; turn < 3; turn += 1) await settle(1);
    assert.deepEqual(events(await desk.payins(order)), ['final']);
  });

  it('keeps two payments to one address apart', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    desk.world.pay(to, usd(200));
    await settle(1);
    const published = await desk.payins(order);
    assert.deepEqual(events(published).toSorted(), ['final', 'final']);
    assert.equal(new Set(published.map(({ payinId }) => payinId)).size, 2);
  });

  it('only sees a replaceable or underpaying transaction, until it is in a block', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100), { isReplaceable: true });
    await desk.turn();
    assert.deepEqual(
      (await desk.payins(order)).map(({ event, isFeeOk }) => [event, isFeeOk]),
      [['seen', false]],
    );
    await settle(1);
    assert.deepEqual((await desk.payins(order)).map(({ event, isFeeOk }) => [event, isFeeOk])[1], ['final', true]);
  });

  it('ignores dust, and marks payments in another currency', async () => {
    const other = await openDesk({
      currencies: [
        { code: 'BTC', unit: 'BTC' },
        { code: 'USDT_MEM', unit: 'USDT' },
      ],
    });
    try {
      const { order, to } = await other.open();
      other.world.pay(to, 10n);
      other.world.pay(to, 5_000_000n, { currency: 'USDT_MEM' });
      other.world.pay(to, 5_000_000n, { currency: 'FAKE' });
      other.world.mine();
      await other.turn();
      const events = await other.payins(order);
      assert.deepEqual(
        events.map(({ event, currency, isForeign, unit }) => [event, currency, isForeign, unit]),
        [['final', 'USDT_MEM', true, 'USDT']],
      );
    } finally {
      await other.close();
    }
  });

  it('a payment replaces nothing if its other output is not shown for a moment', async () => {
    const { order, to } = await desk.open();
    desk.world.payMany(
      [
        { to, parts: usd(100) },
        { to, parts: usd(50) },
      ],
      { inputs: ['coin:9'] },
    );
    await desk.turn();
    desk.world.inject('observe', { kind: 'drop' }, 1);
    await desk.pass(3_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['seen', 'seen']);
  });

  it('polls closely for the rest of a payment, and less often once it is here', async () => {
    const { to } = await desk.open();
    const nextPoll = async (): Promise<number> => {
      const row = await desk.db.row<{ ms: number }>(
        `select (extract(epoch from due_at - clock_now()) * 1000)::float8 as ms from receiving_address where to_text = $1`,
        [to],
      );
      return row?.ms ?? 0;
    };
    desk.world.pay(to, 600n);
    await settle(1);
    assert.ok((await nextPoll()) <= 2_000);
    desk.world.pay(to, 600n);
    await desk.pass(3_000);
    await settle(1);
    assert.ok((await nextPoll()) > 20_000);
  });

  it('gives up after 14 days without a block; a block still counts', async () => {
    const { order, to } = await desk.open();
    const id = desk.world.pay(to, usd(100));
    await desk.turn();
    await desk.pass(15 * 86_400_000);
    await desk.turn();
    assert.deepEqual((await desk.payins(order)).map(({ event, reason }) => [event, reason])[1], ['dropped', 'given_up']);
    await desk.db.tx((tx) => watchClosely(tx, { kind: 'order', id: order }, new Date(tx.now.getTime() + 60_000)));
    await desk.turn();
    assert.equal((await desk.payins(order)).length, 2, 'still waiting: still given up');
    assert.ok(desk.world.status(id));
    await settle(1);
    await desk.db.tx((tx) => watchClosely(tx, { kind: 'order', id: order }, new Date(tx.now.getTime() + 60_000)));
    await desk.turn();
    const events = await desk.payins(order);
    assert.deepEqual([events.at(-1)?.event, events.at(-1)?.isBack], ['final', true]);
  });

  it('needs depth by the whole sum of a customer or a transaction', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => desk.open()));
    desk.world.payMany(many.map(({ to }) => ({ to, parts: usd(450) })));
    await settle(1);
    for (const { order } of many)
      assert.deepEqual(
        (await desk.payins(order)).map(({ needed }) => needed),
        [6],
      );
    const [a, b] = [await desk.open('one person'), await desk.open('one person')];
    desk.world.pay(a.to, usd(450));
    await desk.turn();
    desk.world.pay(b.to, usd(460));
    await desk.pass(3_000);
    await settle(1);
    assert.equal((await desk.payins(b.order)).at(-1)?.needed, 2);
    assert.equal((await desk.payins(a.order)).at(-1)?.event, 'progress', 'the second one raised the depth that the first needs');
    await settle(5);
    for (const { order } of [...many, a, b]) assert.equal((await desk.payins(order)).at(-1)?.event, 'final');
  });

  it('adds one while the sum in one block exceeds 20 000 USD', async () => {
    const addresses = await Promise.all(Array.from({ length: 41 }, () => desk.open()));
    for (const { to } of addresses) desk.world.pay(to, usd(500));
    await settle(1);
    assert.equal((await desk.payins(addresses[0]?.order ?? ''))[0]?.needed, 2);
    await settle(1);
    for (const { order } of addresses) assert.equal((await desk.payins(order)).at(-1)?.event, 'final');
  });

  it('needs the greatest depth if no rate is known', async () => {
    const blind = await openDesk({}, { values: { usd: () => null, price: () => undefined } });
    try {
      const { order, to } = await blind.open();
      blind.world.pay(to, usd(1));
      blind.world.mine();
      await blind.turn();
      assert.deepEqual(
        (await blind.payins(order)).map(({ needed }) => needed),
        [7],
      );
    } finally {
      await blind.close();
    }
  });

  it('ignores a rail’s report of another amount', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(4_000));
    await settle(1);
    desk.world.inject('observe', { kind: 'lie' }, 1);
    await settle(2);
    assert.equal((await desk.payins(order)).length, 1);
    await settle(1);
    const events = await desk.payins(order);
    assert.ok(events.every(({ parts }) => parts === usd(4_000).toString()));
    assert.equal(events.at(-1)?.event, 'final');
  });

  it('credits nothing while the node hangs, fails, lags or is on a wrong chain, and goes on automatically', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    desk.world.mine();
    for (const kind of ['hang', 'error'] as const) {
      desk.world.inject('observe', { kind });
      await desk.turn();
      await desk.pass(61_000);
    }
    desk.world.lag = 40;
    await desk.turn();
    assert.match((await railStates(desk.db))[0]?.detail ?? '', /had been at/);
    desk.world.lag = 0;
    desk.world.health = { isUp: false, detail: 'another chain' };
    await desk.pass(61_000);
    await desk.turn();
    // Its health is polled at least every five seconds.
    assert.deepEqual(await desk.payins(order), []);
    assert.equal((await railStates(desk.db))[0]?.isUp, false);
    desk.world.health = { isUp: true, detail: 'up' };
    await desk.pass(61_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['final']);
    assert.equal((await railStates(desk.db))[0]?.isUp, true);
  });

  it('leaves a rail that fails alone for a while', async () => {
    let tips = 0;
    desk.world.chance = (call) => {
      if (call === 'tip') tips += 1;
      return call === 'tip' ? { kind: 'error' } : undefined;
    };
    for (let turn = 0; turn < 10; turn += 1) await desk.turn();
    desk.world.chance = () => undefined;
    assert.ok(tips <= 2, `asked ${tips} times`);
    await desk.pass(61_000);
    await desk.turn();
    assert.equal((await railStates(desk.db))[0]?.isUp, true);
  });

  it('two concurrent workers publish everything once', async () => {
    const addresses = await Promise.all(Array.from({ length: 20 }, () => desk.open()));
    for (const { to } of addresses) desk.world.pay(to, usd(100));
    desk.world.mine();
    await Promise.all(Array.from({ length: 4 }, () => desk.turn()));
    await desk.pass(31_000);
    await desk.turn();
    for (const { order } of addresses) assert.deepEqual(events(await desk.payins(order)), ['final']);
  });

  it('a poll that ends after another has begun writes nothing', async () => {
    const { order, to } = await desk.open();
    desk.world.pay(to, usd(100));
    await desk.turn();
    await desk.pass(3_000);
    const held = holdUp(desk, 'observe');
    const late = watchRail({ ...desk.deps, callMs: 10_000 }, desk.rail);
    await held.requested;
    desk.world.mine();
    await desk.pass(31_000);
    await desk.turn();
    held.answer();
    await late;
    assert.deepEqual(events(await desk.payins(order)), ['seen', 'final']);
    const row = await desk.db.row<{ missing_since: Date | null }>(`select missing_since from payin where owner_id = $1`, [order]);
    assert.equal(row?.missing_since, null, 'a payment that the late poll saw waiting is still in its block');
  });

  it('polls for ever: a payment after months is found by the weekly poll', async () => {
    const { order, to } = await desk.open();
    await desk.turn();
    await desk.pass(100 * 86_400_000);
    await desk.turn();
    desk.world.pay(to, usd(100));
    desk.world.mine();
    await desk.pass(6 * 86_400_000);
    await desk.turn();
    assert.deepEqual(await desk.payins(order), []);
    await desk.pass(2 * 86_400_000);
    await desk.turn();
    assert.deepEqual(events(await desk.payins(order)), ['final']);
  });

  it('hands an address out once, also to fifty callers at once, and recognises its own', async () => {
    const addresses = await Promise.all(Array.from({ length: 50 }, () => desk.open()));
    assert.equal(new Set(addresses.map(({ to }) => to)).size, 50);
    const [address] = addresses;
    assert.ok(await isOwnAddress(desk.db, (address?.to ?? '').toUpperCase()));
    assert.ok(await isOwnAddress(desk.db, desk.rail.payin.instruct(desk.currency, 0).to));
    assert.equal(await isOwnAddress(desk.db, desk.receiver()['address'] ?? ''), false);
    assert.match(address?.uri ?? '', /^memory:m[0-9a-f]+\?amount=0\.00001000$/);
  });

  it('an address of an abandoned transaction goes to the next', async () => {
    const taken = await desk.open();
    const abandoned = desk.db.tx(async (tx) => {
      await tx.run(`update receiving_address set owner_id = owner_id where false`);
      throw new Error('abandoned');
    });
    await assert.rejects(abandoned, /abandoned/);
    const numbers = await desk.db.rows<{ number: string }>(
      `select number from receiving_address where owner_kind = 'order' order by number`,
    );
    assert.deepEqual(
      numbers.map(({ number }) => number),
      numbers.map((_, at) => String(at + 1)),
      'no gaps',
    );
    assert.ok(taken.to);
  });

  it('the rail holds the amount of the reserve', async () => {
    await askReserve(desk.deps, desk.rail);
    const row = await desk.db.row<{ parts: string }>(`select parts from rail_balance where place = 'hot'`);
    assert.equal(row?.parts, desk.world.held('BTC', 'hot').toString());
    assert.equal(await desk.balance(accounts.custody('BTC', 'hot', 'BTC')), 0n, 'orders are posted by others');
  });
});

describe('a payment that needs twelve confirmations', { timeout: 60_000 }, () => {
  let desk: Desk;
  before(async () => {
    desk = await openDesk({ id: 'evm' });
  });
  after(() => desk.close());

  it('is polled once its height decides, and at once after a reorg; nothing is published in between', async () => {
    const { order, to } = await desk.open();
    const settle = async (blocks: number): Promise<void> => {
      for (let block = 0; block < blocks; block += 1) {
        desk.world.mine();
        await desk.turn();
      }
    };
    const reported = async (): Promise<string[]> =>
      (await desk.payins(order)).map(({ event, confirmations }) => `${event} ${confirmations}`);
    desk.world.pay(to, 1_000n);
    const polled = () => desk.db.row('select confirmations from payin where owner_id = $1', [order]);
    await settle(8);
    assert.deepEqual([await reported(), await polled()], [['seen 1'], { confirmations: 1 }]);
    desk.world.reorg(2, false);
    await desk.turn();
    assert.deepEqual([await reported(), await polled()], [['seen 1'], { confirmations: 8 }]);
    await settle(3);
    assert.deepEqual(await polled(), { confirmations: 8 });
    await settle(1);
    assert.deepEqual(await reported(), ['seen 1', 'final 12']);
  });
});
