import type { Routes, Sent } from '@kurs/contract';
import { failedWith } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type StoreData, ownStore } from '../own-store.ts';
import { ENTRY_GROUPS, type Entry, type EntryGroup, type Report } from './entry-words.ts';
import type { ReportMonth } from './month.ts';

/** Filter of a report, as in the page's URL; an empty text for a field that is not set. */
export interface EntriesFilter {
  readonly month: ReportMonth;
  readonly currency: string;
  readonly group: EntryGroup | 'all';
}

/** Data of the page with a store's report. */
export interface EntriesData extends StoreData {
  readonly now: string;
  readonly filter: EntriesFilter;
  readonly report: Report;
  readonly entries: readonly Entry[];
  /** Position after which the page begins; empty for the newest entries. */
  readonly after: string;
  /** Position after which the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

const ROWS = 50;
/** Maximum number of calls in which entries of a group are searched. */
const MAX_CALLS = 5;

/** Loads a month of the store's report, and the entries that the filter in the URL names. */
export async function load(visit: Visit): Promise<EntriesData> {
  const own = await ownStore(visit, 'storeEntries');
  const filter = readFilter(visit.url.searchParams);
  const after = (visit.url.searchParams.get('after') ?? '').slice(0, 2_000);
  const month = filter.month === '' ? {} : { month: filter.month };
  const [report, listed] = [
    await visit.client.storeReport({ store: own.store.id, ...month }),
    await askEntries(visit.client, own.store.id, filter, after),
  ];
  return { ...own, now: visit.now, filter: { ...filter, month: report.month }, report, ...listed };
}

type Listed = Pick<EntriesData, 'entries' | 'next' | 'after'>;

/** Requests a page of entries. A group that is rare is searched by several calls. A position that can't be read is the newest. */
async function askEntries(client: Visit['client'], store: string, filter: EntriesFilter, after: string): Promise<Listed> {
  const request: Sent<Routes['storeEntries']> = {
    ...{ store, per_page: ROWS },
    ...(filter.month !== '' && { month: filter.month }),
    ...(filter.currency !== '' && { currency: filter.currency }),
    ...(filter.group !== 'all' && { kind: [...ENTRY_GROUPS[filter.group]] }),
  };
  const entries: Entry[] = [];
  let next: string | undefined = after === '' ? undefined : after;
  try {
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const found: Awaited<ReturnType<typeof client.storeEntries>> = await client.storeEntries({
        ...request,
        ...(next !== undefined && { after: next }),
      });
      entries.push(...found.entries);
      ({ next } = found);
      if (next === undefined || entries.length >= ROWS) break;
    }
  } catch (error) {
    if (after !== '' && failedWith(error, 'validation')) return askEntries(client, store, filter, '');
    throw error;
  }
  return { entries, next, after };
}

function readFilter(query: URLSearchParams): EntriesFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  const [month, currency, group] = [text('month'), text('currency'), text('group')];
  return {
    month: /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/.test(month) ? month : '',
    currency: /^[A-Z][A-Z0-9_]{1,19}$/.test(currency) ? currency : '',
    group: Object.hasOwn(ENTRY_GROUPS, group) ? (group as EntryGroup) : 'all',
  };
}
