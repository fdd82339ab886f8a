import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accounts, leg, profit } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { fundDesk, withdrawDesk } from '../balances/capital.ts';
import { postEvents, recordEvents } from '../payins/events.ts';
import { closeBooks } from '../balances/close-books.ts';
import { askReserve, lastFloat } from '../balances/float.ts';
import { bookDifference, differences, reconcile, sharedApart, unexplained } from '../balances/reconcile.ts';
import { sweepRail } from '../sending/sweep.ts';
import { events, fixedValues, withDesk } from './world.testing.ts';

const ETHER = 10n ** 18n;

const evm = { id: 'evm', currencies: [{ code: 'USDT_MEM', unit: 'USDT' }], batch: 1, fuel: 'ETH' };
const hot = accounts.custody('BTC', 'hot', 'BTC');
const free = accounts.deskFree('BTC');

describe('the desk’s own capital', () => {
  it('comes in once, and fuel is set aside', () =>
    withDesk(evm, async (desk) => {
      const action = { id: newId(), currency: 'ETH', place: 'fuel' as const, parts: 5n * ETHER };
      for (let time = 0; time < 2; time += 1) await desk.db.tx((tx) => fundDesk(tx, action));
      assert.equal(await desk.balance(accounts.deskFuel('ETH')), 5n * ETHER);
      assert.equal(await desk.balance(accounts.custody('ETH', 'fuel', 'ETH')), 5n * ETHER);
      assert.equal(await desk.balance(accounts.deskFree('ETH')), 0n);
      await assert.rejects(
        desk.db.tx((tx) => fundDesk(tx, { ...action, parts: ETHER })),
        { code: 'idempotency_mismatch' },
      );
    }));

  it('goes out by a payout whose owner is the desk', () =>
    withDesk({}, async (desk) => {
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
      const id = newId();
      await desk.db.tx((tx) => withdrawDesk(tx, { id, currency: 'BTC', parts: 1_000_000n, to: desk.receiver() }));
      assert.equal(await desk.balance(accounts.payout(id, 'BTC')), 1_000_000n);
      await desk.turn();
      desk.world.mine();
      await desk.turn();
      assert.equal(await desk.balance(accounts.payout(id, 'BTC')), 0n);
      assert.equal(await desk.balance(hot), 10_000_000_000n - 1_000_000n - 1_000n);
      assert.equal(await desk.balance(hot), desk.world.held('BTC', 'hot'));
      const refused = newId();
      desk.world.inject('prepare', { kind: 'refuse' });
      await desk.db.tx((tx) => withdrawDesk(tx, { id: refused, currency: 'BTC', parts: 1_000_000n, to: desk.receiver() }));
      await desk.turn();
      await desk.turn();
      assert.equal(await desk.balance(free), 10_000_000_000n - 1_000_000n, 'a refused one is back');
      await assert.rejects(
        desk.db.tx((tx) => withdrawDesk(tx, { id: newId(), currency: 'BTC', parts: 10n ** 12n, to: desk.receiver() })),
        { code: 'not_enough_there' },
      );
    }));
});

it('money that moves between rails outside is no new capital: its cost reduces profit', () =>
  withDesk({}, async (desk) => {
    await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }, fixedValues));
    const id = newId();
    const out = { id, currency: 'BTC', parts: 1_000_000n, to: desk.receiver(), isRebalancing: true };
    await desk.db.tx((tx) => withdrawDesk(tx, out, fixedValues));
    await desk.turn();
    desk.world.mine();
    await desk.turn();
    assert.equal(await desk.balance(accounts.payout(id, 'BTC')), 0n);
    const back = { id: newId(), currency: 'BTC', place: 'hot' as const, parts: 990_000n, isRebalancing: true };
    await desk.db.tx((tx) => fundDesk(tx, back, fixedValues));
    const { capital, operating } = await profit(desk.db);
    // 100 BTC at 100 000 USD; 10 000 satoshi stayed outside, and the network took 1 000.
    assert.deepEqual([Number.parseFloat(capital), Number.parseFloat(operating)], [10_000_000, -11]);
    const refused = newId();
    desk.world.inject('prepare', { kind: 'refuse' });
    await desk.db.tx((tx) => withdrawDesk(tx, { ...out, id: refused, to: desk.receiver() }, fixedValues));
    await desk.turn();
    await desk.turn();
    const after = await profit(desk.db);
    assert.deepEqual([after.capital, after.operating], [capital, operating], 'a refused one is back');
  }));

