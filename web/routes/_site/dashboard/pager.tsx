import type { ReactNode } from 'react';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount } from '../../../ui/amount.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import css from './pager.module.css';

export interface Meta {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
}

/** How many rows a page may have, as the address says it. */
const ROWS = [20, 100, 1000] as const;

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
 */
export async function askRows<T>(
  ask: (page: number, perPage: number) => Promise<{ readonly data: readonly T[]; readonly meta: Meta }>,
  { page, rows }: { readonly page: number; readonly rows: number },
): Promise<{ data: T[]; meta: Meta }> {
  const perPage = Math.min(rows, 100);
  const parts = rows / perPage;
  const start = (page - 1) * parts;
  const first = await ask(start + 1, perPage);
  const { total } = first.meta;
  const more = Math.min(parts, Math.ceil(total / perPage) - start) - 1;
  const rest = await Promise.all(Array.from({ length: Math.max(0, more) }, (_, at) => ask(start + 2 + at, perPage)));
  const last_page = Math.max(1, Math.ceil(total / rows));
  return { data: [first, ...rest].flatMap(({ data }) => data), meta: { current_page: page, per_page: rows, last_page, total } };
}

/** Where a page stands in its list, the ways to the next and the one before, and how many rows it has. */
export function Pager({
  meta: { current_page: page, per_page: rows, last_page: last, total },
  label,
  address,
}: {
  meta: Meta;
  label: string;
  /** The list's address with these beside its filters. */
  address: (more: Readonly<Record<string, string>>) => string;
}): ReactNode {
  const { locale } = useSite();
  if (total === 0) return null;
  const write = (count: number): string => writeAmount(String(count), 0, locale);
  const long = (more: Readonly<Record<string, string>>): string =>
    address(rows === ROWS[0] ? more : { ...more, rows: String(rows) });
  return (
    <nav className={css['pager']} aria-label={label}>
      <span className="small mute num">
        {m.orders_range({ first: write((page - 1) * rows + 1), last: write(Math.min(page * rows, total)), total: write(total) })}
      </span>
      {total > ROWS[0] && (
        <span className={css['rows']}>
          <span className="small mute">{m.moves_rows()}</span>
          {ROWS.map((count) => (
            <a
              key={count}
              className="num"
              href={address(count === ROWS[0] ? {} : { rows: String(count) })}
              aria-current={count === rows ? 'true' : undefined}
            >
              {write(count)}
            </a>
          ))}
        </span>
      )}
      <span className={css['turn']}>
        {page > 1 && (
          <ButtonLink size="small" look="secondary" href={long(page > 2 ? { page: String(page - 1) } : {})} rel="prev">
            {m.orders_before()}
          </ButtonLink>
        )}
        {page < last && (
          <ButtonLink size="small" look="secondary" href={long({ page: String(page + 1) })} rel="next">
            {m.orders_after()}
          </ButtonLink>
        )}
      </span>
    </nav>
  );
}
