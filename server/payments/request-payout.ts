import { EventEmitter } from 'node:events';
import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log } from '../platform/index.ts';
import type { Fields } from '../rails/rail.ts';
import { moneyOf } from './apply-answers.ts';
import { recordEvents } from './events.ts';
import type { PayoutEvent, PayoutPurpose } from './facts.ts';
import type { Owner } from './owner.ts';
import type { Payout } from './payout.ts';
import { lockAttempts } from './attempt-store.ts';
import { insertPayouts, isQueued, lockPayouts, savePayouts, stopQueued } from './payout-store.ts';
import { carrierOf, payinOf } from './registry.ts';
import { tellPayouts } from './tell-payouts.ts';
import { marketValues } from './values.ts';

export interface RequestPayout {
  /** The intent's id: the payout's, the rail's reference, and part of the ledger account it is paid from. */
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Fields;
  readonly purpose: PayoutPurpose;
}

/** Tells the loops of this process that payouts were queued. */
export const queued = new EventEmitter().setMaxListeners(0);

/** Queues one payout. As `requestPayouts`. */
export function requestPayout(tx: Tx, request: RequestPayout): Promise<void> {
  return requestPayouts(tx, [request]);
}

/**
 * Queues payouts; from then on facts tell what becomes of each. An id that is queued already with the same content
 * changes nothing, and one that was stopped is queued again; with other content it throws, as do an unknown currency, a wrong unit, an amount of no parts and an
 * account that its rail refuses: such a request is a fault in the caller, who has checked all of it before.
 */
export async function requestPayouts(tx: Tx, requests: readonly RequestPayout[]): Promise<void> {
  if (requests.length === 0) return;
  const payouts = requests.map((request) => {
    const { info, rail } = carrierOf(request.currency);
    const account = payinOf(rail).checkAccount(request.currency, request.to);
    if (!account.ok) throw new Error(`The payout ${request.id} goes to no account: ${account.field} ${account.problem}`);
    if (request.unit !== info.unit) throw new Error(`${request.currency} is counted in ${info.unit}, not ${request.unit}`);
    if (request.parts <= 0n) throw new Error(`The payout ${request.id} is of nothing`);
    return { ...request, rail: rail.id, to: account.fields, key: account.key };
  });
  const other = await insertPayouts(tx, payouts);
  if (other.length > 0) throw new Error(`Requested before with other content: ${other.join(', ')}`);
  tx.afterCommit(() => queued.emit('queued'));
}

/** Could a payout be taken back as of now? Nothing was signed for it then. */
export function canStop(db: Statements, id: string): Promise<boolean> {
  return isQueued(db, id);
}

/** Takes a payout back. False: the worker already took it, or it is no more. */
export function stopPayout(tx: Tx, id: string): Promise<boolean> {
  return stopQueued(tx, id);
}

/** The rail's own statement, and the two people who read it. */
export interface ResolveEvidence {
  readonly statement: string;
  readonly by: readonly [string, string];
  readonly txid?: string;
}

/**
 * Two people decide a payout in doubt from the rail's own statement (A9); the evidence is kept with it. Throws
 * `act_not_open` where it isn't in doubt, `second_person_required` or `same_person` without two people.
 */
export async function resolvePayout(tx: Tx, id: string, outcome: 'sent' | 'not_sent', evidence: ResolveEvidence): Promise<void> {
  const [first, second] = evidence.by;
  if (!first || !second) throw new Problem('second_person_required');
  if (first === second) throw new Problem('same_person');
  const [payout] = await lockPayouts(tx, [id]);
  if (payout?.status !== 'in_doubt') throw new Problem('act_not_open');
  const txid = evidence.txid ?? payout.txid;
  const reason = `resolved by ${first} and ${second}`;
  const resolved: Payout =
    outcome === 'sent' ? { ...payout, status: 'final', txid, reason } : { ...payout, status: 'failed', reason };
  await savePayouts(tx, [resolved]);
  await tx.run(`update payout set evidence = $2 where id = $1`, [id, JSON.stringify({ ...evidence, outcome, at: tx.now })]);
  if (outcome === 'sent') await payFee(tx, payout.attemptId);
  else await tx.run(`update payment_attempt set is_frozen = true where id = $1`, [payout.attemptId]);
  // Nobody looks any more, unless others of the same attempt are still in doubt.
  await tx.run(
    `update payment_attempt a set status = $2, due_at = null
     where id = $1 and not exists (select from payout where attempt_id = a.id and status in ('sending', 'in_doubt', 'sent'))`,
    [payout.attemptId, outcome === 'sent' ? 'final' : 'refused'],
  );
  const extra = { reason, resolved: true as const, ...(txid !== null && { txid }) };
  const events: readonly PayoutEvent[] = outcome === 'sent' ? ['found', 'final'] : ['absent'];
  await tellPayouts(tx, marketValues, [{ payout: resolved, events: events.map((event) => ({ event, extra })) }]);
  log.info('payout in doubt was resolved', { payout: id, outcome, by: evidence.by });
}

/** What was sent cost its fee, once for all of an attempt's payouts. */
async function payFee(tx: Tx, attemptId: string | null): Promise<void> {
  const [attempt] = await lockAttempts(tx, attemptId === null ? [] : [attemptId]);
  if (!attempt || attempt.feePosted || attempt.feeKnown !== 'sent' || attempt.fee === 0n) return;
  await tx.run(`update payment_attempt set fee_posted = true where id = $1`, [attempt.id]);
  await recordEvents(tx, marketValues, moneyOf(attempt, { money: [{ what: 'fee', parts: attempt.fee }] }));
}
