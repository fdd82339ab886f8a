import type { Evidence, Fate, Missing, ObservedPayment } from '../rail.ts';
import { replacementOf, seekEach } from '../seek.ts';
import type { Esplora } from './client.ts';
import type { BitcoinConfig } from './config.ts';
import { openObservedPayments, spenderOf } from './observed-payments.ts';

/**
 * Returns the outcome of payments that a poll did not show. It looks up their ids, their blocks and their inputs. A transaction
 * that is only not found is `unknown`, since the server may be behind.
 */
export async function seek(esplora: Esplora, config: BitcoinConfig, missing: readonly Missing[]): Promise<readonly Fate[]> {
  const tip = esplora.tipHeight();
  // Queried once for all payments. This handler prevents an unhandled rejection; each payment still gets the error.
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

/** Returns the evidence that another transaction, in a block of this chain, spends one of the payment's inputs. */
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
 * Returns the mined transaction other than `txid` that spends an output. An index may lag behind its chain. The spender it names
 * counts only if that transaction shows the spend, and the chain has its block.
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
