import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBitcoin, type Bitcoin } from './index.ts';
import { addressOf, scriptOf } from './address.ts';
import { placeOf, unspent } from './esplora.ts';

describe('the bitcoin sandbox', () => {
  let bitcoin: Bitcoin;
  before(async () => {
    bitcoin = await openBitcoin();
  });
  after(() => bitcoin.close());

  const pay = (to: string, amount: string, isReplaceable = false): Promise<{ txid: string; from: string }> =>
    bitcoin.pay({ currency: 'BTC', to, amount, fee: 'normal', isReplaceable });
  const waiting = (): string[] => [...bitcoin.regtest.mempool.map.values()].map(({ tx }) => tx.txid());

  it('starts with segwit active and money to pay with', async () => {
    assert.equal(bitcoin.regtest.height, 440);
    const [a, b] = [await bitcoin.address('BTC'), await bitcoin.address('BTC')];
    assert.match(a, /^rb1q/);
    assert.notEqual(a, b);
    const [first, second] = [await pay(a, '0.015'), await pay(a, '51.5')];
    assert.notEqual(first.from, second.from, 'every payment comes from an account of its own');
    assert.equal(await bitcoin.balance('BTC', a), '51.51500000');
    await bitcoin.mine(1);
    assert.equal(await bitcoin.balance('BTC', a), '51.51500000');
    assert.deepEqual(waiting(), []);
  });

  it('pays every kind of address', async () => {
    for (const script of [
      `0014${'a1'.repeat(20)}`,
      `0020${'b2'.repeat(32)}`,
      `5120${'c3'.repeat(32)}`,
      `76a914${'d4'.repeat(20)}88ac`,
      `a914${'e5'.repeat(20)}87`,
    ]) {
      const address = addressOf(Buffer.from(script, 'hex'));
      assert.ok(address);
      assert.equal(scriptOf(address).toString('hex'), script);
      await pay(address, '0.00100000');
      await bitcoin.mine(1);
      assert.equal(await bitcoin.balance('BTC', address), '0.00100000');
    }
  });

  it('writes bech32m as BIP 350 does', () => {
    // Program of BIP 350's first example for version 1, with our prefix. With a bech32 checksum it is refused.
    const program = '5120 79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'.replace(' ', '');
    const address = addressOf(Buffer.from(program, 'hex')) ?? '';
    assert.match(address, /^rb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq/);
    assert.throws(() => scriptOf(`${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`));
    assert.throws(() => scriptOf('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'));
    assert.throws(() => scriptOf('bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'));
  });

  it('replaces a replaceable payment, and no other', async () => {
    const to = await bitcoin.address('BTC');
    const first = await pay(to, '0.5', true);
    const second = await bitcoin.wallet.replace(bitcoin.regtest, first.txid, 40);
    assert.ok(!waiting().includes(first.txid) && waiting().includes(second));
    const firm = await pay(to, '0.5');
    await assert.rejects(bitcoin.wallet.replace(bitcoin.regtest, firm.txid, 40), /txn-mempool-conflict/);
    assert.ok(waiting().includes(firm.txid));
    await bitcoin.mine(1);
  });

  it('mines a double spend over a waiting payment, and over one in a block that a reorg replaces', async () => {
    const to = await bitcoin.address('BTC');
    const stored = await pay(to, '0.25');
    const waits = await pay(to, '0.5');
    await bitcoin.regtest.mine(1, [bitcoin.wallet.doubleSpend(waits.txid)]);
    assert.deepEqual(waiting().includes(waits.txid), false);
    await bitcoin.mine(1);
    assert.equal(await bitcoin.balance('BTC', to), '0.25000000');
    await bitcoin.regtest.reorg(2, false, [bitcoin.wallet.doubleSpend(stored.txid)]);
    await bitcoin.mine(1);
    assert.equal(await bitcoin.balance('BTC', to), '0.00000000');
    assert.deepEqual(waiting(), []);
  });

  for (const depth of [1, 6]) {
    it(`reorgs ${depth} deep: back to the mempool in order, or dropped for good`, async () => {
      const to = await bitcoin.address('BTC');
      const { txid } = await pay(to, '0.5');
      await bitcoin.mine(depth);
      const before = bitcoin.regtest.height;
      await bitcoin.reorg(depth, false);
      assert.equal(bitcoin.regtest.height, before + 1);
      assert.ok(waiting().includes(txid));
      await bitcoin.mine(depth);
      assert.deepEqual(waiting(), []);
      const other = await pay(await bitcoin.address('BTC'), '0.5');
      await bitcoin.reorg(depth, true);
      assert.ok(waiting().includes(other.txid) && !waiting().includes(txid), 'what waited before waits on');
      assert.equal(await bitcoin.balance('BTC', to), '0.00000000');
      await bitcoin.mine(1);
      const treasury = placeOf(bitcoin.wallet.treasury.toString());
      const really = await unspent(bitcoin.regtest, treasury!);
      assert.deepEqual(
        [...bitcoin.wallet.coins.values()].reduce((sum, { value }) => sum + value, 0),
        really.reduce((sum, { value }) => sum + value, 0),
      );
    });
  }

  it('a reorg drops a payment with an older coin, and no other payment', async () => {
    const to = await bitcoin.address('BTC');
    const { txid } = await pay(to, '0.5');
    const funding = [...bitcoin.regtest.mempool.map.values()].filter(({ tx }) => tx.txid() !== txid).map(({ tx }) => tx);
    await bitcoin.regtest.mine(1, funding);
    await bitcoin.mine(1);
    const other = await pay(to, '0.25');
    await bitcoin.reorg(1, true);
    assert.ok(!waiting().includes(txid) && waiting().includes(other.txid));
    await bitcoin.mine(1);
    assert.equal(await bitcoin.balance('BTC', to), '0.25000000');
  });

  it('funds an address with ten confirmed coins', async () => {
    const to = await bitcoin.address('BTC');
    await bitcoin.fund({ currency: 'BTC', to, amount: '50.00000003' });
    assert.equal(await bitcoin.balance('BTC', to), '50.00000003');
  });
});

