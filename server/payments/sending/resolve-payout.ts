import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log } from '../../platform/index.ts';
import { moneyOf } from './apply-answers.ts';
import { lockAttempts } from '../payouts/rows/attempt-store.ts';
import { recordEvents } from '../payins/events.ts';
import type { PayoutEvent } from '../rails/event-bodies.ts';
import type { Owner } from '../rails/owner.ts';
import { postPayouts } from '../payouts/payout-books.ts';
import { moved } from '../payouts/machine/payout-machine.ts';
import type { Payout } from '../payouts/machine/payout.ts';
import { lockPayouts, savePayouts } from '../payouts/rows/payout-store.ts';
import { reportPayouts } from '../payouts/report-payouts.ts';
import { marketValues } from '../rails/values.ts';

/** Rail's own statement about a payout, and the two people who read it. */
export interface ResolveEvidence {
  readonly statement: string;
  readonly by: readonly [string, string];
  readonly txid?: string;
}

/**
 * Decides a payout in doubt by the rail's own statement, as two people agreed. Stores the evidence with the payout. If they
 * decided that it was not sent, it is never sent again, but still looked up, because it may be found late. Throws
 * `action_not_open` if the payout isn't in doubt. Throws `second_person_required` or `same_person` without two people. Posts, so
 * it comes last in its transaction.
 */
export async function resolvePayout(tx: Tx, id: string, outcome: 'sent' | 'not_sent', evidence: ResolveEvidence): Promise<void> {
  const [first, second] = evidence.by;
  if (!first || !second) throw new Problem('second_person_required');
  if (first === second) throw new Problem('same_person');
  const [payout] = await lockPayouts(tx, [id]);
  if (payout?.status !== 'in_doubt') throw new Problem('action_not_open');
  const txid = evidence.txid ?? payout.txid;
  const reason = `resolved by ${first} and ${second}`;
  const resolved: Payout =
    outcome === 'sent' ? { ...moved(payout, 'resolve_sent'), txid, reason } : { ...moved(payout, 'resolve_not_sent'), reason };
  await savePayouts(tx, [resolved]);
  await tx.run(`update payout set evidence = $2 where id = $1`, [id, JSON.stringify({ ...evidence, outcome, at: tx.now })]);
  if (outcome === 'sent') await payFee(tx, payout.attemptId);
  else await forgetVoucher(tx, id);
  await endAttempts(tx, id, outcome);
  const extra = { reason, isResolved: true as const, ...(txid !== null && { txid }) };
  const events: readonly PayoutEvent[] = outcome === 'sent' ? ['found', 'final'] : ['absent'];
  const journals = await reportPayouts(tx, marketValues, [
    { payout: resolved, events: events.map((event) => ({ event, extra })) },
  ]);
  await postPayouts(tx, journals);
  log.info('payout in doubt was resolved', { payoutId: id, outcome, by: evidence.by });
}

/** Posts the fee of a sent attempt. The fee is posted once, even if the attempt carries several payouts. */
async function payFee(tx: Tx, attemptId: string | null): Promise<void> {
  const [attempt] = await lockAttempts(tx, attemptId === null ? [] : [attemptId]);
  if (!attempt || attempt.isFeePosted || attempt.feeKnown !== 'sent' || attempt.fee === 0n) return;
  await tx.run(`update payment_attempt set is_fee_posted = true where id = $1`, [attempt.id]);
  await recordEvents(tx, marketValues, moneyOf(attempt, { money: [{ what: 'fee', parts: attempt.fee }] }));
}

/** Deletes the voucher of a payout that was not sent. An earlier look-up may have stored another payout's voucher for it. */
async function forgetVoucher(tx: Tx, payout: string): Promise<void> {
  await tx.run(`delete from payout_voucher where payout_id = $1`, [payout]);
}

/**
 * Ends the attempts that carry a payout, including replaced ones, once all payouts that they carry are decided. If the payout was
 * not sent, all its attempts are frozen, so their bytes are never sent again. Ended attempts are looked up for a month.
 */
async function endAttempts(tx: Tx, payout: string, outcome: 'sent' | 'not_sent'): Promise<void> {
  if (outcome === 'not_sent')
    await tx.run(`update payment_attempt set is_frozen = true where $1::uuid = any (items) and status <> 'final'`, [payout]);
  await tx.run(
    `update payment_attempt a set status = $2, ended_at = $3, due_at = case when $2 = 'refused' then $3::timestamptz end
     where $1::uuid = any (items) and status in ('stored', 'doubtful', 'sent', 'replaced')
       and not exists (select from payout where id = any (a.items) and status in ('sending', 'in_doubt', 'sent'))`,
    [payout, outcome === 'sent' ? 'final' : 'refused', outcome === 'sent' ? null : tx.now],
  );
}

/** Returns the status of a payout; undefined for an unknown one. */
export async function payoutStatus(db: Statements, id: string): Promise<Payout['status'] | undefined> {
  return (await db.row<Pick<Payout, 'status'>>(`select status from payout where id = $1`, [id]))?.status;
}

/** A payout in doubt, as the desk sees it. */
export interface Doubt {
  readonly id: string;
  readonly owner: Owner;
  readonly rail: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Readonly<Record<string, string>>;
  readonly reason: string;
  /** True if the provider said that the payout's reference was used before. Then something may have been sent. */
  readonly isKnown: boolean;
  /** True if look-ups or a repeated send may still decide the payout; false if only people can. */
  readonly mayReport: boolean;
  readonly since: Date;
}

/** Returns payouts in doubt with their owners, oldest first. */
export async function doubts(db: Statements, max: number): Promise<Doubt[]> {
  const rows = await db.rows<Omit<Doubt, 'owner' | 'parts'> & { kind: Owner['kind']; owner: string; parts: string }>(
    `select p.id, owner_kind as kind, owner_id as owner, p.rail, p.currency, p.unit, p.parts, to_fields as "to",
       coalesce(p.reason, '') as reason, coalesce(a.is_known, false) as "isKnown", not p.is_dedupe_over as "mayReport", status_at as since
     from payout p left join payment_attempt a on a.id = p.attempt_id
     where p.status = 'in_doubt' order by status_at, p.id limit $1`,
    [max],
  );
  return rows.map(({ kind, owner, parts, ...row }) => ({ ...row, owner: { kind, id: owner }, parts: BigInt(parts) }));
}
