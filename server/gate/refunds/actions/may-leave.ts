// Checks payouts of claims again before they leave: the rows, the store's business and its debts, freezes, blocks, and the limits.

import { stopsOf } from '../../../compliance/index.ts';
import { peopleOut, readOut, screenedFirst } from '../../../moneyout/index.ts';
import { type MayLeave, type PayoutObstacle, TAKEN_BACK, undeliveredDebts } from '../../../payments/index.ts';
import type { Tx } from '../../../platform/index.ts';
import type { Claim, Refund } from '../machine/refund.ts';
import { claimsById } from '../rows/claim-rows.ts';
import { refundsById } from '../rows/refund-rows.ts';
import { ownOf } from '../../invoices/invoice.ts';
import { find } from '../../invoices/steps.ts';
import { reportAltered } from '../../rows/invoice-mac.ts';
import { invoicesById } from '../../rows/invoice-rows.ts';
import { goneTo } from './source-shares.ts';
import { frozenClaims } from './allowance.ts';
import { worthOfClaim } from './decide-claim.ts';
import { refundCustomer } from './pay-claim.ts';
import { whatStopsRefunds } from './require-refunds.ts';

/** Reports to the payments room which payouts of claims may not leave, and why. */
export const claimsMayLeave: MayLeave = screenedFirst(
  (tx, payouts) =>
    obstaclesOf(
      tx,
      payouts.map(({ id }) => id),
    ),
  async () => new Map(),
);

async function obstaclesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, PayoutObstacle>> {
  const claims = await claimsById(tx, ids);
  const refunds = await refundsById(tx, [...new Set(claims.map(({ refundId }) => refundId))]);
  const altered = new Set(refunds.flatMap(({ id, isAltered }) => (isAltered ? [id] : [])));
  const stops = await whatStopsRefunds(
    tx,
    claims.map(({ store }) => store),
  );
  const gone = await withoutPayment(tx, claims, refunds);
  const blocks = await stopsOf(
    tx,
    claims.map(({ currency, key }) => ({ email: '', accounts: [`${currency}:${key}`] })),
  );
  const frozen = await frozenClaims(tx, claims);
  const obstacles = new Map<string, PayoutObstacle>();
  const free: Claim[] = [];
  for (const [at, claim] of claims.entries()) {
    const reason =
      claim.isAltered || altered.has(claim.refundId)
        ? 'record_altered'
        : (stops.get(claim.store.id) ?? frozen.get(claim.id)?.code ?? blocks[at]?.code);
    const other = reason === undefined ? gone.get(claim.id) : undefined;
    if (other) obstacles.set(claim.id, other);
    else if (reason === undefined) free.push(claim);
    else obstacles.set(claim.id, { reason });
  }
  for (const id of ids) if (!claims.some((claim) => claim.id === id)) obstacles.set(id, { reason: 'record_altered' });
  for (const id of await aboveBounds(tx, free)) obstacles.set(id, { reason: 'above_bounds' });
  return obstacles;
}

/**
 * Returns the obstacles of claims that go back to a payment, by the claims' ids: the payment was taken back, or is about to be, or
 * less of it is left than goes back to it, or its invoice was changed by SQL.
 */
async function withoutPayment(
  tx: Tx,
  claims: readonly Claim[],
  refunds: readonly Refund[],
): Promise<Map<string, PayoutObstacle>> {
  const stopped = new Map<string, PayoutObstacle>();
  const sourced = claims.flatMap((claim) => (claim.source ? [{ ...claim, source: claim.source }] : []));
  if (sourced.length === 0) return stopped;
  const pending = new Set((await undeliveredDebts(tx)).map(({ id }) => id));
  const invoiceOf = new Map(refunds.map(({ id, invoiceId }) => [id, invoiceId]));
  const ids = new Set(sourced.flatMap(({ refundId }) => invoiceOf.get(refundId) ?? []));
  for (const stored of await invoicesById(tx, [...ids])) {
    const { view, isAltered } = stored;
    if (isAltered) reportAltered(stored);
    const gone = await goneTo(tx, view.id);
    for (const { id, refundId, source } of sourced) {
      if (invoiceOf.get(refundId) !== view.id) continue;
      const payment = find(view, source.paymentId);
      const sent = gone.get(source.paymentId) ?? 0n;
      // It waits, since the store's reserve can't have its part again meanwhile.
      if (isAltered) stopped.set(id, { reason: 'record_altered', mayWait: true, waitSeconds: 60 });
      else if (payment?.stage !== 'credited' || sent > ownOf(payment)) stopped.set(id, { reason: 'payment_reversed' });
      else if (pending.has(source.paymentId)) stopped.set(id, TAKEN_BACK);
    }
  }
  return stopped;
}

/** Returns the claims that need more approvals at the rates and limits of now than they have. */
async function aboveBounds(tx: Tx, claims: readonly Claim[]): Promise<string[]> {
  const sums = await readOut(tx, tx.now, {
    customers: [...new Set(claims.map(({ store }) => refundCustomer(store)))],
    currencies: [],
    payouts: claims.map(({ id }) => id),
  });
  const above: string[] = [];
  for (const claim of claims) {
    const { id, store, currency, approved } = claim;
    // The claim's own sum is subtracted before the check, and added again only if the claim leaves.
    const counted = sums.drop(id);
    const people = peopleOut(worthOfClaim(claim), sums.of({ customer: refundCustomer(store), currency }));
    if (people > approved) above.push(id);
    else if (counted) sums.add(counted);
  }
  return above;
}