describe('sweeping', () => {
  it('brings gas to the address, then its tokens to the hot wallet; books and rail agree at each step', () =>
    withDesk(evm, async (desk) => {
      await desk.db.tx((tx) =>
        fundDesk(tx, [
          { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER },
          { id: newId(), currency: 'USDT_MEM', place: 'hot', parts: 10_000_000_000n },
        ]),
      );
      const agree = async (words: string): Promise<void> => {
        for (const [currency, place, unit] of [
          ['ETH', 'fuel', 'ETH'],
          ['ETH', 'deposit', 'ETH'],
          ['USDT_MEM', 'deposit', 'USDT'],
          ['USDT_MEM', 'hot', 'USDT'],
        ] as const) {
          assert.equal(
            await desk.balance(accounts.custody(currency, place, unit)),
            desk.world.held(currency, place),
            `${words}: ${currency} ${place}`,
          );
        }
      };
      const { order, to } = await desk.open();
      const dust = await desk.open();
      desk.world.pay(to, 400_000_000n);
      desk.world.pay(dust.to, 1_000_000n);
      desk.world.mine(12);
      await desk.turn();
      assert.deepEqual(events(await desk.payins(order)), ['final']);
      // The exchange posts that the payment is final.
      const booked = leg(accounts.custody('USDT_MEM', 'deposit', 'USDT'), accounts.unallocated(order, 'USDT'), 401_000_000n);
      await desk.db.tx((tx) => recordEvents(tx, fixedValues, [{ kind: 'unallocated', cause: newId(), legs: [booked] }]));
      await postEvents(desk.db);
      await agree('before');
      assert.equal(await sweepRail(desk.deps, desk.rail), 1, 'one is worth it: gas is sent first');
      assert.equal(await sweepRail(desk.deps, desk.rail), 0, 'a step is under way');
      desk.world.mine(12);
      await desk.turn();
      await agree('gas is there');
      assert.equal(await sweepRail(desk.deps, desk.rail), 1);
      await desk.turn();
      assert.equal(await desk.balance(accounts.custody('USDT_MEM', 'transit', 'USDT')), 400_000_000n);
      desk.world.mine(12);
      await desk.turn();
      await agree('swept');
      assert.equal(await desk.balance(accounts.custody('USDT_MEM', 'transit', 'USDT')), 0n);
      assert.equal(await sweepRail(desk.deps, desk.rail), 0, 'nothing worth it is left');
      assert.equal(await desk.balance(accounts.spent('network', 'ETH')), 2_000n);
    }));

  it('a lagging node shows an address as before its sweep: nothing is sent twice, and other addresses are swept', () =>
    withDesk(evm, async (desk) => {
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER }));
      const { sweep } = desk.rail;
      assert.ok(sweep);
      desk.world.pay((await desk.open()).to, 400_000_000n);
      desk.world.mine(12);
      await desk.turn();
      const made: Awaited<ReturnType<typeof sweep.prepare>>[] = [];
      const stored: typeof sweep.prepare = async (...request) => {
        const prepared = await sweep.prepare(...request);
        made.push(prepared);
        return prepared;
      };
      const before = await sweep.holdings([0, 1, 2, 3]);
      for (let step = 0; step < 2; step += 1) {
        assert.equal(await sweepRail(desk.deps, { ...desk.rail, sweep: { ...sweep, prepare: stored } }), 1);
        desk.world.mine(200);
        await desk.pass(60_000);
        await desk.turn();
      }
      const collected = made.at(-1);
      assert.ok(collected?.ok && before.length === 1);
      desk.world.pay((await desk.open()).to, 400_000_000n);
      desk.world.mine(12);
      await desk.turn();
      const lagging = {
        ...sweep,
        holdings: async (places: readonly number[]) => [...before, ...(await sweep.holdings(places))],
        prepare: async (...[place, ...rest]: Parameters<typeof sweep.prepare>) =>
          place === before[0]?.index ? collected : sweep.prepare(place, ...rest),
      };
      assert.equal(await sweepRail(desk.deps, { ...desk.rail, sweep: lagging }), 1, 'the other’s gas is on its way');
    }));

  it('a lagging node doesn’t hide a deposit; an address emptied long ago is no longer queried', () =>
    withDesk(evm, async (desk) => {
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER }));
      const { order, to } = await desk.open();
      desk.world.pay(to, 400_000_000n);
      desk.world.mine(12);
      await desk.turn();
      const { sweep } = desk.rail;
      assert.ok(sweep);
      const lagging = { ...desk.rail, sweep: { ...sweep, holdings: async () => [] } };
      const mayHold = async () =>
        (await desk.db.row<{ may_hold: boolean }>(`select may_hold from receiving_address where owner_id = $1`, [order]))
          ?.may_hold;
      assert.equal(await sweepRail(desk.deps, lagging), 0);
      assert.equal(await mayHold(), true);
      assert.equal(await sweepRail(desk.deps, desk.rail), 1);
      // Once it is no longer followed, it is empty for good.
      desk.world.mine(200);
      await desk.pass(60_000);
      await desk.turn();
      await sweepRail(desk.deps, lagging);
      assert.equal(await mayHold(), false);
    }));

  it('a hundred addresses with dust don’t delay a later deposit', () =>
    withDesk(evm, async (desk) => {
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER }));
      for (let dusty = 0; dusty < 100; dusty += 1) desk.world.pay((await desk.open()).to, 1_000_000n);
      desk.world.pay((await desk.open()).to, 400_000_000n);
      desk.world.mine(12);
      await desk.turn();
      assert.equal(await sweepRail(desk.deps, desk.rail), 0, 'these are dust');
      assert.equal(await sweepRail(desk.deps, desk.rail), 1, 'behind them one is worth it');
    }));
});

