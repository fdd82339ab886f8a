import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ObservedPayment, PaymentStatus } from '../rail.ts';
import type { Esplora, Transaction } from './client.ts';
import { bitcoin } from './config.ts';
import { observe } from './observed-payments.ts';
import { type BitcoinWorld, bitcoinWorld } from './world.testing.ts';

describe('payments as the chain shows them', () => {
  let world: BitcoinWorld;
  before(async () => {
    world = await bitcoinWorld('1');
  });
  after(() => world?.close());
  const place = () => ({ currency: 'BTC', to: world.rail.payin.instruct('BTC', world.nextIndex()).to, sinceHeight: 0 });
  const poll = (at: { currency: string; to: string; sinceHeight: number }): Promise<ObservedPayment[]> =>
    world.rail.payin.observe([at]);

  it('shows a waiting payment, and whether its fee is enough', async () => {
    const [good, slow] = [place(), place()];
    await world.payment(good.to, 5_000_000n);
    await world.payment(slow.to, 5_000_000n, { fee: 'low' });
    assert.deepEqual(
      (await poll(good)).map(({ status }) => status),
      [{ at: 'mempool', isReplaceable: false, isFeeOk: true }],
    );
    assert.deepEqual(
      (await poll(slow)).map(({ status }) => status),
      [{ at: 'mempool', isReplaceable: false, isFeeOk: false }],
    );
    await world.blocks(1);
    const [mined] = await poll(good);
    assert.ok(mined?.status.at === 'block' && mined.status.confirmations === 1);
    const tip = await world.rail.payin.tip();
    assert.deepEqual([mined.status.height, mined.status.hash], [tip.height, tip.hash]);
    assert.ok(Math.abs(mined.status.minedAt.getTime() - Date.now()) < 60_000);
  });

  it('calls a signalling payment replaceable, and shows its replacement as another payment', async () => {
    const at = place();
    const first = await world.payment(at.to, 2_000_000n, { isReplaceable: true });
    const before = await poll(at);
    assert.deepEqual(
      before.map(({ status }) => status),
      [{ at: 'mempool', isReplaceable: true, isFeeOk: true }],
    );
    const { txid } = await world.sandbox.control<{ txid: string }>('/bitcoin/replace', { txid: first, fee_rate: 50 });
    const after = await poll(at);
    assert.deepEqual(
      after.map((observedPayment) => observedPayment.txid),
      [txid],
    );
    assert.ok(after[0]!.parts < 2_000_000n);
    const spent = new Set(before[0]?.inputs);
    assert.ok(
      after[0]?.inputs?.some((input) => spent.has(input)),
      'both spend the same',
    );
    await world.blocks(1);
  });

  it('shows no payment whose coin was spent elsewhere, while it waited or after it was mined', async () => {
    const at = place();
    const waiting = await world.payment(at.to, 3_000_000n);
    assert.equal((await poll(at)).length, 1);
    await world.sandbox.control('/bitcoin/double-spend', { txid: waiting });
    assert.deepEqual(await poll(at), []);
    for (const depth of [1, 2, 6]) {
      const mined = await world.payment(at.to, 3_000_000n);
      await world.blocks(depth);
      assert.equal((await poll(at)).length, 1);
      await world.sandbox.control('/bitcoin/reorg-conflict', { txid: mined, depth });
      await world.blocks(1);
      assert.deepEqual(await poll(at), [], `at depth ${depth}`);
    }
  });

  it('shows true payments, or throws, while Esplora answers late, twice, from the past or not at all', async () => {
    const at = place();
    await world.payment(at.to, 4_000_000n);
    await world.blocks(1);
    const [truth] = await poll(at);
    const faults = (rates: object): Promise<unknown> => world.sandbox.control('/faults', { rail: 'bitcoin', ...rates });
    await faults({ duplicates: 1, delays: 1, delay_ms: 50 });
    assert.deepEqual(await poll(at), [truth]);
    await faults({ errors: 1 });
    await assert.rejects(poll(at));
    assert.equal((await world.rail.health()).isUp, false);
    await faults({ hangs: 1 });
    await assert.rejects(poll(at));
    await faults({ lost_replies: 1 });
    await assert.rejects(poll(at));
    await faults({ stale: 1 });
    await world.blocks(3);
    assert.deepEqual(await poll(at), [truth], 'a stale answer is consistent');
    await faults({});
    const [now] = await poll(at);
    assert.ok(now?.status.at === 'block' && now.status.confirmations === 4);
  });
});

