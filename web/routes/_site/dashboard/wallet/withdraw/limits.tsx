import { type ReactNode, useId } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { trimZeros, writeAmount, writeDecimal } from '../../../../../ui/base/amount.ts';
import { pageUrl } from '../../../../pages.ts';
import type { Limits as WithdrawalLimits } from './page.server.ts';
import css from './limits.module.css';
import { shareOf } from './share.ts';

/**
 * Card with the used part of each limit of the holder's verification level, as text and bars, and the way to raise the limits.
 */
export function Limits({ limits: { level, at_once, day, month } }: { limits: WithdrawalLimits }): ReactNode {
  const { locale } = useSite();
  const titleId = useId();
  const whole = (sum: string): string => writeDecimal(trimZeros(sum, 0), locale);
  const more = level < 2 ? m.limits_more() : level === 2 ? m.limits_most() : undefined;
  return (
    <section className="card pad" aria-labelledby={titleId}>
      <h2 className="card-title" id={titleId}>
        {m.limits_title()}
      </h2>
      <dl className={css['bounds']}>
        <Bound name={m.limits_day()} {...day} />
        <Bound name={m.limits_month()} {...month} />
      </dl>
      <p className="small soft">
        {m.limits_at_once({ level, sum: `${whole(at_once)}\u00a0USD` })}
        {more !== undefined && (
          <>
            {' '}
            {more}{' '}
            <a className="link" href={pageUrl(locale, 'contact')}>
              {m.limits_write()}
            </a>
          </>
        )}
      </p>
    </section>
  );
}

function Bound({ name, used, limit }: { name: string; used: string; limit: string | null }): ReactNode {
  const { locale } = useSite();
  const write = (sum: string): string =>
    /\.0*$/.test(sum) ? writeDecimal(trimZeros(sum, 0), locale) : writeAmount(sum, 2, locale);
  return (
    <div className={css['bound']}>
      <dt>{name}</dt>
      <dd className="num">
        {limit === null ? m.limits_none({ used: write(used) }) : m.limits_used({ used: write(used), limit: write(limit) })}
      </dd>
      {limit !== null && (
        <svg className={css['bar']} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={shareOf(used, limit)} height="1" />
        </svg>
      )}
    </div>
  );
}
