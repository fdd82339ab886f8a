import type { Tx } from '../../platform/index.ts';
import type { OwnSend, Rail } from '../../rails/rail.ts';
import { namesOfAttempts } from '../payouts/rows/attempt-store.ts';
import { namesOfUnrecorded } from '../unrecorded/unrecorded-sends.ts';

/**
 * Returns those sends that the books know: an attempt has the reference, or people have decided or must decide about the send. A
 * provider's send without a reference of ours was made by hand, and doesn't concern the books.
 */
export async function explainedSends(tx: Tx, rail: Rail, sends: readonly OwnSend[]): Promise<ReadonlySet<OwnSend>> {
  if (sends.length === 0) return new Set();
  const names = sends.map(nameOf);
  const isProvider = rail.kind === 'provider';
  const known = new Set([
    // A chain's name of a send is its reference.
    ...(await namesOfAttempts(tx, rail.id, names, { byTxid: isProvider })),
    ...(await namesOfUnrecorded(tx, rail.id, names)),
  ]);
  return new Set(sends.filter((send) => known.has(nameOf(send)) || (isProvider && send.ours === undefined)));
}

const nameOf = ({ ours, reference }: OwnSend): string => ours ?? reference;
