import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeAmount } from '../../../../ui/base/amount.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import css from './pager.module.css';
import { type Meta, ROWS } from './rows.ts';

/** Shows the position in a list, links to the next and the previous page, and a choice of rows per page. */
export function Pager({
  meta: { current_page: page, per_page: rows, last_page: last, total, is_more: isMore },
  label,
  address,
}: {
  meta: Meta;
  label: string;
  /** Returns the list's URL with these parameters added to its filters. */
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
        {(isMore ? m.orders_range_more : m.orders_range)({
          first: write((page - 1) * rows + 1),
          last: write(isMore ? page * rows : Math.min(page * rows, total)),
          total: write(total),
        })}
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
