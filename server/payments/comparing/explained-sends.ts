import type { Tx } from '../../platform/index.ts';
import type { OwnSend, Rail } from '../../rails/rail.ts';
import { namesOfAttempts } from '../payouts/rows/attempt-store.ts';
import { namesOfUnrecorded } from '../unrecorded/unrecorded-sends.ts';

/**
 * Returns the sends that the books know: an attempt has their reference, or they are stored as unrecorded sends. A provider's
 * send without our reference was made by hand, and needs no attempt.
 */
export async function explainedSends(tx: Tx, rail: Rail, sends: readonly OwnSend[]): Promise<ReadonlySet<OwnSend>> {
  if (sends.length === 0) return new Set();
  const names = sends.map(nameOf);
  const isProvider = rail.kind === 'provider';
  const known = new Set([
    // On a chain, attempts are found by reference alone, since a send's reference is its transaction. At a provider, the
    // transaction is compared, too.
    ...(await namesOfAttempts(tx, rail.id, names, { byTxid: isProvider })),
    ...(await namesOfUnrecorded(tx, rail.id, names)),
  ]);
  return new Set(sends.filter((send) => known.has(nameOf(send)) || (isProvider && send.ours === undefined)));
}

const nameOf = ({ ours, reference }: OwnSend): string => ours ?? reference;
