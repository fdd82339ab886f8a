// Decisions of the desk about held payments to invoices: to release one, to refuse it, to freeze it by law, and about papers.

import { Problem } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { decideForOwner, keepRateMs } from '../../exchange/index.ts';
import type { Tx } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { debtAgain } from '../apply/debt-again.ts';
import { handOver } from '../apply/hand-over.ts';
import { isWithinBoundsWhenReleased } from '../apply/receipts.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import { heldOf, notePapers, refuse, release } from '../invoices/held.ts';
import { type PaymentStage, ownOf } from '../invoices/invoice.ts';
import { find } from '../invoices/steps.ts';
import { mailChangedParts, mailPaid, mailPapers, mailUndecided } from '../letters.ts';
import { releaseSettled } from '../reversals/settled-again.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice } from '../rows/invoice-rows.ts';
import { invoiceOfPayment } from '../rows/payment-rows.ts';
import { type StoredInvoice, emailOfPayer } from '../rows/stored-invoice.ts';

/** Decision about a held payment. `freeze` takes two people; the caller checks that. */
export type HeldAction = 'release' | 'refuse' | 'freeze' | 'ask_papers' | 'papers_came';

export interface HeldDecision {
  /** Id of the payment. */
  readonly id: string;
  readonly action: HeldAction;
  /** Names of the people who decided. */
  readonly by: readonly string[];
  readonly reason: string;
}

/**
 * Carries out a decision about a held payment, and returns the payment's stage. A released payment counts as final and clean. A
 * refused one goes to its payer by the exchange: as a refund, or unclaimed until the payer names an account. Call it last in the
 * transaction. Throws `not_found`, `record_altered`, `order_changed` if the payment is no longer held, and `action_not_open` if
 * papers have that status already or nobody can be asked for them.
 */
export async function decideHeld(tx: Tx, sender: Sender, decision: HeldDecision): Promise<PaymentStage> {
  const { id: paymentId, action } = decision;
  const invoiceId = await invoiceOfPayment(tx, paymentId);
  if (invoiceId === undefined) throw new Problem('not_found');
  const stored = requireAsStored(await lockInvoice(tx, invoiceId));
  // Payments to test invoices move no money, and end automatically.
  if (stored.view.terms.isTest) throw new Problem('not_found');
  const payment = heldOf(stored.view).find(({ id }) => id === paymentId);
  if (!payment) throw new Problem('order_changed');
  const unit = new UnitOfWork(tx);
  const batch = new InvoiceBatch(unit, [stored]);
  const isReleasedAgain = action === 'release' && payment.unsettled !== undefined;
  // The business's bounds are asked before the invoice's reserves are locked.
  const isBeyond = action === 'release' && !(await isWithinBoundsWhenReleased(tx, stored.view, payment));
  const step = isReleasedAgain
    ? releaseSettled(stored.view, paymentId, await debtAgain(unit, batch, { invoiceId, payment, parts: ownOf(payment) }))
    : await stepOf(batch, stored, { ...decision, isBeyond });
  if (!batch.apply(invoiceId, step)) throw new Problem('action_not_open');
  await handOver(unit, sender, batch);
  await batch.save();
  if (action === 'ask_papers') await mailPapers(tx, sender, stored, payment);
  const { view } = batch.invoice(invoiceId);
  const decided = find(view, paymentId);
  const order = decided?.handedOver?.at(-1);
  if ((action === 'refuse' || action === 'freeze') && order) {
    const { by, reason } = decision;
    const way = action === 'freeze' ? 'freeze' : 'decide_refund';
    await decideForOwner(unit, sender, { orderId: order.orderId, decision: way, by, reason });
  }
  await mailPaid(tx, sender, batch.settled());
  await mailUndecided(tx, sender, batch.undecided());
  await mailChangedParts(tx, sender, batch.changedParts());
  await unit.commit();
  return decided?.stage ?? payment.stage;
}

async function stepOf(
  batch: InvoiceBatch,
  stored: StoredInvoice,
  { id, action, isBeyond }: HeldDecision & { readonly isBeyond: boolean },
): Promise<InvoiceStep | undefined> {
  const { view } = stored;
  switch (action) {
    case 'release':
      return release(view, id, { keepRate: keepRateMs(), context: { ...(await batch.context(view.id)), isBeyond } });
    case 'ask_papers':
      return emailOfPayer(stored) === undefined ? undefined : notePapers(view, id, 'asked');
    case 'papers_came':
      return notePapers(view, id, 'came');
    default:
      return refuse(view, id);
  }
}
