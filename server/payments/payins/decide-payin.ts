// What two people say of a payment where its rail tells nothing, or wrongly: a provider that takes back in silence (e-wallets,
// vouchers), or one that confirmed what never was. Their word stands until they take it back.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, outbox, newId } from '../../platform/index.ts';
import { PAYIN_EVENT, type PayinEvent } from '../rails/event-bodies.ts';
import { subjectOf } from '../rails/owner.ts';
import { type Payin, payinBody, takenByPeople } from './payin.ts';
import { payinsBy, savePayins } from './payin-store.ts';

export interface PayinWord {
  /** The id of the operators' action. */
  readonly id: string;
  readonly payinId: string;
  /** `restore`: the word is taken back, and its rail decides again. */
  readonly word: 'take_back' | 'restore';
  /** Only so much of it, in parts; else all that is there. */
  readonly parts?: bigint | undefined;
  /** The rail's own statement, or what else they know it by. */
  readonly evidence: string;
  readonly by: readonly string[];
}

/** Whether the word can be said of a payment as it stands. */
export function isOpenTo(
  { status, decided, parts, taken }: Payin,
  { word, parts: asked }: Pick<PayinWord, 'word' | 'parts'>,
): boolean {
  if (word === 'restore') return decided;
  if (asked === undefined) return status === 'seen' || status === 'final';
  return status === 'final' && asked > 0n && asked <= parts - taken;
}

/** A payment by its id, as it stands; undefined for none. */
export async function payinById(db: Statements, id: string): Promise<Payin | undefined> {
  return (await payinsBy(db, { id }))[0];
}

/**
 * Takes a payment back, or says that it never was, by the word of two people; or takes that word back. Its owner is told as
 * of any payment that its rail takes back, in whatever state they are. Throws `not_found`, and `action_not_open` where it
 * stands otherwise by now. That two people agreed is the caller's to ensure.
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

/** Its address is looked at at once, and nobody looks at it meanwhile. */
async function lockAddressOf(tx: Tx, id: string): Promise<void> {
  await tx.run(
    `update receiving_address set due_at = least(due_at, $2), asked = true, look = look + 1
     where (rail, number) = (select rail, number from payin where id = $1)`,
    [id, tx.now],
  );
}

async function railOf(tx: Tx, id: string): Promise<string> {
  return (await tx.row<{ rail: string }>('select rail from payin where id = $1', [id]))?.rail ?? '';
}
