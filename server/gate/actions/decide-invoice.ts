// A member decides about money that came short or late: a short invoice is accepted or given back; a late payment is
// accepted while its payer has not decided.

import { Problem, type ProblemCode } from '@kurs/contract';
import { type UnitOfWork, alone } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { takeOver } from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { requireNotClosed } from '../businesses/business-store.ts';
import { handOver } from '../apply/hand-over.ts';
import { isWithinBounds } from '../apply/receipts.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import { type TakenLate, acceptLate, accept, giveBack, lateOf } from '../invoices/decide.ts';
import { type Invoice, hasEnded } from '../invoices/invoice.ts';
import { optionOf } from '../invoices/options.ts';
import { find } from '../invoices/steps.ts';
import { mailPaid } from '../letters.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settings } from '../settings.ts';

interface DecideDeps {
  readonly db: Db;
  readonly sender: Sender;
}

const DAY_MS = 86_400_000;

/** Returns the time until which a store may accept a late payment that was handed over at a moment. */
export const acceptableUntil = (at: Date): Date => new Date(at.getTime() + settings.get('gate.accept_days') * DAY_MS);

/** An invoice, and its version on the page on which the member decided. */
export interface Decided {
  readonly store: string;
  readonly id: string;
  readonly version: number;
}

/**
 * Accepts a short invoice, or the late payments of an invoice that has ended. Throws `invoice_unknown` if it is another store's,
 * `record_altered`, `invoice_not_open` if there is nothing to decide, and `invoice_changed` if it has changed since the member saw
 * it. For late payments also `store_closed` if the business is closed, `accept_over` after their time, `payer_decided`, and
 * `rates_unavailable` without a price.
 */
export const acceptInvoice = (deps: DecideDeps, decided: Decided): Promise<StoredInvoice> =>
  decide(deps, decided, ({ unit, batch }, { view }) =>
    hasEnded(view) ? acceptOverdue(unit, deps.sender, batch, view) : accept(view),
  );

/** Takes the late payments back from their payers, who have decided nothing, and accepts them. */
async function acceptOverdue(
  unit: UnitOfWork,
  sender: Sender,
  batch: InvoiceBatch,
  view: Invoice,
): Promise<InvoiceStep | undefined> {
  const late = lateOf(view);
  if (late.length === 0) return undefined;
  const inTime = late.filter(({ at }) => unit.tx.now < acceptableUntil(at));
  if (inTime.length === 0) throw new Problem('accept_over');
  await requireNotClosed(unit.tx, view.store);
  const context = await batch.acceptContext(view.id);
  const taken: TakenLate[] = [];
  for (const { id, orderId, currency, unit: of, parts } of inTime) {
    if (!context.priceNow(currency)) throw new Problem('rates_unavailable');
    const done = await takeOver(unit, sender, { orderId, to: accounts.invoiceIn(view.id, of) });
    if (done !== undefined && done !== parts)
      throw new Error(`${done} of ${parts} came back from the unallocated payment ${orderId}`);
    if (done === undefined) continue;
    await requireWithinBounds(unit.tx, view, id);
    taken.push({ id, orderId });
  }
  if (taken.length === 0) throw new Problem('payer_decided');
  return acceptLate(view, taken, context) ?? refuse('method_closed');
}

function refuse(code: ProblemCode): never {
  throw new Problem(code);
}

/** Throws `method_closed` if the business of an invoice may not receive a late payment: it is beyond its bounds. */
async function requireWithinBounds(tx: Tx, view: Invoice, paymentId: string): Promise<void> {
  const payment = find(view, paymentId);
  if (payment && !(await isWithinBounds(tx, view, payment, optionOf(view, payment.optionId)))) throw new Problem('method_closed');
}

/** Gives a short invoice back. Throws as `acceptInvoice`. */
export const giveInvoiceBack = (deps: DecideDeps, decided: Decided): Promise<StoredInvoice> =>
  decide(deps, decided, async ({ batch }, { view }) => giveBack(view, await batch.returnContext(view.id)));

type Decision = (
  given: { readonly unit: UnitOfWork; readonly batch: InvoiceBatch },
  stored: StoredInvoice,
) => InvoiceStep | undefined | Promise<InvoiceStep | undefined>;

function decide({ db, sender }: DecideDeps, { store, id, version }: Decided, decision: Decision): Promise<StoredInvoice> {
  return alone(db, async (unit) => {
    const stored = await lockInvoice(unit.tx, id);
    if (stored.view.store.id !== store) throw new Problem('invoice_unknown');
    requireAsStored(stored);
    const batch = new InvoiceBatch(unit, [stored]);
    const isOld = stored.view.version !== version;
    if (isOld && (stored.view.state === 'short' || hasEnded(stored.view))) throw new Problem('invoice_changed');
    const step = await decision({ unit, batch }, stored);
    if (!step) throw new Problem('invoice_not_open');
    batch.apply(id, step);
    await handOver(unit, sender, batch);
    await batch.save();
    await mailPaid(unit.tx, sender, batch.settled());
    return batch.invoice(id);
  });
}
