import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { type Closed, isClosed } from '../../../closed.ts';
import { Skeleton } from '../frame/skeleton.tsx';
import { Coupons } from './coupons.tsx';
import type { DiscountData } from './page.server.ts';
import css from './discount.module.css';
import { useUsd } from './use-usd.ts';

/** Page of the account's discounts: the current and the next loyalty level, a table of all levels, and coupons. */
export default function DiscountPage(): ReactNode {
  const data = useLoaderData<DiscountData | Closed>();
  return (
    <>
      <div className={css['head']}>
        <h1 className="title">{m.dashboard_discount()}</h1>
        <p className="soft">{m.discount_lead()}</p>
      </div>
      {isClosed(data) ? (
        <Skeleton rows={4} />
      ) : (
        <div className={css['grid']}>
          <Level data={data} />
          <div className={css['column']}>
            {data.levels.length > 0 && <Ladder data={data} />}
            <Coupons coupons={data.coupons} credit={data.credit} />
          </div>
        </div>
      )}
    </>
  );
}

/** Account's current loyalty level, and the turnover that the next level requires. */
function Level({ data: { percent, turnover, next } }: { data: DiscountData }): ReactNode {
  const usd = useUsd();
  return (
    <section className={cx('card', 'pad', css['level'])} aria-labelledby="level-title">
      <h2 className="card-title" id="level-title">
        {m.discount_level()}
      </h2>
      <p className={cx(css['percent'], 'num')}>{percent > 0 ? m.discount_percent({ percent }) : m.discount_none()}</p>
      <p className="soft">{percent > 0 ? m.discount_of_fee() : m.discount_none_text()}</p>
      <div className={css['way']}>
        <div className={css['between']}>
          <span className="small soft">{m.discount_turnover()}</span>
          <b className="num">{usd(turnover)}</b>
        </div>
        {next && (
          <>
            <progress aria-label={m.discount_progress()} max={next.from} value={turnover} />
            <p className="small soft">{m.discount_next({ missing: usd(next.missing), percent: next.percent })}</p>
          </>
        )}
      </div>
    </section>
  );
}

/** Table of all loyalty levels. The current one is marked. */
function Ladder({ data: { levels, percent } }: { data: DiscountData }): ReactNode {
  const usd = useUsd();
  return (
    <section className="card" aria-labelledby="ladder-title">
      <h2 className={cx('card-title', css['title'])} id="ladder-title">
        {m.discount_levels()}
      </h2>
      <table className={css['ladder']}>
        <thead>
          <tr>
            <th scope="col">{m.discount_from()}</th>
            <th scope="col">{m.discount_share()}</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <tr key={level.from} aria-current={level.percent === percent ? 'true' : undefined}>
              <td className="num">{usd(level.from)}</td>
              <td className="num">
                {m.discount_percent({ percent: level.percent })}
                {level.percent === percent && <span className={css['here']}>{m.discount_here()}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={cx(css['note'], 'small soft')}>{m.discount_note()}</p>
    </section>
  );
}
