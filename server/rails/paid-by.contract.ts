import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Rail } from './rail.ts';

/** The part of a rail's world that the test uses. */
export interface ScannedWorld {
  readonly rail: Rail;
  readonly currency: string;
  readonly parts: bigint;
  nextIndex(): number;
  pay(to: string, parts: bigint): Promise<void>;
  blocks(count: number): Promise<void>;
}

/** Declares the tests of payments read from one transaction, for rails that have `paidBy`. */
export function readsTransactions(world: () => ScannedWorld): void {
  it('reads the payments to an address from a transaction itself', async () => {
    const { rail, currency, parts } = world();
    const paidBy = rail.payin?.paidBy;
    // Every chain on which the desk has an account reads transactions.
    if (!paidBy) return assert.ok(rail.kind === 'provider' || rail.ownAccount === undefined);
    const place = (): { currency: string; to: string } => {
      const to = rail.payin?.instruct(currency, world().nextIndex()).to ?? '';
      return { currency, to };
    };
    const [ours, foreign] = [place(), place()];
    const { height } = (await rail.payin?.tip()) ?? { height: 0 };
    await world().pay(ours.to, parts);
    await world().blocks(2);
    const [seen] = (await rail.payin?.observe([{ ...ours, sinceHeight: height }])) ?? [];
    assert.ok(seen);
    const hash = seen.txid.replace(/^0x/, '');
    const { inputs: _inputs, ...shown } = seen;
    const found = await paidBy(ours, hash);
    assert.ok(found.is === 'mined');
    assert.deepEqual(
      found.payments.map(({ inputs: _own, ...payment }) => payment),
      [shown],
    );
    assert.deepEqual(await paidBy(foreign, hash), { is: 'mined', payments: [] });
    assert.equal((await paidBy(ours, 'ab'.repeat(32))).is, 'unknown');
  });
}
