// Decisions of two people about a payment that its rail reports wrongly or not at all. An e-wallet or a seller of vouchers may
// take a payment back without a report. A provider may also confirm a payment that never was. A decision holds until people
// withdraw it.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, outbox, newId } from '../../platform/index.ts';
import { PAYIN_EVENT, type PayinEvent } from '../rails/event-bodies.ts';
import { subjectOf } from '../rails/owner.ts';
import { type Payin, payinBody, takenByPeople } from './payin.ts';
import { payinsBy, savePayins } from './payin-store.ts';

export interface PayinWord {
  /** Id of the operators' action. */
  readonly id: string;
  readonly payinId: string;
  /**
   * `take_back`: the payment was taken back or never was · `restore`: people withdraw their decision, and the rail's reports
   * apply again.
   */
  readonly word: 'take_back' | 'restore';
  /** Amount taken back, in parts; absent for the whole payment. */
  readonly parts?: bigint | undefined;
  /** The rail's own statement, or other evidence. */
  readonly evidence: string;
  readonly by: readonly string[];
}

/** True if the decision is possible in the payment's current status. */
export function isOpenTo(
  { status, isDecided, parts, taken }: Payin,
  { word, parts: request }: Pick<PayinWord, 'word' | 'parts'>,
): boolean {
  if (word === 'restore') return isDecided;
  if (request === undefined) return status === 'seen' || status === 'final';
  return status === 'final' && request > 0n && request <= parts - taken;
}

/** Returns a payment by its id; undefined if there is none. */
export async function payinById(db: Statements, id: string): Promise<Payin | undefined> {
  return (await payinsBy(db, { id }))[0];
}

/**
 * Takes a payment back wholly or in part, as two people decided, or withdraws their decision. Notifies the payment's owner as if
 * the rail had taken the payment back. Throws `not_found`, and `action_not_open` if the payment's status doesn't allow the
 * decision. The caller ensures that two people agreed.
 */
export async function decidePayin(tx: Tx, word: PayinWord): Promise<Payin> {
  await lockAddressOf(tx, word.payinId);
  const before = await payinById(tx, word.payinId);
  if (!before) throw new Problem('not_found');
  if (!isOpenTo(before, word)) throw new Problem('action_not_open');
  const change = word.word === 'restore' ? { before, payin: before } : takenByPeople(before, word.parts);
  await savePayins(tx, await railOf(tx, word.payinId), [change.payin]);
  await tx.run('update payin set decided = $2 where id = $1', [word.payinId, word.word === 'take_back']);
  await tx.run('insert into payin_word (id, payin_id, word, parts, evidence, by, at) values ($1, $2, $3, $4, $5, $6, $7)', [
    word.id,
    word.payinId,
    word.word,
    word.parts ?? null,
    word.evidence,
    word.by,
    tx.now,
  ]);
  if (change.event) {
    const event: PayinEvent = change.event;
    await outbox.publish(tx, [
      { id: newId(), kind: PAYIN_EVENT, subject: subjectOf(before.owner), body: payinBody(change, event) },
    ]);
  }
  return change.payin;
}

/** Locks the payment's address and makes it due at once. The results of a poll in progress are then discarded. */
async function lockAddressOf(tx: Tx, id: string): Promise<void> {
  await tx.run(
    `update receiving_address set due_at = least(due_at, $2), is_requested = true, poll = poll + 1
     where (rail, number) = (select rail, number from payin where id = $1)`,
    [id, tx.now],
  );
}

async function railOf(tx: Tx, id: string): Promise<string> {
  return (await tx.row<{ rail: string }>('select rail from payin where id = $1', [id]))?.rail ?? '';
}
