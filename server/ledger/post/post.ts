import type { Tx } from '../../platform/index.ts';
import { POST, type PostAnswer, argumentsOf, forget, remember, statusesOf } from './call.ts';
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

/** Like `post`, for any legs: the ledger's own tests use it. */
export async function enter(tx: Tx, journals: readonly Journal[]): Promise<JournalStatus[]> {
  if (posted.has(tx)) throw new Error('A transaction posts once: hand all journals to one call');
  posted.add(tx);
  assertDistinct(journals);
  for (const journal of journals) assertJournal(journal);
  if (journals.length === 0) return [];
  try {
    const answer = await tx.row<PostAnswer>(POST.text, argumentsOf(journals), { name: POST.name });
    tx.afterCommit(() => remember(journals));
    return statusesOf(answer as PostAnswer);
  } catch (error) {
    forget();
    throw error;
  }
}
