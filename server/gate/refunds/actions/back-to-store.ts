// Returns the sum of a claim that goes back to a payment, and was not sent or came back, to the store that it came from.

import { type UnitOfWork, min, move } from '../../../collecting/index.ts';
import { type Leg, accounts } from '../../../ledger/index.ts';
import { newId } from '../../../platform/index.ts';
import { InvoiceBatch } from '../../apply/batch.ts';
import { find } from '../../invoices/steps.ts';
import { lockInvoices } from '../../rows/invoice-rows.ts';
import { netOf } from '../../settled/settled.ts';
import { changeDebts } from '../../settled/repay.ts';
import { feeBackLegs, unconvertedLegs } from '../machine/claim-legs.ts';
import { type Claim, type ClaimSource, type Refund, type UnitSum, returnedToStore } from '../machine/refund.ts';

/** A claim whose money stands in the refund again. `came`: amount that is there, in parts of its unit. `isUnsent`: nothing left. */
export interface ComeBack {
  readonly claim: Claim & { readonly source: ClaimSource };
  readonly came: bigint;
  readonly isUnsent: boolean;
  /** Legs by which the money comes to the refund's account, in the same journal. */
  readonly legs?: readonly Leg[];
  /** Id of the event that causes it, as id of the first journal. */
  readonly cause?: string | undefined;
}

/**
 * Returns the sum of a claim to the store. Its conversion is turned round. Its part of the reserve stands there again while the
 * payment does. The rest comes to the balance, which repays a debt first. If the desk lacks the coin to turn the conversion round, the
 * store gets the payment's coin.
 */
export async function backToStore(unit: UnitOfWork, refund: Refund, back: ComeBack): Promise<Refund> {
  const { claim } = back;
  const sum = await unconverted(unit, back);
  const { unit: of, parts } = sum;
  const reserve = of === claim.from.unit ? await fillReserve(unit, refund, claim.source) : 0n;
  const held = accounts.refund(refund.id, of);
  const toStore = [
    ...move(held, accounts.merchantReserve(refund.store.id, of), min(reserve, parts)),
    ...move(held, accounts.merchant(refund.store.id, of), parts - min(reserve, parts)),
  ];
  const journalId = newId();
  unit.post({ id: journalId, kind: 'merchant_refund_expired', cause: refund.id, legs: toStore });
  await changeDebts(unit, [{ journalId, store: refund.store, legs: toStore }]);
  return returnedToStore(refund, [sum]);
}

/** Turns the conversion of a claim round, and its fee if nothing was sent. Returns the sum that stands in the refund then. */
async function unconverted(unit: UnitOfWork, { claim, came, isUnsent, legs = [], cause = newId() }: ComeBack): Promise<UnitSum> {
  const { price, from, fee, isBooked } = claim;
  const post = (more: readonly Leg[]): void =>
    unit.post({ id: cause, kind: 'merchant_refund_back', cause: claim.id, legs: [...legs, ...more] });
  if (!isBooked) return from;
  const isThere =
    price !== undefined && came === claim.parts && (await unit.shown(accounts.deskFree(from.unit))) >= price.exchanged;
  if (isThere) {
    post(unconvertedLegs(claim));
    return { unit: from.unit, parts: price.exchanged };
  }
  const feeBack = isUnsent && price === undefined ? fee : 0n;
  post(feeBack > 0n ? feeBackLegs(claim) : []);
  return { unit: claim.unit, parts: came + feeBack };
}

/** Notes that a claim's part of the reserve stands there again, at most what its payment has. Returns the amount. */
async function fillReserve(unit: UnitOfWork, refund: Refund, { paymentId, reserve }: ClaimSource): Promise<bigint> {
  const [stored] = await lockInvoices(unit.tx, refund.invoiceId === undefined ? [] : [refund.invoiceId]);
  const payment = stored && find(stored.view, paymentId);
  if (!stored || stored.isAltered || payment?.inReserve === undefined || payment.stage !== 'credited') return 0n;
  const parts = min(reserve, netOf(payment) - payment.inReserve);
  if (parts <= 0n) return 0n;
  const batch = new InvoiceBatch(unit, [stored]);
  const changed = { ...payment, inReserve: payment.inReserve + parts };
  const payments = stored.view.payments.map((one) => (one.id === paymentId ? changed : one));
  batch.revise(stored.view.id, { ...stored, view: { ...stored.view, payments } });
  await batch.save();
  return parts;
}
