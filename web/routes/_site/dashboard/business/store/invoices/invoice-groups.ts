import { m } from '../../../../../../features/words.ts';
import type { InvoiceState } from './invoice-words.ts';

/** Groups by which members filter invoices, with the states in each group. */
export const INVOICE_GROUPS = {
  open: ['open'],
  confirming: ['confirming'],
  settled: ['settled'],
  short: ['short'],
  ended: ['expired', 'cancelled', 'invalid'],
} as const satisfies Record<string, readonly InvoiceState[]>;

/** Groups that are no states: invoices that the store marked, and those that its list hides. */
export const OTHER_GROUPS = { marked: { marked: 'yes' }, archived: { archived: 'yes' } } as const;

export type InvoiceGroup = keyof typeof INVOICE_GROUPS | keyof typeof OTHER_GROUPS;

/** Filter of the list of invoices, as in the page's URL: days and amounts as typed; an empty text for a field that is not set. */
export interface InvoicesFilter {
  readonly state: InvoiceGroup | 'all';
  readonly from: string;
  readonly to: string;
  readonly min: string;
  readonly max: string;
  readonly q: string;
}

/** True if a field other than the group (`state`) restricts the list. */
export const isNarrowed = ({ from, to, min, max, q }: InvoicesFilter): boolean =>
  [from, to, min, max, q].some((text) => text !== '');

/** Returns the name of a group of invoices. */
export const groupName = (group: InvoicesFilter['state']): string =>
  ({
    all: m.invoices_all,
    open: m.invoices_group_open,
    confirming: m.invoices_group_confirming,
    settled: m.invoices_group_settled,
    short: m.invoices_group_short,
    ended: m.invoices_group_ended,
    marked: m.invoices_group_marked,
    archived: m.invoices_group_archived,
  })[group]();

/** Converts a filter to a URL query that contains only the fields that are set. */
export const filterQuery = (filter: InvoicesFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'state' && value === 'all')));
