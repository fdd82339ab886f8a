import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Problem } from '@kurs/contract';
import { accounts, verify } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { tronWorld } from '../../rails/testing.ts';
import { alteredBalances } from './balance-macs.ts';
import { fundDesk } from './capital.ts';
import { askReserve, payable, refreshFloat } from './float.ts';
import { differences, reconcile } from './reconcile.ts';
import { useRails } from '../rails/registry.ts';
import { setAsideFuel } from './set-aside-fuel.ts';
import { walletState } from '../rails/wallet.ts';
import { watchRail } from '../polls/watch-payins.ts';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';

const TRX = 1_000_000n;
const notThere = { code: 'not_enough_there' };

/** Returns the books of a coin: hot, gas, free money, free money for gas. */
const booksOf = (desk: Desk, unit: string): Promise<bigint[]> =>
  Promise.all(
    [
      accounts.custody(unit, 'hot', unit),
      accounts.custody(unit, 'fuel', unit),
      accounts.deskFree(unit),
      accounts.deskFuel(unit),
    ].map((account) => desk.balance(account)),
  );

const move = (desk: Desk, currency: string, parts: bigint, isBack = false): Promise<void> =>
  desk.db.tx((tx) => setAsideFuel(tx, { id: newId(), currency, parts, isBack }));

it('gas is set aside and given back in the books, and TRON’s rail reports the same for its one address', async () => {
  const [desk, tron] = [await openDesk({}, { callMs: 10_000 }), await tronWorld({ fuel: '1000' })];
  try {
    const { rail } = tron;
    useRails(new Map([[rail.id, rail]]));
    await tron.blocks(25);
    await desk.db.tx((tx) =>
      fundDesk(tx, [
        { id: newId(), currency: 'TRX', place: 'hot', parts: 900n * TRX },
        { id: newId(), currency: 'TRX', place: 'fuel', parts: 100n * TRX },
        { id: newId(), currency: 'USDT_TRC20', place: 'hot', parts: 100_000n * TRX },
      ]),
    );
    await watchRail(desk.deps, rail);
    /** Returns the rail's balance of the coin, by place, if it equals the books. */
    const held = async (): Promise<bigint[]> => {
      await askReserve(desk.deps, rail);
      await refreshFloat(desk.deps, rail);
      assert.deepEqual(await alteredBalances(desk.db), [], 'a reading with less than before accuses nobody');
      await reconcile(desk.db);
      const found = (await differences(desk.db)).filter(({ currency }) => currency !== 'BTC');
      assert.ok(found.length >= 3 && found.every(({ parts }) => parts === 0n), 'no place differs');
      const state = await walletState(desk.db, rail.id);
      const says = (await rail.reserve(state)).filter(({ currency, place }) => currency === 'TRX' && place !== 'deposit');
      const [hot, fuel] = await booksOf(desk, 'TRX');
      assert.deepEqual(
        says.map(({ place, parts }) => [place, parts]),
        [
          ['hot', hot],
          ['fuel', fuel],
        ],
      );
      return says.map(({ parts }) => parts / TRX);
    };
    assert.deepEqual(await held(), [900n, 100n]);
    await move(desk, 'TRX', 250n * TRX);
    assert.equal(await payable(desk.db, 'TRX'), 650n * TRX, 'at once');
    assert.deepEqual(await held(), [650n, 350n]);
    assert.equal(await payable(desk.db, 'TRX'), 650n * TRX, 'and from then on');
    await assert.rejects(move(desk, 'TRX', 651n * TRX), notThere);
    await assert.rejects(move(desk, 'TRX', 351n * TRX, true), notThere);
    await move(desk, 'TRX', 300n * TRX, true);
    assert.deepEqual(await held(), [950n, 50n]);
    assert.deepEqual(await booksOf(desk, 'TRX'), [950n * TRX, 50n * TRX, 950n * TRX, 50n * TRX]);
    await assert.rejects(move(desk, 'USDT_TRC20', TRX), ({ details }: Problem) => {
      assert.deepEqual(details.errors?.['currency'], { code: 'no_gas_apart', params: { values: 'TRX' } });
      return true;
    });
    assert.deepEqual((await verify(desk.db)).faults, []);
  } finally {
    await tron.close();
    await desk.close();
  }
});

it('coin that queued payouts need is not set aside as gas, and gas that a send may burn is not given back', async () => {
  const desk = await openDesk({ id: 'evm', currencies: [{ code: 'ETH', unit: 'ETH' }], fuel: 'ETH', fee: 1_000n, batch: 1 });
  try {
    const gas = 10n ** 18n;
    await desk.db.tx((tx) =>
      fundDesk(tx, [
        { id: newId(), currency: 'ETH', place: 'hot', parts: 10_000_000_000n },
        { id: newId(), currency: 'ETH', place: 'fuel', parts: gas },
      ]),
    );
    await askReserve(desk.deps, desk.rail);
    const id = await desk.request(9_000_000_000n);
    await refreshFloat(desk.deps, desk.rail);
    await assert.rejects(move(desk, 'ETH', 1_000_000_001n), notThere);
    await move(desk, 'ETH', 1_000_000_000n);
    await desk.turn();
    assert.equal(await desk.status(id), 'sent');
    await assert.rejects(move(desk, 'ETH', gas + 1_000_000_000n, true), notThere, 'its fee isn’t known before it is mined');
    await move(desk, 'ETH', gas + 1_000_000_000n - 1_000n, true);
  } finally {
    await desk.close();
  }
});
