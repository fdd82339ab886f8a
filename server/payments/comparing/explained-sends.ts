import type { Tx } from '../../platform/index.ts';
import type { OwnSend, Rail } from '../../rails/rail.ts';

/**
 * Those of some sends that the books know: an attempt has the reference, or the send is among those that people have decided
 * about or must decide about. A provider's send that bears no reference of ours was made by hand, and is no business of the books.
 */
export async function explainedSends(tx: Tx, rail: Rail, sends: readonly OwnSend[]): Promise<ReadonlySet<OwnSend>> {
  if (sends.length === 0) return new Set();
  const names = sends.map(nameOf);
  const rows = await tx.rows<{ name: string }>(
    `select reference as name from payment_attempt where rail = $1 and reference = any ($2)
     union select txid from payment_attempt where $3 and rail = $1 and txid = any ($2)
     union select reference from unrecorded_send where rail = $1 and reference = any ($2)
     union select substring(reference from '^(.+):[0-9]+$') from unrecorded_send
           where rail = $1 and substring(reference from '^(.+):[0-9]+$') = any ($2)`,
    // A chain's own name of a send is its reference.
    [rail.id, names, rail.kind === 'provider'],
    { name: 'payments.explained_sends' },
  );
  const known = new Set(rows.map(({ name }) => name));
  return new Set(sends.filter((send) => known.has(nameOf(send)) || (rail.kind === 'provider' && send.ours === undefined)));
}

const nameOf = ({ ours, reference }: OwnSend): string => ours ?? reference;