describe('a coin that is a currency and pays for gas', () => {
  const chain = { id: 'evm', currencies: [{ code: 'ETH', unit: 'ETH', dust: 1n }], batch: 1, fuel: 'ETH' };
  const at = (place: 'hot' | 'fuel' | 'deposit' | 'transit') => accounts.custody('ETH', place, 'ETH');

  it('is swept without gas sent before, and is separate from gas in the books and in the payable amount', () =>
    withDesk(chain, async (desk) => {
      await desk.db.tx((tx) =>
        fundDesk(tx, [
          { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER },
          { id: newId(), currency: 'ETH', place: 'hot', parts: 10_000_000_000n },
        ]),
      );
      const { order, to } = await desk.open();
      desk.world.pay(to, ETHER / 50n);
      desk.world.mine(12);
      await desk.turn();
      const booked = leg(at('deposit'), accounts.unallocated(order, 'ETH'), ETHER / 50n);
      await desk.db.tx((tx) => recordEvents(tx, fixedValues, [{ kind: 'unallocated', cause: newId(), legs: [booked] }]));
      await postEvents(desk.db);
      assert.equal(await sweepRail(desk.deps, desk.rail), 1);
      desk.world.mine(12);
      await desk.turn();
      const swept = 10_000_000_000n + ETHER / 50n - 1_000n;
      assert.deepEqual([await desk.balance(at('hot')), await desk.balance(at('fuel'))], [swept, ETHER]);
      assert.deepEqual([await desk.balance(at('deposit')), await desk.balance(at('transit'))], [0n, 0n]);
      await askReserve(desk.deps, desk.rail);
      await desk.turn();
      assert.equal(await lastFloat(desk.db, 'ETH'), swept, 'gas is not payable');
      const id = newId();
      await desk.db.tx((tx) => withdrawDesk(tx, { id, currency: 'ETH', parts: 5_000n, to: desk.receiver() }, fixedValues));
      await desk.turn();
      desk.world.mine(12);
      await desk.turn();
      assert.deepEqual([await desk.balance(at('hot')), await desk.balance(at('fuel'))], [swept - 5_000n, ETHER - 1_000n]);
      await desk.pass(600_000);
      await askReserve(desk.deps, desk.rail);
      await reconcile(desk.db);
      const found = await differences(desk.db);
      assert.deepEqual(
        found.map(({ place, parts }) => [place, parts]),
        [
          ['deposit', 0n],
          ['fuel', 0n],
          ['hot', 0n],
        ],
      );
      await desk.db.tx((tx) => closeBooks(tx, { id: newId() }, fixedValues));
      assert.equal(await desk.balance(accounts.spent('network', 'ETH')), 0n);
      assert.equal(await desk.balance(accounts.deskFuel('ETH')), ETHER - 2_000n, 'gas is paid from the separate fuel');
    }));

  it('shows a difference at its one address as hot, however the rail had separated the two', () => {
    const row = { currency: 'ETH', unit: 'ETH', coming: 0n, going: 3n };
    const compare = (hot: bigint, fuel: bigint, inHot: bigint, inFuel: bigint, isShared = true) =>
      sharedApart(
        [
          { ...row, place: 'hot' as const, parts: hot, books: inHot },
          { ...row, place: 'fuel' as const, parts: fuel, books: inFuel },
        ],
        () => isShared,
      ).map(({ parts, books, going }) => [parts - books, going]);
    assert.deepEqual(compare(90n, 10n, 91n, 9n), [
      [0n, 6n],
      [0n, 6n],
    ]);
    assert.deepEqual(compare(95n, 10n, 90n, 10n), [
      [5n, 6n],
      [0n, 6n],
    ]);
    assert.deepEqual(
      compare(0n, 4n, 0n, 10n),
      [
        [0n, 6n],
        [-6n, 6n],
      ],
      'not even the gas is there',
    );
    assert.deepEqual(
      compare(90n, 10n, 91n, 9n, false),
      [
        [-1n, 3n],
        [1n, 3n],
      ],
      'two wallets stay two',
    );
  });
});

