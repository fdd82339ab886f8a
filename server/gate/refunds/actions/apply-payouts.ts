// Applies the payments room's events about the payouts of claims. Many events share one lock and one posting.

import { type OwnedEvent, UnitOfWork } from '../../../collecting/index.ts';
import type { Sender } from '../../../deliveries/index.ts';
import { takeBackOut, uncountOut } from '../../../moneyout/index.ts';
import type { PayoutBody } from '../../../payments/index.ts';
import { type Left, type Tx, log } from '../../../platform/index.ts';
import type { RefundNews } from '../../rows/event-rows.ts';
import { settings } from '../../settings.ts';
import { mailRefund } from '../letters.ts';
import { feeBackLegs, keptLegs } from '../machine/claim-legs.ts';
import { type Claim, type ClaimSource, type Outcome, type Refund, afterPayout, plus } from '../machine/refund.ts';
import { claimsOf, refundIdsOf, saveClaims } from '../rows/claim-rows.ts';
import { lockRefunds } from '../rows/refund-rows.ts';
import { backToStore } from './back-to-store.ts';
import { type OpenRefund, saveChange, withClaim } from './save-refund.ts';

const ALTERED = 'the row of a refund or of its claim was changed outside the product';
const DAY_MS = 86_400_000;

/**
 * Applies a group of events, oldest first. Returns the events that stay in the queue: those about altered rows. Throws if an event is
 * about a claim that does not exist.
 */
export async function applyClaimPayouts(tx: Tx, events: readonly OwnedEvent[], sender: Sender): Promise<Left | undefined> {
  const bodies = events.map(({ id, body }) => ({ id, body: body as PayoutBody }));
  const refundIds = await refundIdsOf(tx, [...new Set(bodies.map(({ body }) => body.intentId))]);
  const refunds = await lockRefunds(tx, [...new Set(refundIds.values())].sort());
  const claims = Map.groupBy(
    await claimsOf(
      tx,
      refunds.map(({ id }) => id),
    ),
    ({ refundId }) => refundId,
  );
  const open = new Map(
    refunds.map((refund): [string, OpenRefund] => [refund.id, { refund, claims: claims.get(refund.id) ?? [] }]),
  );
  const leave = new Map<string, string>();
  const unit = new UnitOfWork(tx);
  for (const { id, body } of bodies) {
    const known = open.get(refundIds.get(body.intentId) ?? '');
    const claim = known?.claims.find((one) => one.id === body.intentId);
    if (!known || !claim) throw new Error(`The event ${id} is about a claim that does not exist: ${body.intentId}`);
    if (known.refund.isAltered || claim.isAltered) {
      log.alarm(ALTERED, { refundId: known.refund.id, claimId: claim.id });
      leave.set(id, ALTERED);
    } else open.set(known.refund.id, await applyOne(unit, sender, known, { claim, body, eventId: id }));
  }
  await unit.commit();
  return leave.size > 0 ? { leave } : undefined;
}

interface Applied {
  readonly claim: Claim;
  readonly body: PayoutBody;
  readonly eventId: string;
}

async function applyOne(
  unit: UnitOfWork,
  sender: Sender,
  { refund, claims }: OpenRefund,
  { claim: stored, body, eventId }: Applied,
): Promise<OpenRefund> {
  const { tx } = unit;
  const claim = withProgress(stored, body);
  const outcome = afterPayout(claim, body);
  if (!outcome) {
    await saveClaims(tx, [claim]);
    return { refund, claims: withClaim(claims, claim) };
  }
  if (outcome.event === 'fail' && claim.source)
    return returnToStore(unit, sender, { refund, claims }, outcome, { claim: { ...claim, source: claim.source }, body, eventId });
  const legs = outcome.event === 'keep' ? keptLegs(claim) : isUnsent(body) ? feeBackLegs(claim) : [];
  unit.post({ id: eventId, kind: 'merchant_refund_back', cause: claim.id, legs });
  if (outcome.event === 'keep') await uncountOut(tx, [claim.id]);
  if (outcome.event === 'fail') await takeBackOut(tx, [claim.id]);
  const changed = { ...outcome.claim, statusAt: tx.now };
  const saved = await saveChange(
    tx,
    { refund: afterOutcome(refund, outcome, tx.now), claims },
    { event: outcome.event, news: newsOf(body), claim: changed },
  );
  if (outcome.event === 'fail') await mailRefund(tx, sender, saved.refund, 'back');
  return saved;
}

/** Returns the money of a claim that goes back to a payment to the store, since it was not sent or came back. */
async function returnToStore(
  unit: UnitOfWork,
  sender: Sender,
  { refund, claims }: OpenRefund,
  outcome: Outcome,
  { claim, body, eventId }: Applied & { readonly claim: Claim & { readonly source: ClaimSource } },
): Promise<OpenRefund> {
  const { tx } = unit;
  await takeBackOut(tx, [claim.id]);
  const came = body.event === 'returned' && body.isBorneByReceiver ? BigInt(body.back ?? claim.parts) : claim.parts;
  const changed = await backToStore(unit, refund, {
    ...{ claim, came, cause: eventId, isUnsent: body.event !== 'returned' },
    ...(body.event === 'kept' && { legs: keptLegs(claim) }),
  });
  const ended = { ...outcome.claim, statusAt: tx.now };
  const saved = await saveChange(
    tx,
    { refund: changed, claims },
    { event: 'fail', news: newsOf(body) ?? 'failed', claim: ended },
  );
  const letter = ended.reason === 'payment_reversed' ? 'reversed' : 'undone';
  await mailRefund(tx, sender, saved.refund, letter);
  return saved;
}

const isUnsent = ({ event }: PayoutBody): boolean => event === 'refused' || event === 'absent';

const newsOf = ({ event }: PayoutBody): RefundNews | undefined =>
  event === 'final' ? 'paid' : event === 'returned' ? 'returned' : event === 'kept' ? undefined : 'failed';

const withProgress = (claim: Claim, { txid, confirmations, needed }: PayoutBody): Claim => ({
  ...claim,
  txid: txid ?? claim.txid,
  confirmations: confirmations ?? claim.confirmations,
  needed: needed ?? claim.needed,
});

/** Returns a refund with what can be claimed again. Money that came back can be claimed for as long as that of a new refund. */
function afterOutcome(refund: Refund, { event, rests }: Outcome, now: Date): Refund {
  if (event !== 'fail') return refund;
  const until = new Date(now.getTime() + settings.get('gate.refund_days') * DAY_MS);
  const expiresAt = refund.expiresAt > until ? refund.expiresAt : until;
  return { ...refund, rests: rests.reduce(plus, refund.rests), ended: undefined, expiresAt };
}
