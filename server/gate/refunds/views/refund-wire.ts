// Refunds and their claims as the store sees them.

import { type Output, type Routes, sitePath } from '@kurs/contract';
import { format, money } from '@kurs/money';
import type { Sender } from '../../../deliveries/index.ts';
import { currencyOf } from '../../../payments/index.ts';
import type { Statements } from '../../../platform/index.ts';
import { eventsOfRefund } from '../../rows/event-rows.ts';
import { invoicesById } from '../../rows/invoice-rows.ts';
import { unitMoney } from '../../wire/amounts.ts';
import { refundPath } from '../letters.ts';
import type { Claim, Refund, UnitSum } from '../machine/refund.ts';
import { claimsOf } from '../rows/claim-rows.ts';

type RefundWire = Output<Routes['storeRefund']>;
type ClaimWire = RefundWire['claims'][number];

const sum = ({ unit, parts }: UnitSum): ReturnType<typeof unitMoney> => unitMoney(unit, parts);

/** Returns the fields of a refund that lists have, too. */
export const refundRowWire = (refund: Refund): Output<Routes['refunds']>[number] => ({
  ...{ id: refund.id, number: refund.number, state: refund.state },
  ...(refund.invoiceId !== undefined && { invoice: refund.invoiceId }),
  amount: { amount: format(money(refund.currency, refund.amount), refund.digits), currency: refund.currency },
  ...{ taken: sum(refund.taken), left: refund.rests.map(sum), returned: refund.back.map(sum) },
  ...(refund.email !== undefined && { email: refund.email }),
  ...{ created_at: refund.createdAt.toISOString(), expires_at: refund.expiresAt.toISOString(), version: refund.version },
});

/** Returns the fields of a claim that its claimant sees, too. */
export const claimRowWire = (claim: Claim): Omit<ClaimWire, 'refund' | 'usd' | 'reason'> => ({
  ...{ id: claim.id, status: claim.state, claimed: sum(claim.from), fee: unitMoney(claim.from.unit, claim.fee) },
  receives: unitMoney(claim.unit, claim.parts),
  ...{ method: claim.currency, network: currencyOf(claim.currency)?.network ?? '', to: { ...claim.to } },
  ...(claim.txid !== undefined && { txid: claim.txid }),
  at: claim.claimedAt.toISOString(),
});

/** Returns a claim as the store sees it. */
export const claimWire = (claim: Claim): ClaimWire => ({
  ...claimRowWire(claim),
  ...{ refund: claim.refundId, usd: format(money('USD', claim.usd), 2) },
  ...(claim.reason !== undefined && { reason: claim.reason }),
});

/** Returns a refund with its link, claims and events. */
export async function refundWire(db: Statements, sender: Sender, refund: Refund): Promise<RefundWire> {
  const [claims, events, [invoice]] = await Promise.all([
    claimsOf(db, [refund.id]),
    eventsOfRefund(db, refund.id),
    invoicesById(db, refund.invoiceId === undefined ? [] : [refund.invoiceId]),
  ]);
  return {
    ...refundRowWire(refund),
    ...{ store: refund.store.id, url: sender.url + sitePath(refund.locale, refundPath(sender, refund)) },
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
