// Decisions about waiting claims: by a member or an API key of the store, and by the desk.

import { Problem } from '@kurs/contract';
import { type UnitOfWork, alone } from '../../../collecting/index.ts';
import { screen, stopsOf } from '../../../compliance/index.ts';
import type { Sender } from '../../../deliveries/index.ts';
import { peopleOut, takeBackOut } from '../../../moneyout/index.ts';
import { type Db, type Statements, alsoAbout, log, newId } from '../../../platform/index.ts';
import { lockStore } from '../../stores/store-rows.ts';
import { mailRefund } from '../letters.ts';
import { feeBackLegs } from '../machine/claim-legs.ts';
import { claimMovedTo, takesEvent } from '../machine/claim-machine.ts';
import { type Claim, type Refund, type RefundMaker, plus, waitingSum } from '../machine/refund.ts';
import { claimsById } from '../rows/claim-rows.ts';
import { allowanceOf, frozenClaims } from './allowance.ts';
import { backToStore } from './back-to-store.ts';
import { centsOf } from './claim-price.ts';
import { countClaim, payClaim, repriced } from './pay-claim.ts';
import { requireRefunds } from './require-refunds.ts';
import { type OpenRefund, openRefund, saveChange } from './save-refund.ts';

/** A member's decision, or that of an API key. */
export interface MemberDecision {
  readonly store: string;
  readonly id: string;
  readonly action: 'confirm' | 'refuse';
  readonly by: RefundMaker;
}

/**
 * Confirms or refuses a claim that is above the cap of its refund's maker. A confirmed claim goes out, or waits for the desk if it is
 * above the limits of money out. Throws `refund_unknown`, `order_changed` if the claim no longer waits, `forbidden` above the cap
 * of a manager or a key, `withdrawals_frozen` for an owner whose account is frozen, `record_altered`, `store_closed`,
 * `business_owes`, `rates_unavailable` and `method_closed`.
 */
export async function decideAsMember(
  { db, sender }: { readonly db: Db; readonly sender: Sender },
  { store: storeId, id, action, by }: MemberDecision,
): Promise<Refund> {
  return alone(db, async (unit) => {
    const { tx } = unit;
    const store = await lockStore(tx, storeId);
    const { open, claim } = await openClaim(unit, id);
    if (claim.store.id !== storeId) throw new Problem('refund_unknown');
    if (!takesEvent(claim.state, action)) throw new Problem('order_changed');
    if (action === 'refuse')
      return refuse(unit, sender, open, { ...claim, state: claimMovedTo(claim.state, action), decidedBy: nameOf(by) });
    const { isAllowed, cap, stop } = await allowanceOf(tx, store, by, { usd: claim.usd, permission: 'refunds.approve' });
    if (!isAllowed) throw stop ?? new Problem('forbidden');
    await requireRefunds(tx, claim.store);
    const fresh = repriced({
      ...{ ...claim, cap, isCounted: cap !== undefined, countedAt: cap === undefined ? undefined : tx.now },
      decidedBy: nameOf(by),
    });
    const people = await countClaim(tx, fresh);
    const next: Claim = { ...fresh, people, statusAt: tx.now };
    const confirmed: Claim =
      people === 0 ? await payClaim(unit, next) : { ...next, state: claimMovedTo(claim.state, action, 'approving') };
    return (await saveChange(tx, open, { event: 'confirm', claim: confirmed })).refund;
  });
}

const nameOf = ({ kind, id }: RefundMaker): string => `${kind}:${id}`;

/** Locks the refund of a claim. Throws `refund_unknown`, and `record_altered` for an altered refund or claim. */
async function openClaim({ tx }: UnitOfWork, id: string): Promise<{ readonly open: OpenRefund; readonly claim: Claim }> {
  const [seen] = await claimsById(tx, [id]);
  if (!seen) throw new Problem('refund_unknown');
  const open = await openRefund(tx, seen.refundId);
  const claim = open.claims.find((one) => one.id === id);
  if (!claim) throw new Problem('refund_unknown');
  alsoAbout({ refundId: open.refund.id });
  if (!claim.isAltered) return { open, claim };
  log.alarm('a claim of a refund was changed outside the product: it is not paid', { claimId: id });
  throw new Problem('record_altered');
}