describe('the status of a payment', () => {
  const OURS = 'rb1-ours';
  const id = (name: string): string => Buffer.from(name.padEnd(32)).toString('hex');
  const status = { confirmed: true as const, block_height: 5, block_hash: id('block'), block_time: 0 };

  function tx(name: string, parents: readonly string[], change: Partial<Transaction> & { sequence?: number } = {}): Transaction {
    const { sequence = 0xffffffff, ...rest } = change;
    const vin = parents.map((parent) => ({ txid: id(parent), vout: 0, sequence, is_coinbase: false }));
    const vout = [{ scriptpubkey: '', scriptpubkey_address: OURS, value: 1000n }];
    return { txid: id(name), vin, vout, weight: 400, fee: 1000n, status: { confirmed: false }, ...rest };
  }

  async function statusOf(
    payment: Transaction,
    others: readonly Transaction[],
    spentBy?: string,
    estimates: () => Promise<ReadonlyMap<number, bigint>> = async () => new Map([[6, 5000n]]),
  ): Promise<PaymentStatus | undefined> {
    const all = new Map([payment, ...others].map((one) => [one.txid, one]));
    const esplora = {
      within() {
        return this as Partial<Esplora> as Esplora;
      },
      tipHeight: async () => 10,
      blockHash: async () => id('block'),
      newest: async () => ({ transactions: [payment] }),
      mined: async () => ({ transactions: [] }),
      transaction: async (txid: string) => all.get(txid),
      spending: async () => (spentBy === '' ? { spent: false } : { spent: true, txid: spentBy ?? payment.txid }),
      feeEstimates: estimates,
    } as Partial<Esplora> as Esplora;
    const [observedPayment] = await observe(esplora, bitcoin({ esplora: '', network: 'regtest' }), [
      { currency: 'BTC', to: OURS, sinceHeight: 0 },
    ]);
    return observedPayment?.status;
  }

  const firm = { at: 'mempool', isReplaceable: false, isFeeOk: true };
  const open = { ...firm, isReplaceable: true };
  const mined = tx('mined', [], { status });

  it('is firm with a mined parent and a full fee', async () => {
    assert.deepEqual(await statusOf(tx('a', ['mined']), [mined]), firm);
    assert.deepEqual(await statusOf(tx('a', ['mined'], { sequence: 0xfffffffe }), [mined]), firm, 'a lock time is no signal');
  });

  it('is replaceable if it, or any waiting ancestor, signals so', async () => {
    assert.deepEqual(await statusOf(tx('a', ['mined'], { sequence: 0xfffffffd }), [mined]), open);
    assert.deepEqual(await statusOf(tx('a', ['b']), [tx('b', ['mined'], { sequence: 0 }), mined]), open);
    assert.deepEqual(await statusOf(tx('a', ['b']), [tx('b', ['c']), tx('c', ['mined'], { sequence: 0xfffffffd }), mined]), open);
    assert.deepEqual(
      await statusOf(tx('a', ['b']), [tx('b', ['mined'], { sequence: 0, status })]),
      firm,
      'a mined ancestor’s signal is over',
    );
  });

  it('is replaceable if another transaction shows that it spends the same, not by the word of an index alone', async () => {
    assert.deepEqual(await statusOf(tx('a', ['mined']), [mined, tx('other', ['mined'])], id('other')), open);
    assert.deepEqual(await statusOf(tx('a', ['mined']), [mined], id('other')), firm, 'the other one is nowhere');
    assert.deepEqual(
      await statusOf(tx('a', ['mined']), [mined, tx('other', ['b'])], id('other')),
      firm,
      'it spends something else',
    );
    assert.deepEqual(await statusOf(tx('a', ['mined']), [mined], ''), firm, 'not spent, says a server that is behind');
  });

  it('leaves the fee undecided without an ancestor, an estimate or the fee itself', async () => {
    const unsaid = { at: 'mempool', isReplaceable: false };
    assert.deepEqual(await statusOf(tx('a', ['gone']), []), unsaid);
    assert.deepEqual(await statusOf(tx('a', ['gone'], { sequence: 0 }), []), { ...unsaid, isReplaceable: true }, 'it signals so');
    assert.deepEqual(await statusOf(tx('a', ['mined'], { fee: undefined }), [mined]), unsaid);
    const silent = async (): Promise<never> => Promise.reject(new Error('busy'));
    assert.deepEqual(await statusOf(tx('a', ['mined']), [mined], undefined, silent), unsaid);
  });

  it('is replaceable with too low a fee if it has too many ancestors', async () => {
    const chain = Array.from({ length: 40 }, (_, index) => tx(`c${index}`, [`c${index + 1}`]));
    assert.deepEqual(await statusOf(tx('a', ['c0']), chain), { at: 'mempool', isReplaceable: true, isFeeOk: false });
  });

  it('counts a block reward once it can be spent', async () => {
    const made = (height: number): Promise<PaymentStatus | undefined> => {
      const vin = [{ txid: id('none'), vout: 0xffffffff, sequence: 0, is_coinbase: true }];
      return statusOf(tx('a', [], { vin, status: { ...status, block_height: height } }), []);
    };
    const deep = async (height: number) => {
      const shown = await made(height);
      return shown?.at === 'block' ? [shown.confirmations, shown.isFinalised] : shown;
    };
    assert.deepEqual(
      [await deep(10), await deep(-88), await deep(-89)],
      [
        [0, false],
        [0, false],
        [100, true],
      ],
    );
  });

  it('believes no block far above the tip', async () => {
    assert.equal(await statusOf(tx('a', [], { status: { ...status, block_height: 17 } }), []), undefined);
    assert.equal((await statusOf(tx('a', [], { status: { ...status, block_height: 16 } }), []))?.at, 'block');
  });

  it('needs a sufficient fee both alone and together with its waiting ancestors', async () => {
    // 5 sat/vB are needed; each transaction has 100 vB.
    assert.deepEqual(await statusOf(tx('a', ['mined'], { fee: 500n }), [mined]), firm);
    assert.deepEqual(await statusOf(tx('a', ['mined'], { fee: 499n }), [mined]), { ...firm, isFeeOk: false });
    assert.deepEqual(await statusOf(tx('a', ['b'], { fee: 900n }), [tx('b', ['mined'], { fee: 100n }), mined]), firm);
    assert.deepEqual(await statusOf(tx('a', ['b'], { fee: 899n }), [tx('b', ['mined'], { fee: 100n }), mined]), {
      ...firm,
      isFeeOk: false,
    });
    assert.deepEqual(await statusOf(tx('a', ['b'], { fee: 499n }), [tx('b', ['mined'], { fee: 9000n }), mined]), {
      ...firm,
      isFeeOk: false,
    });
  });
});
