import type { Tx } from '../../platform/index.ts';
import { POST, POST_ALL, type PostAnswer, argumentsOf, forget, refusalOf, remember, statusesOf } from './call.ts';
import { type Journal, type JournalStatus, assertDistinct, assertJournal } from '../chart/journal.ts';
import { assertLegal } from '../chart/legal-legs.ts';

const posted = new WeakSet<Tx>();

/**
 * Posts journals inside a domain transaction, in their order, each whole or not at all, and gives a status for each.
 * A refusal throws nothing: the caller decides what it means for its rows.
 *
 * It locks accounts, so it is the transaction's last statement, and a second call in one transaction throws: two
 * locking calls would deadlock with others. Throws a RangeError for a journal that no caller may make.
 */
export async function post(tx: Tx, journals: readonly Journal[]): Promise<JournalStatus[]> {
  for (const journal of journals) assertLegal(journal);
  return enter(tx, journals);
}

/**
 * Like `post`, of all journals or none, and commits in the same round trip. Gives the statuses: unless all are posted the
 * transaction is rolled back, so nothing of it is done.
 */
export async function postAndCommit(tx: Tx, journals: readonly Journal[]): Promise<JournalStatus[]> {
  for (const journal of journals) assertLegal(journal);
  return enter(tx, journals, async (values) => {
    try {
      return await tx.last<PostAnswer>(POST_ALL.text, values, { name: POST_ALL.name });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  });
}

/** Like `post`, for any legs: the ledger's own tests use it. */
export async function enter(tx: Tx, journals: readonly Journal[], call = byRow(tx)): Promise<JournalStatus[]> {
  if (posted.has(tx)) throw new Error('A transaction posts once: hand all journals to one call');
  posted.add(tx);
  assertDistinct(journals);
  for (const journal of journals) assertJournal(journal);
  if (journals.length === 0) return [];
  try {
    tx.afterCommit(() => remember(journals));
    return statusesOf((await call(argumentsOf(journals))) as PostAnswer);
  } catch (error) {
    forget();
    throw error;
  }
}

const byRow =
  (tx: Tx) =>
  (values: readonly string[]): Promise<PostAnswer | undefined> =>
    tx.row<PostAnswer>(POST.text, values, { name: POST.name });
