import { readTyped } from '@kurs/money';
import type { Output, Routes, Sent } from '@kurs/contract';
import { m } from '../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { type DaysRequest, readDays } from '../../orders/requested-days.ts';
import { type Meta, askRows, pageOf, rowsOf } from '../../orders/rows.ts';
import { KINDS, type Operation, STATUSES } from '../operation-words.ts';

/** Filter of the list of operations, as in the page's URL: values as typed; an empty text for a field that is not set. */
export interface OperationsFilter {
  readonly kind: Operation['kind'] | 'all';
  readonly currency: string;
  readonly status: Operation['status'] | '';
  readonly from: string;
  readonly to: string;
  readonly min: string;
  readonly max: string;
  readonly q: string;
}

/** Filter of operations as input of API calls. */
export type RequestedOperations = Sent<Routes['userTransactionFigures']>;
type Sum = 'min' | 'max';

export interface OperationsData {
  readonly now: string;
  readonly filter: OperationsFilter;
  readonly request: RequestedOperations;
  readonly wrongDays: DaysRequest['wrongDays'];
  /** Fields whose typed amount could not be read. */
  readonly wrong: readonly Sum[];
  /** Units of the account's wallets. */
  readonly units: readonly string[];
  readonly rows: readonly Operation[];
  readonly meta: Meta;
  /**
   * Present if the list is too long to be counted. `to` is the time of the oldest operation searched so far. `next` is the
   * position from which the search can continue.
   */
  readonly searched?: { readonly to: string | null; readonly next: string | null };
  /** Position from which the search began; empty if it began with the newest operation. */
  readonly before: string;
  readonly figures: Output<Routes['userTransactionFigures']>;
  /** True if no filter is set. An empty list then means that the account has no operations. */
  readonly isWhole: boolean;
}

export interface MoveData {
  readonly now: string;
  readonly one: Output<Routes['userTransaction']>;
}

/** Loads the account's operations by the filter in the URL. If the URL names one operation, loads only that operation. */
export async function load(visit: Visit): Promise<OperationsData | MoveData> {
  const id = visit.url.searchParams.get('id');
  return id === null ? loadOperations(visit) : { now: visit.now, one: await operation(visit, id) };
}

async function operation({ client, ...visit }: Visit, id: string): Promise<MoveData['one']> {
  try {
    return await client.userTransaction({ id });
  } catch (error) {
    if (failedWith(error, 'not_found', 'validation'))
      notThere({ client, ...visit }, m.moves_missing_title(), m.moves_missing_lead());
    throw error;
  }
}

async function loadOperations({ client, url, now, locale }: Visit): Promise<OperationsData> {
  const filter = readFilter(url.searchParams);
  const { request, wrong, wrongDays } = requestedOf(filter, locale);
  const shown = { page: pageOf(url.searchParams), rows: rowsOf(url.searchParams) };
  const before = (url.searchParams.get('before') ?? '').slice(0, 3_000);
  const [units, { rows, meta, searched: looked }, figures] = await Promise.all([
    client.walletUserCurrencies({}),
    askOperations(client, request, shown, before),
    client.userTransactionFigures(request),
  ]);
  const isWhole = Object.keys(request).length === 0 && wrong.length === 0 && Object.keys(wrongDays).length === 0;
  return {
    now,
    filter,
    request,
    wrong,
    wrongDays,
    units,
    rows,
    meta,
    ...(looked && { searched: looked }),
    before,
    figures,
    isWhole,
  };
}

/** Maximum number of API calls for one page. These calls together search some thousands of operations. */
const LOOKS = 10;

/**
 * Loads a page of the list of operations. A list that is too long to be counted is searched until the page is full or `LOOKS`
 * calls were made.
 */
async function askOperations(
  client: Visit['client'],
  request: RequestedOperations,
  shown: { readonly page: number; readonly rows: number },
  before: string,
): Promise<Pick<OperationsData, 'rows' | 'meta' | 'searched'>> {
  type Ask = Parameters<Visit['client']['userTransactions']>[0];
  let looked: OperationsData['searched'];
  const ask = async (more: Ask) => {
    const found = await client.userTransactions({ ...request, ...more });
    looked = found.meta.searched;
    return found;
  };
  const { data: rows, meta } = await askRows(
    (page, per_page) => ask({ page, per_page, ...(before !== '' && { before }) }),
    shown,
  );
  for (let looks = 1; looks < LOOKS && looked?.next && rows.length < shown.rows; looks += 1)
    rows.push(...(await ask({ per_page: Math.min(100, shown.rows - rows.length), before: looked.next })).data);
  return looked
    ? { rows, meta: { ...meta, current_page: 1, last_page: 1, total: rows.length }, searched: looked }
    : { rows, meta };
}

function readFilter(query: URLSearchParams): OperationsFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 120);
  return {
    kind: KINDS.find((kind) => kind === text('kind')) ?? 'all',
    currency: /^[A-Z][A-Z0-9_]{1,19}$/.test(text('currency')) ? text('currency') : '',
    status: text('status') in STATUSES ? (text('status') as Operation['status']) : '',
    from: text('from'),
    to: text('to'),
    min: text('min'),
    max: text('max'),
    q: text('q'),
  };
}

/** Converts a filter to input of API calls. Leaves out values that can't be read, and returns the names of their fields. */
function requestedOf(
  { kind, currency, status, q, ...typed }: OperationsFilter,
  locale: Visit['locale'],
): Pick<OperationsData, 'request' | 'wrong' | 'wrongDays'> {
  const sum = (text: string): string | undefined => readTyped(text, locale, 18);
  const { days, wrongDays } = readDays(typed);
  const read = { min: sum(typed.min), max: sum(typed.max) };
  const names = (['min', 'max'] as const).filter((name) => typed[name] !== '');
  const wrong = names.filter((name) => read[name] === undefined || read[name] === '');
  const good = names.filter((name) => !wrong.includes(name)).map((name) => [name, read[name]] as const);
  return {
    ...{ wrong, wrongDays },
    request: {
      ...(kind !== 'all' && { kind: [kind] }),
      ...(currency !== '' && { currency: [currency] }),
      ...(status !== '' && { status: [status] }),
      ...(q !== '' && { q }),
      ...days,
      ...(Object.fromEntries(good) as Partial<Record<Sum, string>>),
    },
  };
}