describe('the bitcoin sandbox on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-btc-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'btc.blocks');

  it('retains chain, waiting payments, keys and reorgs over a restart', async () => {
    const first = await openBitcoin({ folder });
    const to = await first.address('BTC');
    await first.pay({ currency: 'BTC', to, amount: '1', fee: 'normal', isReplaceable: false });
    await first.mine(3);
    await first.reorg(2, true);
    const dropped = await first.address('BTC');
    await first.pay({ currency: 'BTC', to: dropped, amount: '7', fee: 'normal', isReplaceable: false });
    await first.mine(1);
    await first.reorg(1, true);
    const { txid } = await first.pay({ currency: 'BTC', to, amount: '2', fee: 'normal', isReplaceable: false });
    const tip = first.regtest.chain.tip.hash;
    // Not closed: a kill leaves exactly what was written so far.
    const second = await openBitcoin({ folder });
    assert.equal(second.regtest.chain.tip.hash, tip);
    assert.equal(second.wallet.treasury.toString(), first.wallet.treasury.toString());
    assert.equal(await second.balance('BTC', to), '3.00000000');
    assert.equal(await second.balance('BTC', dropped), '0.00000000', 'dropped for good');
    assert.ok([...second.regtest.mempool.map.values()].some(({ tx }) => tx.txid() === txid));
    await second.mine(1);
    assert.notEqual(await second.address('BTC'), to);
    await second.pay({ currency: 'BTC', to, amount: '500', fee: 'normal', isReplaceable: false });
    assert.equal(await second.balance('BTC', to), '503.00000000');
    await second.close();
  });

  it('removes an incomplete last record and continues', async () => {
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 7);
    const cut = await openBitcoin({ folder });
    const { height } = cut.regtest;
    assert.ok(statSync(file).size < whole.length - 7);
    await cut.mine(2);
    await cut.close();
    appendFileSync(file, Buffer.from('B\u0000garbage'));
    const again = await openBitcoin({ folder });
    assert.equal(again.regtest.height, height + 2);
    await again.close();
  });

  it('mines automatically while a transaction is recent', async () => {
    const bitcoin = await openBitcoin({ folder, blockMs: 10 });
    const { height } = bitcoin.regtest;
    const deadline = Date.now() + 5000;
    while (bitcoin.regtest.height < height + 3 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(bitcoin.regtest.height >= height + 3);
    await bitcoin.close();
  });
});
