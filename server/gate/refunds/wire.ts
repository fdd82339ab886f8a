// Fields of refunds and claims in the form of the API, as lists, pages and events have them.

import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { currencyOf } from '../../payments/index.ts';
import { unitMoney } from '../wire/amounts.ts';
import type { Claim, Refund, UnitSum } from './machine/refund.ts';

type ClaimWire = Output<Routes['storeRefund']>['claims'][number];

const sum = ({ unit, parts }: UnitSum): ReturnType<typeof unitMoney> => unitMoney(unit, parts);

/** Returns the fields of a refund that lists have, too. */
export const refundRowWire = (refund: Refund): Output<Routes['refunds']>[number] => ({
  ...{ id: refund.id, number: refund.number, state: refund.state },
  ...(refund.invoiceId !== undefined && { invoice: refund.invoiceId }),
  amount: { amount: format(money(refund.currency, refund.amount), refund.digits), currency: refund.currency },
  ...{ taken: sum(refund.taken), left: refund.rests.map(sum), returned: refund.back.map(sum) },
  ...(refund.email && { email: refund.email }),
  ...{ created_at: refund.createdAt.toISOString(), expires_at: refund.expiresAt.toISOString(), version: refund.version },
  test: refund.isTest === true,
});

/** Returns the fields of a claim that its claimant sees, too. */
export const claimRowWire = (claim: Claim): Omit<ClaimWire, 'refund' | 'usd' | 'reason'> => ({
  ...{ id: claim.id, status: claim.state, claimed: sum(claim.from), fee: unitMoney(claim.from.unit, claim.fee) },
  receives: unitMoney(claim.unit, claim.parts),
  ...{ method: claim.currency, network: currencyOf(claim.currency)?.network ?? '', to: { ...claim.to } },
  to_payment: claim.source !== undefined,
  payment_reversed: claim.reason === 'payment_reversed',
  ...(claim.txid !== undefined && { txid: claim.txid }),
  at: claim.claimedAt.toISOString(),
});
