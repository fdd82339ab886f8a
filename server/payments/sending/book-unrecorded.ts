// Decisions of two people about a send that the books don't know. There are three: the send carried a payout of these books, its
// money left for an unknown owner, or nothing needs to be booked.

import { Problem, fieldProblem } from '@kurs/contract';
import { accounts, leg } from '../../ledger/index.ts';
import { type Statements, type Tx, log, newId } from '../../platform/index.ts';
import { transactionOf } from '../../rails/index.ts';
import { bookForDesk } from '../balances/book-for-desk.ts';
import { moved, nextStatus } from '../payouts/machine/payout-machine.ts';
import type { Payout, PayoutChange } from '../payouts/machine/payout.ts';
import { postPayouts } from '../payouts/payout-books.ts';
import { insertAttempts, knownReferences } from '../payouts/rows/attempt-store.ts';
import { type StoredPayout, lockPayouts, savePayouts } from '../payouts/rows/payout-store.ts';
import { reportPayouts } from '../payouts/report-payouts.ts';
import type { PayoutEvent } from '../rails/event-bodies.ts';
import type { Owner } from '../rails/owner.ts';
import { currencyOf, gasOf } from '../rails/registry.ts';
import { marketValues, pricesOf } from '../rails/values.ts';
import {
  type UnrecordedSend,
  settleUnrecordedSend,
  unrecordedSendById,
  unrecordedSends,
} from '../unrecorded/unrecorded-sends.ts';

/** People who decide, and their statement. */
export interface BookEvidence {
  readonly statement: string;
  readonly by: readonly string[];
}

/** Facts about a send that people state in addition to the stored ones. */
export interface SaidOfSend {
  /** Payouts that the send carried. If absent: the payout that was matched to the send. */
  readonly payouts?: readonly string[] | undefined;
  /** Transaction of the send. Required if the stored send only says that a nonce was used. */
  readonly txid?: string | undefined;
}

/**
 * Books a send as the given payouts. Each payout becomes final, its money leaves custody, and it is never sent again. Throws
 * `not_found`. Throws `action_not_open` if the send is decided already or a payout's status rules this out, and `validation` if
 * the payouts don't fit the send. Posts, so it comes last in its transaction.
 */
export async function bookAsSent(tx: Tx, id: string, said: SaidOfSend, evidence: BookEvidence): Promise<void> {
  const { send, payouts, reference, txid } = await fitOf(tx, id, said);
  const attempt = await addAttempt(tx, send, { reference, txid, payouts });
  const reason = `booked by ${evidence.by.join(' and ')}`;
  const changes = payouts.map((payout): PayoutChange => {
    const extra = { reason, txid, isResolved: true as const };
    const booked: Payout = { ...moved(payout, 'book_sent'), attemptId: attempt, txid, reason };
    return { payout: booked, events: eventsOf(payout).map((event) => ({ event, extra })) };
  });
  await savePayouts(
    tx,
    changes.map(({ payout }) => payout),
  );
  const ids = payouts.map((payout) => payout.id);
  await tx.run('update payout set evidence = $2 where id = any ($1)', [
    ids,
    JSON.stringify({ ...evidence, outcome: 'sent', at: tx.now }),
  ]);
  const [payoutId] = ids;
  await settleUnrecordedSend(tx, id, 'booked', { ...evidence, ...(payoutId !== undefined && { payoutId }) });
  await settleTwins(tx, send, reference, evidence);
  await postPayouts(tx, await reportPayouts(tx, marketValues, changes));
  log.info('a send that the books did not know was booked', { payoutId: ids, reference, by: evidence.by });
}

/** Money that left for an unknown owner, whose order or wallet isn't in these books. */
export interface LeftForNobody {
  /** Id of the desk's action and of its journal. */
  readonly action: string;
  readonly currency: string;
  readonly parts: bigint;
}

/**
 * Books a send whose payout isn't in these books. Its money leaves custody as an unexplained difference, which people clear later
 * (to an order, or as a loss). Throws `not_found` and `action_not_open`. Throws `validation` if the send has another currency or
 * amount, or seems to carry a payout of these books after all. Posts, so it comes last in its transaction.
 */
