// Reads and loads the page of a list that the URL requests.

/** Position of a page in its list. */
export interface Meta {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
  /** True if there are more than `total` rows. */
  readonly is_more?: true | undefined;
}

/** Numbers of rows per page that a URL may request. */
export const ROWS = [20, 100, 1000] as const;

/** Returns the number of rows per page that a query requests; 20 if it requests no allowed number. */
export function rowsOf(query: URLSearchParams): number {
  const request = query.get('rows');
  return ROWS.find((rows) => rows.toString() === request) ?? ROWS[0];
}

/** Returns the number of the page that a query requests, counted from 1. */
export function pageOf(query: URLSearchParams): number {
  const request = query.get('page') ?? '';
  return /^[1-9]\d{0,4}$/.test(request) ? Number.parseInt(request, 10) : 1;
}

/**
 * Requests a page of up to 1000 rows from the API. An answer has at most 100 rows, so a longer page is put together from several
 * answers. If the list has become shorter and the page lies beyond its end, returns the last page.
 */
export async function askRows<T>(
  ask: (page: number, perPage: number) => Promise<{ readonly data: readonly T[]; readonly meta: Meta }>,
  { page, rows }: { readonly page: number; readonly rows: number },
): Promise<{ data: T[]; meta: Meta }> {
  const perPage = Math.min(rows, 100);
  const parts = rows / perPage;
  const start = (page - 1) * parts;
  const first = await ask(start + 1, perPage);
  const { total, is_more } = first.meta;
  // If the list is too long to be counted, a full page is assumed to have a next page.
  const last_page = Math.max(1, Math.ceil(total / rows), is_more ? Math.ceil(first.meta.last_page / parts) : 1);
  if (page > last_page) return askRows(ask, { page: last_page, rows });
  const more = Math.min(parts, is_more ? parts : Math.ceil(total / perPage) - start) - 1;
  const rest = await Promise.all(Array.from({ length: Math.max(0, more) }, (_, at) => ask(start + 2 + at, perPage)));
  const meta = { current_page: page, per_page: rows, last_page, total, ...(is_more && { is_more }) };
  return { data: [first, ...rest].flatMap(({ data }) => data), meta };
}
