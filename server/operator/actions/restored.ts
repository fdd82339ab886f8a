// The restored mode, as the desk sees and ends it.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import type { OwnerKind } from '../../collecting/index.ts';
import { newestSeal } from '../../ledger/index.ts';
import {
  type MaybeSent,
  type Restore,
  type UnrecordedSend,
  bookAsSent,
  bookAsUnknown,
  currencyOf,
  endRestored,
  explainSend,
  maybeSent,
  openRestore,
  requireDecidable,
  unrecordedSendById,
  unrecordedSends,
} from '../../payments/index.ts';
import { type Db, type Statements, newId } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { recordAction } from '../people/store.ts';
import { type Acted, actAs } from '../people/two-people.ts';
import { ownerWords } from './money/doubts.ts';
import { partsOf } from './money/typed-amount.ts';

type View = Output<Routes['operatorRestored']>;

/** Returns if the restored mode is on, the findings that caused it, and the unrecorded sends. */
export async function restoredView(db: Db, kinds: readonly OwnerKind[]): Promise<View> {
  const open = await openRestore(db);
  const sends = await unrecordedSends(db, { state: 'open' });
  return {
    restored: open !== undefined,
    ...(open && { since: open.at.toISOString() }),
    why: open?.why.map(({ detail }) => detail) ?? [],
    sends: await Promise.all(sends.map((send) => sendRow(db, kinds, send))),
  };
}

async function sendRow(db: Db, kinds: readonly OwnerKind[], send: UnrecordedSend): Promise<View['sends'][number]> {
  const { id, rail, source, reference, currency, parts, receiver, seenAt, foundAt } = send;
  const payouts = await maybeSent(db, send);
  const owners = await ownerWords(
    db,
    kinds,
    payouts.map(({ owner }) => owner),
  );
  const unit = currencyOf(currency ?? '')?.unit;
  return {
    ...{ id, rail, source, reference },
    ...(currency !== undefined && { currency }),
    ...(unit !== undefined && parts !== undefined && { amount: format(money(unit, parts)) }),
    ...(receiver !== undefined && { to: receiver }),
    ...(seenAt && { at: seenAt.toISOString() }),
    found_at: foundAt.toISOString(),
    payouts: payouts.map((payout) => ({ id: payout.id, owner: owners(payout.owner), status: payout.status })),
    next: nextFor(send, payouts),
  };
}

/** Returns the command of the desk's tool that decides an unrecorded send. Alternatives are separated by `|`. */
function nextFor(send: UnrecordedSend, payouts: readonly MaybeSent[]): string {
  const { id, payoutId, nonces, reference, spend, currency, parts, receiver } = send;
  const txid = nonces !== undefined && reference === spend ? ' --txid TX' : '';
  const unknown = `book-unknown ${id}${currency === undefined || parts === undefined ? ' CUR AMOUNT' : ''}`;
  if (payoutId !== undefined) return payouts.length > 0 ? `book-sent ${id}${txid}` : unknown;
  const [only, ...others] = payouts;
  const sent = only ? [`book-sent ${id} --payout ${others.length === 0 ? only.id : 'PAYOUT'}${txid}`] : [];
  // A payout with the send's sum and account must have made the send, so no other decision is offered.
  const isOneOfThem = only !== undefined && (receiver !== undefined || parts !== undefined);
  return isOneOfThem ? sent.join('') : [...sent, unknown, `explain-send ${id}`].join(' | ');
}

/**
 * Decides an unrecorded send; takes two people. Throws `not_found`, `action_not_open` if the send is already decided,
 * `validation` if the input doesn't fit the send, and the errors of `actAs`.
 */
export async function bookRestoredBy(
  db: Db,
  person: Person,
  { id, action, evidence, reason, ...said }: Input<Routes['operatorRestoredBook']>,
  key?: string,
): Promise<Acted> {
  const send = await unrecordedSendById(db, id);
  if (!send) throw new Problem('not_found');
  const left = action === 'unknown' ? leftOf(send, said) : undefined;
  const request = { action: `restored_${action}`, subject: id, reason, body: { evidence, reference: send.reference, ...said } };
  return db.tx((tx) => {
    const check = () =>
      requireDecidable(
        tx,
        id,
        left ? { action: 'unknown', ...left } : action === 'sent' ? { action, ...said } : { action: 'explained' },
      );
    const wanted = { ...request, permission: 'doubts.decide', people: 2, key, check } as const;
    return actAs(tx, person, wanted, (by, actionId) => {
      const decision = { statement: evidence, by };
      if (left) return bookAsUnknown(tx, id, { action: actionId, ...left }, decision);
      return action === 'sent' ? bookAsSent(tx, id, said, decision) : explainSend(tx, id, decision);
    });
  });
}

/** Returns currency and amount of a send: as the person typed them, otherwise as found. */
function leftOf(
  send: UnrecordedSend,
  { currency = send.currency, amount }: { currency?: string | undefined; amount?: string | undefined },
): { readonly currency: string; readonly parts: bigint } {
  const info = currencyOf(currency ?? '');
  if (!info) throw fieldProblem('currency', currency === undefined ? 'required' : 'currency_unknown');
  if (amount === undefined && send.parts === undefined) throw fieldProblem('amount', 'required');
  return { currency: info.code, parts: amount === undefined ? (send.parts as bigint) : partsOf(info.unit, amount) };
}

/** Returns the header that the desk's answers have while the restored mode is on; no header otherwise. */
export async function restoredHeaders(db: Statements): Promise<Readonly<Record<string, string>>> {
  const open = await openRestore(db);
  return open ? { 'kurs-restored': `since ${open.at.toISOString()}` } : {};
}

/**
 * Ends the restored mode, so that money may leave again; takes two people. The audit records the newest seals, which people
 * accept, and the findings that contradict them. Throws `action_not_open` if the mode is off, and the errors of `actAs`.
 */
export async function endRestoredBy(
  db: Db,
  person: Person,
  { evidence, reason }: Input<Routes['operatorRestoredEnd']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const open = await openRestore(tx);
    const check = (): void => {
      if (!open) throw new Problem('action_not_open');
    };
    // A request is bound to the number of findings: if another finding is added, the second person must consider it, too.
    const about = `${open?.why.length ?? 0} findings`;
    const said = { action: 'restored_end', subject: open?.id ?? 'none', reason, body: { evidence } };
    const wanted = { ...said, permission: 'restored.end', people: 2, about, key, check } as const;
    return actAs(tx, person, wanted, async (by) => {
      const ended = await endRestored(tx, by);
      if (!ended) throw new Problem('action_not_open');
      await recordAction(tx, {
        ...{ id: newId(), by: person.name, action: 'notes_accepted', subject: ended.id, reason, outcome: 'done' },
        body: await acceptedWith(tx, ended),
      });
    });
  });
}

/** Returns the newest seals of the books' and the audit's chains, which people accept, and the findings that contradict them. */
async function acceptedWith(tx: Statements, { why }: Restore): Promise<object> {
  const [books, audit] = [await newestSeal(tx, { table: 'journal_seal' }), await newestSeal(tx, { table: 'audit_seal' })];
  const endOf = ({ number, digest }: typeof books): object => ({ seal: number, digest });
  return { books: endOf(books), audit: endOf(audit), instead_of: why.map(({ detail }) => detail) };
}