/** Ends a waiting claim: its sum can be claimed again. A fee that was booked returns, since nothing was sent. */
async function refuse(unit: UnitOfWork, sender: Sender, { refund, claims }: OpenRefund, claim: Claim): Promise<Refund> {
  const { tx } = unit;
  await takeBackOut(tx, [claim.id]);
  const { source } = claim;
  if (source) {
    const back = { claim: { ...claim, source }, came: claim.parts, isUnsent: true };
    const changed = await backToStore(unit, refund, back);
    const ended = { event: 'refuse', news: 'failed', claim: { ...claim, statusAt: tx.now } } as const;
    const saved = (await saveChange(tx, { refund: changed, claims }, ended)).refund;
    await mailRefund(tx, sender, saved, 'undone');
    return saved;
  }
  const fee = claim.isBooked && claim.fee > 0n ? [{ unit: claim.from.unit, parts: claim.fee }] : [];
  if (fee.length > 0) unit.post({ id: newId(), kind: 'merchant_refund_back', cause: claim.id, legs: feeBackLegs(claim) });
  const rests = [waitingSum(claim), ...fee].reduce(plus, refund.rests);
  const refused: Claim = { ...claim, statusAt: tx.now };
  const change = { event: 'refuse', news: 'failed', claim: refused } as const;
  const saved = (await saveChange(tx, { refund: { ...refund, rests }, claims }, change)).refund;
  await mailRefund(tx, sender, saved, 'refused');
  return saved;
}

/** A decision of the desk about a claim above the limits of money out. */
export interface DeskDecision {
  readonly id: string;
  readonly action: 'approve' | 'reject';
  readonly reason: string;
  readonly by: readonly string[];
}

/** Returns the number of people of the desk who must approve a waiting claim, by its worth of now. */
export function peopleForClaim(claim: Claim): 1 | 2 {
  return claim.people === 2 || peopleOut(worthOfClaim(claim), { customerDay: 0n, deskDay: 0n }) === 2 ? 2 : 1;
}

/** Returns the worth of a claim in cents now; while there is no rate, that of the moment when it was claimed. */
export function worthOfClaim(claim: Claim): bigint {
  try {
    return centsOf(waitingSum(claim));
  } catch {
    return claim.usd;
  }
}

/** Screens the receiving account of a claim again before it is approved. Throws `not_found`, `account_refused` and `unavailable`. */
export async function clearClaimToLeave(db: Statements, id: string): Promise<void> {
  const [claim] = await claimsById(db, [id]);
  if (!claim) throw new Problem('not_found');
  const screened = await screen([{ currency: claim.currency, fields: claim.to }]);
  if (screened.outcome === 'held') throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
}

/**
 * Approves or rejects a claim that waits for the desk. Call it last in the transaction: it posts. Throws `refund_unknown`,
 * `order_changed`, `second_person_required`, `record_altered`, `store_closed`, `business_owes`, `blocked`, `withdrawals_frozen`,
 * `rates_unavailable` and `method_closed`; the claim then goes on waiting.
 */
export async function decideAsDesk(unit: UnitOfWork, sender: Sender, { id, action, reason, by }: DeskDecision): Promise<Claim> {
  const { tx } = unit;
  const { open, claim } = await openClaim(unit, id);
  if (!takesEvent(claim.state, action)) throw new Problem('order_changed');
  const decided: Claim = { ...claim, decidedBy: by.join(', '), reason };
  if (action === 'reject') {
    const refused: Claim = { ...decided, state: claimMovedTo(claim.state, action) };
    await refuse(unit, sender, open, refused);
    return refused;
  }
  if (by.length < peopleForClaim(claim)) throw new Problem('second_person_required');
  await requireRefunds(tx, claim.store);
  const [stop] = await stopsOf(tx, [{ email: open.refund.email ?? '', accounts: [`${claim.currency}:${claim.key}`] }]);
  if (stop) throw stop;
  const frozen = (await frozenClaims(tx, [claim])).get(claim.id);
  if (frozen) throw frozen;
  const paying = await payClaim(unit, { ...repriced(decided), approved: by.length > 1 ? 2 : 1 });
  await saveChange(tx, open, { event: 'approve', claim: paying });
  return paying;
}
