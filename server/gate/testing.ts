// Helpers for tests of higher rooms.

export { invoiceFor } from './actions/invoices.testing.ts';
export { SENDER, applyFor, approvedFor } from './businesses/businesses.testing.ts';
export { moveSettled } from './settlements/settlements.testing.ts';
export { linksFor } from './links/links.testing.ts';
export { type InvoiceWorld, openInvoiceWorld } from './scenarios/invoice-world.testing.ts';
export { storeFor } from './members/stores.testing.ts';
