import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { Transaction } from '@scure/btc-signer';
import fc from 'fast-check';
import { type Coin, outpointOf, selectCoins } from './coins.ts';
import { networkOf } from './config.ts';
import { dustOf, feeFor, rateFor, vsize, weightOf } from './fees.ts';
import { bitcoinPublicKeys, CHANGE, openAccount, RECEIVE } from './keys.ts';

const seed = mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');
const account = openAccount(networkOf('regtest'), bitcoinPublicKeys(seed, 'regtest'));
const place = account.place(RECEIVE, 0);
const change = account.place(CHANGE, 0).script;
const coin = (parts: bigint, vout: number, tier: Coin['tier'] = 0): Coin => ({ txid: '11'.repeat(32), vout, parts, place, tier });
const sum = (coins: readonly { parts: bigint }[]): bigint => coins.reduce((total, { parts }) => total + parts, 0n);

describe('selecting coins', () => {
  it('never makes or loses a satoshi, leaves no dust and pays the rate', () => {
    const amounts = fc.array(fc.bigInt(600n, 10_000_000n), { minLength: 1, maxLength: 30 });
    const outputs = fc.array(fc.bigInt(600n, 5_000_000n), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(amounts, outputs, fc.bigInt(1000n, 200_000n), (have, want, rate) => {
        const coins = have.map((parts, vout) => coin(parts, vout, (vout % 3) as Coin['tier']));
        const payments = want.map((parts) => ({ script: place.script, parts }));
        const selection = selectCoins(coins, payments, change, rate);
        if (!selection) {
          const all = feeFor(
            weightOf(
              coins.length,
              payments.map(({ script }) => script),
            ),
            rate,
          );
          assert.ok(sum(coins) < sum(payments) + all, 'refused although it was enough');
          return;
        }
        assert.equal(sum(selection.coins), sum(payments) + selection.fee + selection.change);
        assert.equal(new Set(selection.coins.map(outpointOf)).size, selection.coins.length);
        assert.ok(selection.change === 0n || selection.change >= dustOf(change));
        const scripts = [...payments.map(({ script }) => script), ...(selection.change > 0n ? [change] : [])];
        const needed = feeFor(weightOf(selection.coins.length, scripts), rate);
        assert.ok(selection.fee >= needed);
        // Change that is not worth an output goes to the network: at most dust and the fee of that output.
        assert.ok(selection.fee <= needed + dustOf(change) + feeFor(4n * 31n + 4n, rate));
        assert.deepEqual(selectCoins(coins.toReversed(), payments, change, rate), selection, 'the order does not matter');
      }),
      { numRuns: 500 },
    );
  });

  it('takes the smallest single coin that is enough, of the safest tier', () => {
    const payments = [{ script: place.script, parts: 100_000n }];
    const coins = [coin(5_000_000n, 0), coin(150_000n, 1), coin(200_000n, 2), coin(120_000n, 3, 1), coin(110_000n, 4, 2)];
    assert.deepEqual(
      selectCoins(coins, payments, change, 1000n)?.coins.map(({ vout }) => vout),
      [1],
    );
    assert.deepEqual(
      selectCoins(coins.slice(3), payments, change, 1000n)?.coins.map(({ vout }) => vout),
      [3],
    );
    assert.deepEqual(
      selectCoins([coin(60_000n, 0), coin(70_000n, 1, 2)], payments, change, 1000n)?.coins.map(({ vout }) => vout),
      [1, 0],
    );
  });

  it('leaves dust to the network, and takes back any larger change', () => {
    const payments = [{ script: place.script, parts: 100_000n }];
    const [alone, withChange] = [feeFor(weightOf(1, [place.script]), 1000n), feeFor(weightOf(1, [place.script, change]), 1000n)];
    for (const extra of [0n, 1n, 31n, 32n, 200n, 293n + 31n, 294n + 31n, 1000n]) {
      const selection = selectCoins([coin(100_000n + alone + extra, 0)], payments, change, 1000n);
      const left = alone + extra - withChange;
      assert.equal(selection?.change, left >= 294n ? left : 0n, `${extra} more than needed`);
    }
    assert.equal(selectCoins([coin(99_999n + alone, 0)], payments, change, 1000n), undefined);
  });

  it('spends hundreds of small coins, but makes no transaction that nobody relays', () => {
    const coins = Array.from({ length: 400 }, (_, vout) => coin(10_000n, vout));
    assert.equal(selectCoins(coins, [{ script: place.script, parts: 1_000_000n }], change, 1000n)?.coins.length, 101);
    assert.equal(selectCoins(coins, [{ script: place.script, parts: 3_500_000n }], change, 1000n), undefined);
  });
});

describe('sizes and rates', () => {
  it('computes the size of a transaction before it is signed', () => {
    const keys = [place, account.place(RECEIVE, 1), account.place(RECEIVE, 2)];
    for (const outputs of [
      [place.script],
      [place.script, Buffer.from(`5120${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`, 'hex')],
    ]) {
      const tx = new Transaction();
      for (const key of keys)
        tx.addInput({ txid: '22'.repeat(32), index: key.index, witnessUtxo: { script: key.script, amount: 1000n } });
      for (const script of outputs) tx.addOutput({ script, amount: 500n });
      const unsigned = BigInt(tx.unsignedTx.length) * 4n;
      // Signing adds marker, flag and a witness of 107 bytes to each input.
      assert.equal(weightOf(keys.length, outputs), unsigned + 2n + 107n * BigInt(keys.length));
    }
    assert.equal(vsize(weightOf(1, [change, change])), 141n, 'the well-known size of one input and two outputs');
  });

  it('determines dust by the kind of output', () => {
    assert.equal(dustOf(Buffer.alloc(22)), 294n);
    assert.equal(dustOf(Buffer.concat([Buffer.from([0x51, 32]), Buffer.alloc(32)])), 330n);
    assert.equal(dustOf(Buffer.concat([Buffer.from([0x76, 0xa9]), Buffer.alloc(23)])), 546n);
    assert.equal(dustOf(Buffer.concat([Buffer.from([0xa9, 0x14]), Buffer.alloc(21)])), 540n);
  });

  it('takes the estimate of the nearest number of blocks that is not later', () => {
    const estimates = new Map([
      [2, 9000n],
      [6, 5000n],
      [144, 1000n],
    ]);
    assert.deepEqual(
      [1, 2, 3, 6, 20, 500].map((blocks) => rateFor(estimates, blocks)),
      [9000n, 9000n, 9000n, 5000n, 5000n, 1000n],
    );
    assert.equal(rateFor(new Map(), 6), undefined);
    assert.equal(feeFor(561n, 1001n), 142n);
    assert.equal(feeFor(561n, 3n), 141n, 'never below what nodes relay');
  });
});
