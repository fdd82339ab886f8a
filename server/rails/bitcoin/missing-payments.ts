import type { Evidence, Fate, Missing, ObservedPayment } from '../rail.ts';
import { replacementOf, seekEach } from '../seek.ts';
import type { Esplora } from './client.ts';
import type { BitcoinConfig } from './config.ts';
import { openObservedPayments, spenderOf } from './observed-payments.ts';

/**
 * What became of payments that a look did not show: looked up by their ids, by the blocks that they were in, and by what
 * they spend. A server that doesn't find a transaction may be behind, so that alone is unknown.
 */
export async function seek(esplora: Esplora, config: BitcoinConfig, missing: readonly Missing[]): Promise<readonly Fate[]> {
  const tip = esplora.tipHeight();
  // Asked once for all; anyone who needs it learns that there is none.
  tip.catch(() => undefined);
  const observedPayments = openObservedPayments(esplora, config);
  return seekEach(missing, async (payment) => {
    const tx = await esplora.transaction(payment.txid);
    const shown = tx && (await observedPayments.of(tx, payment, await tip))?.find(({ key }) => key === payment.key);
    if (shown && tx.status.confirmed) return { is: 'there', sighting: shown };
    const by =
      (await replacementOf(payment.block, { tip: () => tip, hashAt: esplora.blockHash })) ??
      (await spentBy(esplora, payment, await tip));
    return fateOf(shown, by);
  });
}

function fateOf(waiting: ObservedPayment | undefined, by: Evidence | undefined): Fate {
  if (by) return { is: 'gone', by, ...(waiting && { sighting: waiting }) };
  return waiting ? { is: 'there', sighting: waiting } : { is: 'unknown', detail: 'not found, and nothing else spends the same' };
}

/** The evidence that one of its inputs is spent by another transaction that is in a block of this very chain. */
async function spentBy(esplora: Esplora, { txid, inputs }: Missing, tip: number): Promise<Evidence | undefined> {
  const found = await Promise.all(
    inputs.map(async (input): Promise<Evidence | undefined> => {
      const spender = await minedSpenderOf(esplora, input, txid);
      return spender && { kind: 'spent', input, txid: spender.txid, height: spender.height, tip };
    }),
  );
  return found.find((evidence) => evidence !== undefined);
}

/**
 * The transaction other than `txid` that spends an output and is in a block. An index may lag behind its chain, so what it says
 * counts where the other one shows it, and the chain itself says that its block stands.
 */
export async function minedSpenderOf(
  esplora: Esplora,
  outpoint: string,
  txid: string,
): Promise<{ readonly txid: string; readonly height: number } | undefined> {
  const other = await spenderOf(esplora, outpoint, txid);
  if (!other?.status.confirmed) return undefined;
  const { block_height: height, block_hash: hash } = other.status;
  return (await esplora.blockHash(height)) === hash ? { txid: other.txid, height } : undefined;
}
