import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Exposed, decidingHeight, depthFor, depthsOf, firstHeight, isDeep, isReported, reaches } from './finality.ts';
import { finalityOf } from './settings.ts';

const bitcoin = finalityOf('bitcoin');
const evm = finalityOf('evm');
const plain = (confirmations: number) => ({ confirmations, isFinalised: false });
const byChain = { confirmations: 64, isFinalised: true };

describe('depth by exposed sum', () => {
  const tiers: readonly (readonly [
    cents: bigint | null,
    bitcoinDepth: number,
    evmDepth: { confirmations: number; isFinalised: boolean },
  ])[] = [
    [1n, 1, plain(12)],
    [50_000n, 1, plain(12)],
    [50_001n, 2, plain(12)],
    [100_000n, 2, plain(12)],
    [100_001n, 3, byChain],
    [500_000n, 3, byChain],
    [500_001n, 6, byChain],
    [10n ** 12n, 6, byChain],
    [null, 6, byChain],
  ];
  for (const [cents, bitcoinDepth, evmDepth] of tiers) {
    it(`${cents ?? 'unknown'} cents`, () => {
      assert.deepEqual(depthFor(bitcoin, cents), plain(bitcoinDepth));
      assert.deepEqual(depthFor(evm, cents), evmDepth);
    });
  }

  it('one more while the sum in the block exceeds 20 000 USD', () => {
    assert.deepEqual(depthFor(bitcoin, 1n, 2_000_000n), plain(1));
    assert.deepEqual(depthFor(bitcoin, 1n, 2_000_001n), plain(2));
    assert.deepEqual(depthFor(bitcoin, 500_001n, 2_000_001n), plain(7));
    assert.deepEqual(depthFor(bitcoin, 1n, null), plain(2));
    assert.deepEqual(depthFor(evm, 1n, 10n ** 12n), plain(12));
  });

  it('a payment that the chain calls final always reaches its depth, a count only if the depth is a count', () => {
    assert.ok(reaches(plain(6), 1, true));
    assert.ok(reaches(plain(6), 6, false));
    assert.ok(!reaches(plain(6), 5, false));
    assert.ok(!reaches(byChain, 500, false));
    assert.ok(isDeep(bitcoin, 6, false) && !isDeep(bitcoin, 5, false));
    assert.ok(isDeep(evm, 1, true) && !isDeep(evm, 500, false));
  });
});

describe('exposure', () => {
  const one = (given: Partial<Exposed>): Exposed => ({
    txid: 't',
    customer: 'c',
    block: null,
    usd: 40_000n,
    isDeep: false,
    ...given,
  });

  it('adds up the exposed sums of a transaction and of a customer, and takes the larger', () => {
    const a = one({ txid: 'a', customer: 'x' });
    assert.deepEqual(depthsOf(bitcoin, [a], [a]), [plain(1)]);
    assert.deepEqual(depthsOf(bitcoin, [a], [a, one({ txid: 'b', customer: 'x' })]), [plain(2)]);
    assert.deepEqual(depthsOf(bitcoin, [a], [a, one({ txid: 'a', customer: 'y' })]), [plain(2)]);
    assert.deepEqual(depthsOf(bitcoin, [a], [a, one({ txid: 'b', customer: 'y' })]), [plain(1)]);
    assert.deepEqual(depthsOf(bitcoin, [a], [a, one({ txid: 'a', customer: 'x', isDeep: true })]), [plain(1)]);
  });

  it('an unknown value makes its sums unknown; a deep payment is not exposed', () => {
    const a = one({ txid: 'a', customer: 'x' });
    assert.deepEqual(depthsOf(bitcoin, [a], [a, one({ txid: 'a', customer: 'y', usd: null })]), [plain(6)]);
    const deep = one({ isDeep: true, block: 'b' });
    assert.deepEqual(depthsOf(bitcoin, [deep], [deep]), [plain(1)]);
  });

  it('adds up the payments of all customers in one block; a payment without a block is in no sum', () => {
    const request = one({ txid: 'a', customer: 'x', block: 'b' });
    const large = (block: string | null): Exposed => one({ txid: 'c', customer: 'y', usd: 1_960_001n, block });
    assert.deepEqual(depthsOf(bitcoin, [request], [request, large('b')]), [plain(2)]);
    assert.deepEqual(depthsOf(bitcoin, [request], [request, large('other')]), [plain(1)]);
    assert.deepEqual(depthsOf(bitcoin, [{ ...request, block: null }], [large('b'), large(null)]), [plain(1)]);
  });

  it('never falls when more is exposed', () => {
    const some = fc.array(
      fc.record({
        txid: fc.constantFrom('a', 'b'),
        customer: fc.constantFrom('x', 'y'),
        block: fc.constantFrom(null, 'h'),
        usd: fc.oneof(fc.constant(null), fc.bigInt(1n, 3_000_000n)),
        isDeep: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(some, some, (requests, more) => {
        const before = depthsOf(bitcoin, requests, requests);
        const after = depthsOf(bitcoin, requests, [...requests, ...more]);
        return before.every((depth, at) => depth.confirmations <= (after[at]?.confirmations ?? 0));
      }),
    );
  });
});

it('BNB Smart Chain: 15 blocks for small sums, its own word above them', () => {
  const byNumber = { confirmations: 15, isFinalised: false };
  const byItself = { confirmations: 16, isFinalised: true };
  const bsc = finalityOf('bsc');
  assert.deepEqual([depthFor(bsc, 100_000n), depthFor(bsc, 100_001n), depthFor(bsc, null)], [byNumber, byItself, byItself]);
});

describe('the deciding height', () => {
  it('is the height of the needed depth; beyond it each block may decide', () => {
    assert.deepEqual(
      [1, 2, 11, 12, 13].map((confirmations) => decidingHeight(100, confirmations, 12)),
      [111, 111, 111, null, null],
    );
  });

  it('is the lowest of several, or each block if one of them needs that', () => {
    assert.deepEqual([firstHeight([7, 5, 9]), firstHeight([7, null, 9]), firstHeight([])], [5, null, null]);
  });
});

it('notifies of the first confirmation and of those a reorg took: pages compute the others', () => {
  const reported = [
    [0, 0],
    [0, 1],
    [0, 7],
    [1, 2],
    [1, 30],
    [5, 5],
    [5, 4],
    [1, 0],
  ].map(([before, now]) => isReported(before!, now!));
  assert.deepEqual(reported, [false, true, true, false, false, false, true, true]);
});
