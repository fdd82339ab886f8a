import type { Tx } from '../../platform/index.ts';
import { POST, POST_ALL, type PostAnswer, argumentsOf, forget, refusalOf, remember, statusesOf } from './call.ts';
import { type Journal, type JournalStatus, assertDistinct, assertJournal } from '../chart/journal.ts';
import { assertLegal } from '../chart/legal-legs.ts';

const posted = new WeakSet<Tx>();

/**
 * Posts journals within a room's transaction, in order, and returns a status for each. A journal is posted completely or not at
 * all. A refusal doesn't throw, so the caller must decide if its own rows are written.
 *
 * Call it last in the transaction, since `post` locks accounts. A second call in the same transaction throws, since it could
 * cause deadlocks with other transactions. Throws a RangeError for a malformed or illegal journal.
 */
export async function post(tx: Tx, journals: readonly Journal[]): Promise<JournalStatus[]> {
  for (const journal of journals) assertLegal(journal);
  return enter(tx, journals);
}

/**
 * Posts all journals and commits in the same round trip. Returns a status for each journal. If any journal is not posted, the
 * whole transaction is rolled back.
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

/** Posts journals like `post`, but doesn't check that their legs are legal. Only tests call it directly. */
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
