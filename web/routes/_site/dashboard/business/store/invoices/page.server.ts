import type { Sent, Routes } from '@kurs/contract';
import { readTyped } from '@kurs/money';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type DaysRequest, readDays } from '../../../orders/requested-days.ts';
import { type Meta, askRows, pageOf, rowsOf } from '../../../orders/rows.ts';
import { type StoreData, ownStore } from '../own-store.ts';
import { INVOICE_GROUPS, type InvoiceGroup, OTHER_GROUPS, type InvoicesFilter, isNarrowed } from './invoice-groups.ts';
import type { ListedInvoice } from './invoice-words.ts';

/** Data of the page with a store's invoices. */
export interface InvoicesData extends StoreData {
  readonly now: string;
  readonly filter: InvoicesFilter;
  readonly wrongDays: DaysRequest['wrongDays'];
  /** Fields whose typed amount could not be read. */
  readonly wrongSums: readonly Sum[];
  /** Filter as input of API calls. */
  readonly request: RequestedInvoices;
  readonly invoices: readonly ListedInvoice[];
  readonly meta: Meta;
  /** Position after which the page begins; empty if the page was requested by its number. */
  readonly after: string;
  /** Position after which the next page begins; undefined on the last page, and while pages have numbers. */
  readonly next: string | undefined;
  /** True if no filter is set. An empty list then means that the store has no invoices. */
  readonly isWhole: boolean;
}

/** Loads a page of the store's invoices, by the filter in the URL. */
export async function load(visit: Visit): Promise<InvoicesData> {
  const own = await ownStore(visit, 'storeInvoices');
  const query = visit.url.searchParams;
  const filter = readFilter(query);
  const { days, wrongDays } = readDays(filter);
  const { sums, wrongSums } = readSums(filter, visit.locale);
  const request: RequestedInvoices = {
    store: own.store.id,
    ...ofGroup(filter.state),
    ...days,
    ...sums,
    ...(filter.q !== '' && { q: filter.q }),
  };
  const after = (query.get('after') ?? '').slice(0, 120);
  const listed = await askInvoices(visit.client, request, { page: pageOf(query), rows: rowsOf(query), after });
  const isWhole = filter.state === 'all' && !isNarrowed(filter);
  return { ...own, now: visit.now, filter, wrongDays, wrongSums, request, after, isWhole, ...listed };
}

type Sum = 'min' | 'max';
type RequestedInvoices = Pick<Sent<Routes['invoices']>, 'store' | 'state' | 'marked' | 'archived' | 'from' | 'to' | Sum | 'q'>;

/** Returns the part of a request that asks for a group of invoices. */
function ofGroup(group: InvoicesFilter['state']): Pick<RequestedInvoices, 'state' | 'marked' | 'archived'> {
  if (group === 'all') return {};
  if (group === 'marked' || group === 'archived') return OTHER_GROUPS[group];
  return { state: [...INVOICE_GROUPS[group]] };
}

type Listed = Pick<InvoicesData, 'invoices' | 'meta' | 'next'>;
interface Place {
  readonly page: number;
  readonly rows: number;
  readonly after: string;
}

/**
 * Requests a page of invoices. Pages have numbers up to the row to which the API counts a long list. Each page beyond that row
 * begins after the last row of the page before it.
 */
async function askInvoices(client: Visit['client'], request: RequestedInvoices, { page, rows, after }: Place): Promise<Listed> {
  if (after !== '') return askBeyond(client, request, after, rows);
  const ends = new Map<number, string | undefined>();
  const ask = async (at: number, per_page: number) => {
    const found = await client.invoices({ ...request, page: at, per_page });
    ends.set(at, found.meta.next);
    return found;
  };
  const found = await askRows(ask, { page, rows });
  const lastCounted = Math.max(1, Math.floor(found.meta.total / rows));
  if (found.meta.is_more && page > lastCounted) return askInvoices(client, request, { page: lastCounted, rows, after });
  const isLastCounted = found.meta.is_more === true && page === lastCounted;
  const meta = found.meta.is_more ? { ...found.meta, last_page: lastCounted } : found.meta;
  return { invoices: found.data, meta, next: isLastCounted ? ends.get(Math.max(...ends.keys())) : undefined };
}

/** Requests the rows after a position, put together from several answers if they are more than one answer has. */
async function askBeyond(client: Visit['client'], request: RequestedInvoices, after: string, rows: number): Promise<Listed> {
  const invoices: ListedInvoice[] = [];
  let next: string | undefined = after;
  let meta: Meta | undefined;
  while (next !== undefined && invoices.length < rows) {
    const found: Awaited<ReturnType<typeof client.invoices>> = await client.invoices({
      ...request,
      after: next,
      per_page: Math.min(100, rows - invoices.length),
    });
    invoices.push(...found.data);
    ({ meta } = found);
    ({ next } = found.meta);
  }
  return { invoices, meta: { current_page: 1, last_page: 1, total: 0, ...meta, per_page: rows }, next };
}

/** Reads the typed amounts of a filter. Those that can't be read are left out and named. */
function readSums(
  filter: InvoicesFilter,
  locale: Visit['locale'],
): { readonly sums: Partial<Record<Sum, string>>; readonly wrongSums: readonly Sum[] } {
  const typed = (['min', 'max'] as const).filter((name) => filter[name] !== '');
  const read = typed.map((name) => [name, readTyped(filter[name], locale, 18)] as const);
  const isGood = (text: string | undefined): boolean => text !== undefined && text !== '';
  return {
    sums: Object.fromEntries(read.filter(([, text]) => isGood(text))),
    wrongSums: read.filter(([, text]) => !isGood(text)).map(([name]) => name),
  };
}

function readFilter(query: URLSearchParams): InvoicesFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 120);
  const state = text('state');
  return {
    state: Object.hasOwn({ ...INVOICE_GROUPS, ...OTHER_GROUPS }, state) ? (state as InvoiceGroup) : 'all',
    from: text('from'),
    to: text('to'),
    min: text('min'),
    max: text('max'),
    q: text('q'),
  };
}
