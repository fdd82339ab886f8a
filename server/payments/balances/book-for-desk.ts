import { type Journal, type JournalStatus, post } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';

/**
 * Posts journals about the desk's own money, and stores a row for each. A journal's `cause` is its own id, which is also the id
 * of the desk's action. Must be the last statement of its transaction. Returns a status for each journal, as `post` does.
 */
export async function bookForDesk(tx: Tx, journals: readonly Omit<Journal, 'cause'>[]): Promise<JournalStatus[]> {
  await tx.run(
    `insert into desk_posting (id, kind, at) select given.*, $3 from unnest($1::uuid[], $2::text[]) as given on conflict (id) do nothing`,
    [journals.map(({ id }) => id), journals.map(({ kind }) => kind), tx.now],
    { name: 'payments.desk_posting' },
  );
  return post(
    tx,
    journals.map((journal) => ({ ...journal, cause: journal.id })),
  );
}
