// A store's refunds as a file.

import type { Cell, Statements } from '../../platform/index.ts';
import type { Claim, Refund } from '../refunds/machine/refund.ts';
import { claimsOf } from '../refunds/rows/claim-rows.ts';
import { type RefundFilter, allRefunds } from '../refunds/views/refund-list.ts';
import { claimRowWire, refundRowWire } from '../refunds/wire.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { openStore } from '../stores/store-rows.ts';
import { amountCell, clockIn, sumsText } from './cells.ts';

/** Number of refunds in memory at a time. */
const GROUP = 250;

const COLUMNS = [
  ...['refund', 'state', 'created', 'created_utc', 'expires_utc', 'invoice', 'order', 'currency', 'amount', 'taken'],
  ...['taken_currency', 'unclaimed', 'returned', 'paid', 'email', 'note', 'test'],
];

/** Yields the refunds that match a filter as rows, the newest first, after a header row. */
export async function* refundRows(db: Statements, filter: RefundFilter): AsyncGenerator<Cell[][]> {
  yield [COLUMNS];
  const clock = clockIn((await openStore(db, filter.store)).timezone);
  for await (const group of allRefunds(db, filter, GROUP)) {
    const invoices = new Map(
      (
        await invoicesById(
          db,
          group.flatMap(({ invoiceId }) => invoiceId ?? []),
        )
      ).map((invoice) => [invoice.view.id, invoice]),
    );
    const claims = Map.groupBy(
      await claimsOf(
        db,
        group.map(({ id }) => id),
      ),
      ({ refundId }) => refundId,
    );
    yield group.map((refund) =>
      rowOf(refund, { claims: claims.get(refund.id) ?? [], invoice: invoices.get(refund.invoiceId ?? ''), clock }),
    );
  }
}

interface Known {
  readonly claims: readonly Claim[];
  readonly invoice: StoredInvoice | undefined;
  readonly clock: (at: Date) => string;
}

function rowOf(refund: Refund, { claims, invoice, clock }: Known): Cell[] {
  const { number, state, created_at, expires_at, amount, taken, left, returned, email, test } = refundRowWire(refund);
  const paid = claims.filter((claim) => claim.state === 'done').map((claim) => claimRowWire(claim).receives);
  return [
    ...[number, state, clock(refund.createdAt), created_at, expires_at, invoice?.number ?? '', invoice?.orderId ?? ''],
    ...[amount.currency, amountCell(amount.amount), amountCell(taken.amount), taken.currency],
    ...[sumsText(left), sumsText(returned), sumsText(paid), email ?? '', refund.note ?? '', test ? 'yes' : ''],
  ];
}
