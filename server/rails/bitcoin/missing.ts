import type { Evidence, Fate, Missing, Sighting } from '../rail.ts';
import { replacementOf, seekEach } from '../seek.ts';
import type { Esplora, Transaction } from './client.ts';
import { outpointOf } from './coins.ts';
import type { BitcoinConfig } from './config.ts';
import { openSightings } from './sightings.ts';

/**
 * What became of payments that a look did not show: looked up by their ids, by the blocks that they were in, and by what
 * they spend. A server that doesn't find a transaction may be behind, so that alone is unknown.
 */
export async function seek(esplora: Esplora, config: BitcoinConfig, missing: readonly Missing[]): Promise<readonly Fate[]> {
  const tip = esplora.tipHeight();
  // Asked once for all; whoever needs it learns that there is none.
  tip.catch(() => undefined);
  const sightings = openSightings(esplora, config);
  return seekEach(missing, async (payment) => {
    const tx = await esplora.transaction(payment.txid);
    const shown = tx && (await sightings.of(tx, payment, await tip)).find(({ key }) => key === payment.key);
    if (shown && tx.status.confirmed) return { is: 'there', sighting: shown };
    const by =
      (await replacementOf(payment.block, { tip: () => tip, hashAt: esplora.blockHash })) ??
      (await spenderOf(esplora, payment, await tip));
    return fateOf(shown, by);
  });
}

function fateOf(waiting: Sighting | undefined, by: Evidence | undefined): Fate {
  if (by) return { is: 'gone', by, ...(waiting && { sighting: waiting }) };
  return waiting ? { is: 'there', sighting: waiting } : { is: 'unknown', detail: 'not found, and nothing else spends the same' };
}

/** The evidence that one of its inputs is spent by another transaction that is in a block of this very chain. */
async function spenderOf(esplora: Esplora, { txid, inputs }: Missing, tip: number): Promise<Evidence | undefined> {
  const found = await Promise.all(
    inputs.map(async (input): Promise<Evidence | undefined> => {
      const [id = '', vout = ''] = input.split(':');
      const spending = await esplora.spending(id, Number.parseInt(vout, 10));
      if (!spending.spent || spending.txid === undefined || spending.txid === txid) return undefined;
      const other = await esplora.transaction(spending.txid);
      if (!other || !spends(other, input) || !other.status.confirmed) return undefined;
      const { block_height: height, block_hash: hash } = other.status;
      // An index may lag behind its chain: what it says counts where the chain itself says so.
      return (await esplora.blockHash(height)) === hash ? { kind: 'spent', input, txid: other.txid, height, tip } : undefined;
    }),
  );
  return found.find((evidence) => evidence !== undefined);
}

/** Whether a transaction spends this very output. */
export const spends = (tx: Transaction, outpoint: string): boolean => tx.vin.some((input) => outpointOf(input) === outpoint);