export async function bookAsUnknown(tx: Tx, id: string, left: LeftForNobody, evidence: BookEvidence): Promise<void> {
  const send = await requireUnknown(tx, id, left);
  const { action, currency, parts } = left;
  const unit = currencyOf(currency)?.unit ?? currency;
  await settleUnrecordedSend(tx, id, 'booked', evidence);
  await settleTwins(tx, send, send.reference, evidence);
  const legs = [leg(accounts.suspense(unit), accounts.custody(currency, 'hot', unit), parts)];
  const [answer] = await bookForDesk(tx, [{ id: action, kind: 'difference', legs, prices: pricesOf(marketValues, [unit]) }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}

/**
 * Records that a send needs no booking, because it moved money between our own accounts or is booked in another way. Throws
 * `not_found` and `action_not_open`. Throws `validation` if the send seems to carry a payout that still waits here.
 */
export async function explainSend(tx: Tx, id: string, evidence: BookEvidence): Promise<void> {
  const send = await requireExplainable(tx, id);
  await settleUnrecordedSend(tx, id, 'explained', evidence);
  await settleTwins(tx, send, send.reference, evidence);
}

/** Decisions that two people may take about a send. */
export type SendDecision =
  | ({ readonly action: 'sent' } & SaidOfSend)
  | ({ readonly action: 'unknown' } & Pick<LeftForNobody, 'currency' | 'parts'>)
  | { readonly action: 'explained' };

/**
 * Throws the error of `bookAsSent`, `bookAsUnknown` or `explainSend` if the decision is impossible now. Called before anyone is
 * asked to consent.
 */
export async function requireDecidable(tx: Tx, id: string, decision: SendDecision): Promise<void> {
  if (decision.action === 'sent') await fitOf(tx, id, decision);
  else if (decision.action === 'unknown') await requireUnknown(tx, id, decision);
  else await requireExplainable(tx, id);
}

/** Returns a send, the payouts that people say it carried, and the reference and transaction under which it is booked. */
async function fitOf(tx: Tx, id: string, said: SaidOfSend) {
  const send = await requireOpen(tx, id);
  const payouts = await lockPayouts(tx, payoutsOf(send, said));
  requireFit(send, payouts, payoutsOf(send, said));
  return { send, payouts, ...(await namesOf(tx, send, said)) };
}

/**
 * Returns a send that carried no payout of these books. Throws if it may have carried a payout that waits here, or if its known
 * currency or amount differs from the stated one.
 */
async function requireUnknown(
  tx: Tx,
  id: string,
  { currency, parts }: Pick<LeftForNobody, 'currency' | 'parts'>,
): Promise<UnrecordedSend> {
  const send = await requireOpen(tx, id);
  await requireNoneWaits(tx, send);
  if ((await lockPayouts(tx, payoutsOf(send, {}))).length > 0) throw fieldProblem('action', 'payout_here');
  if (send.currency !== undefined && send.currency !== currency) throw fieldProblem('currency', 'left_otherwise');
  if (send.parts !== undefined && send.parts !== parts) throw fieldProblem('amount', 'left_otherwise');
  return send;
}

async function requireExplainable(tx: Tx, id: string): Promise<UnrecordedSend> {
  const send = await requireOpen(tx, id);
  await requireNoneWaits(tx, send);
  return send;
}

/**
 * Settles other stored sends that are the same transaction. A pruned chain only shows that a nonce is used, whereas the signer's
 * journal knows the transaction that used it. So both are stored, and one decision settles both.
 */
async function settleTwins(tx: Tx, send: UnrecordedSend, reference: string, evidence: BookEvidence): Promise<void> {
  const isBare = (one: UnrecordedSend): boolean => one.nonces !== undefined && one.reference === one.spend;
  for (const other of await unrecordedSends(tx, { state: 'open', rail: send.rail })) {
    const isSameSpend = other.spend !== undefined && other.spend === send.spend && isBare(other);
    if (isSameSpend || (isBare(send) && other.reference === reference))
      await settleUnrecordedSend(tx, other.id, 'explained', evidence);
  }
}

/**
 * Throws if the payout of a send still waits here, or another payout with the same amount and receiver does: the same money would
 * be sent again. A voucher names no receiver, so only its amount is compared.
 */
async function requireNoneWaits(tx: Tx, send: UnrecordedSend): Promise<void> {
  if (send.payoutId === undefined && send.receiver === undefined && send.parts === undefined) return;
  const waiting = (await maybeSent(tx, send)).filter(({ status }) => canBeBooked(status));
  if (waiting.length > 0) throw fieldProblem('action', 'payout_waits');
}

const canBeBooked = (status: Payout['status']): boolean => nextStatus(status, 'book_sent') !== undefined;

const payoutsOf = ({ payoutId }: UnrecordedSend, { payouts }: SaidOfSend): readonly string[] =>
  payouts && payouts.length > 0 ? payouts : payoutId === undefined ? [] : [payoutId];

async function requireOpen(tx: Tx, id: string): Promise<UnrecordedSend> {
  const send = await unrecordedSendById(tx, id);
  if (!send) throw new Problem('not_found');
  if (send.state !== 'open') throw new Problem('action_not_open');
  return send;
}

/** Throws unless all named payouts exist, wait to be sent on the send's rail, and add up to the send's known amount. */
function requireFit(send: UnrecordedSend, payouts: readonly StoredPayout[], named: readonly string[]): void {
  if (named.length === 0 || payouts.length !== new Set(named).size) throw fieldProblem('payouts', 'payouts_unfit');
  if (payouts.some(({ rail }) => rail !== send.rail)) throw fieldProblem('payouts', 'payouts_unfit');
  if (payouts.some(({ currency }) => send.currency !== undefined && currency !== send.currency))
    throw fieldProblem('payouts', 'payouts_unfit');
  const sum = payouts.reduce((total, { parts }) => total + parts, 0n);
  if (send.parts !== undefined && sum !== send.parts) throw fieldProblem('payouts', 'payouts_unfit');
  if (payouts.some(({ status }) => !canBeBooked(status))) throw new Problem('action_not_open');
}

/**
 * Returns the reference for the new attempt, and the transaction that the receiver sees. Throws `validation` if only a nonce is
 * known and nobody named the transaction, or if the books know the transaction already.
 */
async function namesOf(
  tx: Tx,
  { rail, source, reference: found, spend, nonces }: UnrecordedSend,
  { txid }: SaidOfSend,
): Promise<{ readonly reference: string; readonly txid: string }> {
  const isKnown = nonces === undefined || found !== spend;
  if (txid === undefined && !isKnown) throw fieldProblem('txid', 'required');
  const reference = txid ?? found;
  if ((await knownReferences(tx, rail, [reference])).size > 0) throw fieldProblem('txid', 'send_booked');
  return { reference, txid: source === 'provider' ? reference : transactionOf(reference) };
}

/** Returns the events that a payout's owner must receive, by the status that the payout had before. */
function eventsOf({ status }: Payout): readonly PayoutEvent[] {
  if (status === 'sent') return ['final'];
  if (status === 'in_doubt') return ['found', 'final'];
  return status === 'sending' ? ['accepted', 'final'] : ['send', 'accepted', 'final'];
}

/**
 * Adds a final attempt without bytes for an unrecorded send. The attempt is never sent or looked up. Other attempts of its
 * payouts are frozen, so they are never sent again.
 */
async function addAttempt(
  tx: Tx,
  { rail, spend, nonces }: UnrecordedSend,
  { reference, txid, payouts }: { readonly reference: string; readonly txid: string; readonly payouts: readonly StoredPayout[] },
): Promise<string> {
  const id = newId();
  const items = payouts.map((payout) => payout.id);
  await tx.run(`update payment_attempt set is_frozen = true where items && $1::uuid[] and status <> 'final'`, [items]);
  const nonce = nonces && nonces.first === nonces.last ? { nonce: nonces.first } : {};
  const fee = { currency: gasOf(rail)?.code ?? payouts[0]?.currency ?? '', parts: 0n };
  const signed = { reference, items, raw: '', spends: spend === undefined ? [] : [spend], fee, ...nonce };
  await insertAttempts(tx, [{ id, rail, purpose: 'payout', feeKnown: 'mined', signed }], 0);
  await tx.run(
    `update payment_attempt set status = 'final', txid = $2, accepted_at = $3, due_at = null, is_frozen = true where id = $1`,
    [id, txid, tx.now],
  );
  return id;
}

/** A payout that an unrecorded send may have carried, with the payout's status here. */
export interface MaybeSent {
  readonly id: string;
  readonly owner: Owner;
  readonly status: Payout['status'];
}

/**
 * Returns payouts that a send may have carried, the oldest first. If a payout was matched to the send, returns only that payout.
 * Otherwise returns unfinished payouts that fit the send's currency, amount and receiver. Facts that are unknown are not
 * compared.
 */
export async function maybeSent(db: Statements, send: UnrecordedSend): Promise<MaybeSent[]> {
  const rows = await db.rows<{ id: string; kind: Owner['kind']; owner: string; status: Payout['status'] }>(
    `select id, owner_kind as kind, owner_id as owner, status from payout
     where id = $1 or ($1::uuid is null and rail = $2 and currency = coalesce($3, currency) and parts = coalesce($4::numeric, parts)
       and status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent')
       and ($5::text is null or exists (select from jsonb_each_text(to_fields) as field where lower(field.value) = lower($5))))
     order by created_at, id limit 20`,
    [send.payoutId ?? null, send.rail, send.currency ?? null, send.parts ?? null, send.receiver ?? null],
    { name: 'payments.maybe_sent' },
  );
  return rows.map(({ kind, owner, ...row }) => ({ ...row, owner: { kind, id: owner } }));
}
