// Refunds and their claims as the store sees them.

import { type Output, type Routes, sitePath } from '@kurs/contract';
import { format, money } from '@kurs/money';
import type { Sender } from '../../../deliveries/index.ts';
import type { Statements } from '../../../platform/index.ts';
import { eventsOfRefund } from '../../rows/event-rows.ts';
import { invoicesById } from '../../rows/invoice-rows.ts';
import { refundPath } from '../letters.ts';
import type { Claim, Refund, RefundMaker } from '../machine/refund.ts';
import { claimsOf } from '../rows/claim-rows.ts';
import { claimRowWire, refundRowWire } from '../wire.ts';

type RefundWire = Output<Routes['storeRefund']>;
type ClaimWire = RefundWire['claims'][number];

/** Returns a claim as the store sees it. */
export const claimWire = (claim: Claim): ClaimWire => ({
  ...claimRowWire(claim),
  ...{ refund: claim.refundId, usd: format(money('USD', claim.usd), 2) },
  ...(claim.reason !== undefined && { reason: claim.reason }),
});

/**
 * True if a caller sees the link of a refund. A claim by the link counts towards the cap of the refund's maker. With the link of
 * another's refund, a caller would bypass their own cap.
 */
const seesLink = ({ store, maker }: Refund, { kind, id }: RefundMaker): boolean =>
  (kind === 'member' && id === store.holderId) || (kind === maker.kind && id === maker.id);

/** True if all of a refund goes back to payments, so that its link brings nobody money. */
const isForPayments = ({ rests }: Refund, claims: readonly Claim[]): boolean =>
  rests.length === 0 && claims.length > 0 && claims.every(({ source }) => source !== undefined);

/** Returns a refund with its claims and events, and with its link if the caller may see it. */
export async function refundWire(db: Statements, sender: Sender, refund: Refund, caller: RefundMaker): Promise<RefundWire> {
  const [claims, events, [invoice]] = await Promise.all([
    claimsOf(db, [refund.id]),
    eventsOfRefund(db, refund.id),
    invoicesById(db, refund.invoiceId === undefined ? [] : [refund.invoiceId]),
  ]);
  return {
    ...refundRowWire(refund),
    store: refund.store.id,
    ...(seesLink(refund, caller) &&
      !isForPayments(refund, claims) && { url: sender.url + sitePath(refund.locale, refundPath(sender, refund)) }),
    ...(invoice && { invoice_number: invoice.number }),
    ...(refund.note !== undefined && { note: refund.note }),
    claims: claims.map(claimWire),
    events: events.map(({ version, at, kind, state, claimId }) => ({
      ...{ version, at: at.toISOString(), event: kind.slice('refund.'.length) as RefundWire['events'][number]['event'] },
      ...(claimId !== null && { claim: claimId }),
      state: state as RefundWire['state'],
    })),
  };
}
