import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ScannedWorld, readsTransactions } from './paid-by.contract.ts';

/** Declares the tests of the scan for our used addresses, and of payments read from one transaction. */
export function scanned(world: () => ScannedWorld): void {
  readsTransactions(world);
  it('finds addresses that were ever used, with their indexes and balances', async () => {
    const { rail, currency, parts } = world();
    const { scan, payin } = rail;
    assert.equal(scan !== undefined, rail.kind === 'chain' && rail.ownAccount !== undefined);
    if (!scan || !payin) return;
    const [paid, unpaid, other] = [world().nextIndex(), world().nextIndex(), world().nextIndex()];
    const to = (index: number): string => payin.instruct(currency, index).to;
    await world().pay(to(paid), parts);
    await world().pay(to(other), parts);
    await world().pay(to(other), parts);
    await world().blocks(1);
    assert.deepEqual(await scan.receiving([paid, unpaid, other, 4_000_000]), [
      { index: paid, to: to(paid), holds: [{ currency, parts }] },
      { index: other, to: to(other), holds: [{ currency, parts: 2n * parts }] },
    ]);
    assert.deepEqual(await scan.receiving([]), []);
  });
}
