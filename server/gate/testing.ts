// Helpers for tests of higher rooms.

export { invoiceFor } from './actions/invoices.testing.ts';
export { dueInvoices } from './apply/due-invoices.ts';
export { dueDebts } from './settlements/due-debts.ts';
export { dueMoves } from './settlements/due-moves.ts';
export { dueRefunds } from './refunds/actions/end-refund.ts';
export { refundSecret } from './refunds/refund-secret.ts';
export { SENDER, applyFor, approvedFor } from './businesses/businesses.testing.ts';
export { bookCostFor } from './disputes/disputes.testing.ts';
export { moveSettled } from './settlements/settlements.testing.ts';
export { linksFor } from './links/links.testing.ts';
export { type InvoiceWorld, openInvoiceWorld } from './scenarios/invoice-world.testing.ts';
export { paidReversibly, permit } from './scenarios/reserve-world.testing.ts';
export { storeFor } from './members/stores.testing.ts';
export { invoicesById } from './rows/invoice-rows.ts';
export type { StoredInvoice } from './rows/stored-invoice.ts';
export type { Store } from './stores/store.ts';
