import type { Invoice } from '../invoices/invoice.ts';

/** A line of an invoice, as the shop stated it. It is shown and never computed with. */
export interface InvoiceLine {
  readonly name: string;
  readonly quantity: string;
  readonly unit_price: string;
}

/** Statements of the shop that buyers see. */
export interface InvoiceDetails {
  readonly lines: readonly InvoiceLine[];
  readonly tax?: string | undefined;
  readonly description?: string | undefined;
  readonly returnUrl?: string | undefined;
}

/** A stored invoice: what the machine knows, and what people need besides. */
export interface StoredInvoice {
  readonly view: Invoice;
  readonly number: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly orderId: string | undefined;
  readonly email: string | undefined;
  readonly locale: 'en' | 'ru';
  readonly details: InvoiceDetails;
  /** JSON as the shop sent it. */
  readonly metadata: string;
  /** True if the store's list hides it. */
  readonly isArchived: boolean;
  /** True if the row was changed outside the product: nothing is credited to the invoice, and nobody can pay it. */
  readonly isAltered?: true;
}

/** Returns the address to which letters about the payer's money go; undefined if none is known. */
export const emailOfPayer = ({ email, view }: Pick<StoredInvoice, 'email' | 'view'>): string | undefined =>
  view.isEmailOfLink ? undefined : email;
