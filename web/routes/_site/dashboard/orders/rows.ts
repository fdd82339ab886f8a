// Pages of a list, by what its address asks for.

/** Where a page stands in its list. */
export interface Meta {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
  /** There are more than `total`. */
  readonly is_more?: true | undefined;
}

/** How many rows a page may have, as the address says it. */
export const ROWS = [20, 100, 1000] as const;

/** The rows of a page that an address asks for; 20 unless it is one of the others. */
export function rowsOf(query: URLSearchParams): number {
  const asked = query.get('rows');
  return ROWS.find((rows) => rows.toString() === asked) ?? ROWS[0];
}

/** The page that an address asks for, from 1. */
export function pageOf(query: URLSearchParams): number {
  const asked = query.get('page') ?? '';
  return /^[1-9]\d{0,4}$/.test(asked) ? Number.parseInt(asked, 10) : 1;
}

/**
 * Asks for a page of any length: the API gives a hundred rows at most, so that longer ones are put together of several.
 * A page behind the end, as an address that was kept while the list grew shorter may name, is the last one.
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
  // A list that isn't counted to its end has a next page while this one is full.
  const last_page = Math.max(1, Math.ceil(total / rows), is_more ? Math.ceil(first.meta.last_page / parts) : 1);
  if (page > last_page) return askRows(ask, { page: last_page, rows });
  const more = Math.min(parts, is_more ? parts : Math.ceil(total / perPage) - start) - 1;
  const rest = await Promise.all(Array.from({ length: Math.max(0, more) }, (_, at) => ask(start + 2 + at, perPage)));
  const meta = { current_page: page, per_page: rows, last_page, total, ...(is_more && { is_more }) };
  return { data: [first, ...rest].flatMap(({ data }) => data), meta };
}
