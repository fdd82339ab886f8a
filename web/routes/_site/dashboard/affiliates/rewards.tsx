import type { ReactNode } from 'react';
import { writeDate } from '@kurs/money';
import { coinOf, findCurrency, shortNameOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin } from '../../../../ui/base/icon.tsx';
import { writeDay } from '../../../../ui/base/time.ts';
import { Pill, type PillTone } from '../../../../ui/parts/pill.tsx';
import { pageUrl } from '../../../pages.ts';
import { Pager } from '../orders/pager.tsx';
import type { AffiliatesData, Rewards as Page } from './page.server.ts';
import css from './affiliates.module.css';

type Reward = Page['data'][number];

const STATES: Readonly<Record<Reward['state'], readonly [tone: PillTone, words: () => string]>> = {
  waiting: ['neutral', () => m.reward_waiting()],
  case: ['warning', () => m.reward_case()],
  pending: ['neutral', () => m.reward_pending()],
  available: ['success', () => m.reward_available()],
  reversed: ['error', () => m.reward_reversed()],
  refused: ['error', () => m.reward_refused()],
  given_up: ['neutral', () => m.reward_given_up()],
};

/** List of the affiliate's rewards, the newest first. It doesn't identify the customers. */
export function Rewards({ data: { rewards, campaign } }: { data: AffiliatesData }): ReactNode {
  const { locale } = useSite();
  return (
    <section className="card" aria-labelledby="rewards-title">
      <div className={css['head']}>
        <h2 className="card-title" id="rewards-title">
          {m.affiliates_rewards()}
        </h2>
      </div>
      {rewards.data.length === 0 ? (
        <p className={cx(css['none'], 'soft')}>{m.affiliates_no_rewards()}</p>
      ) : (
        <>
          <div className={css['scroll']}>
            <Table rewards={rewards.data} />
          </div>
          <Pager
            meta={rewards.meta}
            label={m.affiliates_rewards()}
            address={(more) => pageUrl(locale, 'affiliates', { ...(campaign !== '' && { campaign }), ...more })}
          />
        </>
      )}
    </section>
  );
}

function Table({ rewards }: { rewards: readonly Reward[] }): ReactNode {
  const { locale } = useSite();
  const dated = (day: string): string => writeDay(`${day}T00:00:00Z`, locale);
  return (
    <table className={cx(css['table'], css['rewards'])}>
      <thead>
        <tr>
          <th scope="col">{m.orders_column_direction()}</th>
          <th scope="col">{m.affiliates_campaign()}</th>
          <th scope="col">{m.overview_day()}</th>
          <th scope="col">{m.affiliates_column_reward()}</th>
          <th scope="col">{m.orders_column_status()}</th>
        </tr>
      </thead>
      <tbody>
        {rewards.map(({ id, day, campaign, sub, from, to, level, amount, state, matures_on: on }) => (
          <tr key={id}>
            <td>
              <Pair codes={[from, to]} />
            </td>
            <td className={cx(css['by'], level === 1 && campaign === '' && sub === '' && css['plain'])}>
              {level === 2 ? m.reward_second() : campaign || '–'}
              {sub !== '' && <small>{sub}</small>}
            </td>
            <td className="num">{dated(day)}</td>
            <td>
              <Money of={{ amount, currency: 'USDT' }} look="quiet" />
            </td>
            <td className={css['by']}>
              <Pill tone={STATES[state][0]}>{STATES[state][1]()}</Pill>
              {state === 'pending' && <small>{m.reward_matures({ day: writeDate(`${on}T00:00:00Z`, locale) })}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pair({ codes }: { codes: readonly [string, string] }): ReactNode {
  const { currencies } = useSite();
  return (
    <span className={css['pair']}>
      <span className={css['coins']}>
        {codes.map((code) => (
          <Coin key={code} {...coinOf(code)} size={24} />
        ))}
      </span>
      <span>{codes.map((code) => shortNameOf(findCurrency(currencies, code), currencies)).join(' → ')}</span>
    </span>
  );
}
