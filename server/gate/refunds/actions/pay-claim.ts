// Lets a claim go out: its sum becomes a payout.

import { Problem } from '@kurs/contract';
import { money } from '@kurs/money';
import type { UnitOfWork } from '../../../collecting/index.ts';
import { type Subject, tryLimits } from '../../../compliance/index.ts';
import { accounts } from '../../../ledger/index.ts';
import { type Counting, countOut, lockOut, peopleOut, readOut } from '../../../moneyout/index.ts';
import { currencyOf, requestPayouts } from '../../../payments/index.ts';
import { type Tx, newId } from '../../../platform/index.ts';
import { subjectOf } from '../../settlements/store-money.ts';
import { STORE_REFUND } from '../kinds.ts';
import { booksOfClaim, payLegs } from '../machine/claim-legs.ts';
import type { Claim, Refund } from '../machine/refund.ts';
import { claimQuote, requirePrice } from './claim-price.ts';

/** Returns the customer to whom the payouts of a store's refunds are attributed: its business, or its owner. */
export const refundCustomer = ({ businessId, holderId }: Refund['store']): string =>
  businessId === undefined ? `holder:${holderId}` : `business:${businessId}`;

/**
 * Counts a claim of a personal store's refund towards the limits of its owner's level, since the owner may pay own invoices and claim
 * their refunds. `id`: that of the claim; the count is dropped if the claim fails. `subject`: the claimant. Returns false if the claim
 * is above the limits, so that the desk must approve it. Locks the owner's keys.
 */
export async function isWithinOwnersLevel(
  tx: Tx,
  { store, invoiceId, isTest }: Refund,
  { id, subject, usd }: { readonly id: string; readonly subject: Subject; readonly usd: bigint },
): Promise<boolean> {
  const { businessId, holderId } = store;
  // A claim of a refund without an invoice counts towards its claimant's limits already.
  const isCounted = invoiceId === undefined && subject.holder?.id === holderId;
  if (businessId !== undefined || isTest || isCounted) return true;
  const { problems, count } = await tryLimits(tx, [
    { subject: await subjectOf(tx, holderId), usd: money('USD', usd), owner: { kind: STORE_REFUND, id } },
  ]);
  count(() => true);
  return problems[0] === undefined;
}

/**
 * Returns the number of people of the desk who must approve a claim, at least `least`. A claim that needs none is counted as leaving
 * so.
 */
export async function countClaim(
  tx: Tx,
  { id: payoutId, store, currency, parts, usd }: Claim,
  least: 0 | 1 = 0,
): Promise<0 | 1 | 2> {
  const customer = refundCustomer(store);
  await lockOut(tx);
  const sums = await readOut(tx, tx.now, { customers: [customer], currencies: [currency] });
  const people = peopleOut(usd, sums.of({ customer, currency })) || least;
  const one: Counting = { payoutId, kind: STORE_REFUND, customer, usd, currency, parts };
  if (people === 0) await countOut(tx, [one]);
  return people;
}

/**
 * Returns a claim at the price of now, at most what was shown when it was claimed. A claim that waits for people would otherwise be
 * an option on the market. Throws `rates_unavailable`, and `validation` for a sum that has become too small.
 */
export function repriced(claim: Claim): Claim {
  const info = currencyOf(claim.currency);
  // A claim that goes back to a payment has no spread, and keeps the amount that was decided with the refund.
  if (claim.isBooked || claim.source) return claim;
  if (!info) throw new Problem('method_closed');
  const { fee, got, price } = requirePrice(claimQuote(claim.from, info));
  if (got.parts < claim.parts || price) {
    const parts = got.parts < claim.parts ? got.parts : claim.parts;
    return { ...claim, parts, price, fee };
  }
  return claim;
}

/**
 * Requests the payout of a claim and posts its sum, in the transaction that saves the claim. Returns the claim in the state `paying`.
 * Throws `method_closed` if the desk lacks the currency.
 */
export async function payClaim(unit: UnitOfWork, claim: Claim): Promise<Claim> {
  const { tx } = unit;
  const free = claim.price && !claim.isBooked ? await unit.shown(accounts.deskFree(claim.unit)) : claim.parts;
  if (free < claim.parts) throw new Problem('method_closed');
  const { id, refundId, currency, parts, to } = claim;
  await requestPayouts(tx, [
    {
      ...{ id, owner: { kind: STORE_REFUND, id }, party: refundId, currency, unit: claim.unit, parts, to },
      ...{ customer: refundCustomer(claim.store), purpose: 'payout', books: booksOfClaim(claim) },
    },
  ]);
  unit.post({ id: newId(), kind: 'merchant_refund_claimed', cause: id, legs: payLegs(claim) }, 'method_closed');
  return { ...claim, state: 'paying', isBooked: true, payout: 'queued', statusAt: tx.now };
}
