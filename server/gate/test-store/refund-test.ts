// Plays a refund of a test invoice that is claimed and paid at once.

import { Problem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { alone } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { centsOf, claimQuote, claimableIn, requirePrice } from '../refunds/actions/claim-price.ts';
import { claimedSum } from '../refunds/actions/claim-refund.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import { newClaim } from '../refunds/actions/new-claim.ts';
import { payTestClaim } from '../refunds/actions/pay-test-claim.ts';
import { refundableOf } from '../refunds/actions/refundable.ts';
import { openRefund } from '../refunds/actions/save-refund.ts';
import type { Refund } from '../refunds/machine/refund.ts';

/** Receiving account of claims that are played. */
const ACCOUNT = { fields: {}, key: 'test' };

/**
 * Refunds all that may be refunded of a test invoice, and claims it in the first open currency. Throws `refund_too_large` if
 * nothing is left to refund, `rates_unavailable`, and `method_closed` if it can be claimed in no currency.
 */
export async function refundTest(deps: { readonly db: Db; readonly sender: Sender }, view: Invoice): Promise<Refund> {
  const { db } = deps;
  const { currency, digits } = view.terms;
  const { most } = await refundableOf(db, view);
  const amount = format(money(currency, most), digits);
  if (most === 0n) throw new Problem('refund_too_large', { params: { most: amount, currency } });
  const owner = { kind: 'member', id: view.store.holderId, isProposed: false } as const;
  const { id } = await makeRefund(deps, { store: view.store.id, invoice: view.id, amount }, owner, 'en');
  return alone(db, async ({ tx }) => {
    const open = await openRefund(tx, id);
    const sum = claimedSum(open.refund, {});
    const info = claimableIn(sum.unit).find((one) => !('closed' in claimQuote(sum, one)));
    if (!info) throw new Problem('method_closed');
    const price = requirePrice(claimQuote(sum, info));
    const claim = newClaim(open.refund, { id: newId(), sum, usd: centsOf(sum), price, at: tx.now, info, account: ACCOUNT });
    return payTestClaim(tx, open, claim);
  });
}