describe('reconciliation', () => {
  it('only an amount that nothing in flight explains is a difference', () => {
    assert.equal(unexplained({ parts: 100n, books: 100n, coming: 0n, going: 0n }), 0n);
    assert.equal(unexplained({ parts: 130n, books: 100n, coming: 30n, going: 0n }), 0n);
    assert.equal(unexplained({ parts: 131n, books: 100n, coming: 30n, going: 0n }), 1n);
    assert.equal(unexplained({ parts: 70n, books: 100n, coming: 0n, going: 30n }), 0n);
    assert.equal(unexplained({ parts: 69n, books: 100n, coming: 50n, going: 30n }), -1n);
  });

  it('compares, allows for money in flight, and books only by a person', () =>
    withDesk({}, async (desk) => {
      const compare = async (): Promise<bigint | undefined> => {
        await desk.turn();
        await askReserve(desk.deps, desk.rail);
        await reconcile(desk.db);
        return (await differences(desk.db)).find(({ place }) => place === 'hot')?.parts;
      };
      assert.equal(await compare(), 10_000_000_000n, 'nobody has booked the capital');
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
      assert.equal(await compare(), 0n);
      const { to } = await desk.open();
      desk.world.pay(to, 5_000_000n);
      desk.world.mine();
      const id = newId();
      await desk.db.tx((tx) => withdrawDesk(tx, { id, currency: 'BTC', parts: 3_000_000n, to: desk.receiver() }));
      assert.equal(await compare(), 0n, 'a payment comes, a payout goes');
      desk.world.fund('BTC', 'hot', -40_000_000n);
      const found = await compare();
      assert.ok(found !== undefined && found < 0n);
      const action = { id: newId(), currency: 'BTC', place: 'hot' as const, parts: found };
      await assert.rejects(
        desk.db.tx((tx) => bookDifference(tx, { ...action, parts: found - 1n })),
        { code: 'difference_changed' },
      );
      await desk.db.tx((tx) => bookDifference(tx, action));
      assert.equal(await desk.balance(accounts.suspense('BTC')), found);
      assert.equal((await differences(desk.db)).find(({ place }) => place === 'hot')?.since, null);
      await assert.rejects(
        desk.db.tx((tx) => bookDifference(tx, { ...action, id: newId() })),
        { code: 'difference_changed' },
      );
    }));
});

describe('payments’ own postings', () => {
  it('wait while a bound refuses them, and are posted once', () =>
    withDesk({}, async (desk) => {
      const fee = leg(accounts.spent('network', 'BTC'), hot, 1_000n);
      const [id] = await desk.db.tx((tx) =>
        recordEvents(tx, fixedValues, [{ kind: 'network_fee', cause: newId(), legs: [fee] }]),
      );
      assert.equal(await postEvents(desk.db), 0, 'the float isn’t booked yet');
      await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000n }));
      await desk.pass(5_000);
      assert.equal(await postEvents(desk.db), 1);
      // Killed between the posting and the mark: the replay changes nothing.
      await desk.db.run(`update payment_event set posted_at = null, due_at = at where id = $1`, [id]);
      assert.equal(await postEvents(desk.db), 1);
      assert.equal(await desk.balance(hot), 9_000n);
    }));
});
