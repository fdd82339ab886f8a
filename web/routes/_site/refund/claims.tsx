import type { ReactNode } from 'react';
import { coinOf } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Coin } from '../../../ui/base/icon.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import { ClaimPill } from '../dashboard/business/store/refunds/refund-pills.tsx';
import type { RefundData } from './page.server.ts';
import css from './refund.module.css';

/** Claims of the refund, the newest first. */
export function Claims({ data: { refund } }: { data: RefundData }): ReactNode {
  const { locale } = useSite();
  if (refund.claims.length === 0) return null;
  return (
    <section className="card" aria-labelledby="refund-claims">
      <h2 className={`card-title ${css['title']}`} id="refund-claims">
        {m.refund_claims()}
      </h2>
      <ul className={css['claims']}>
        {refund.claims.toReversed().map((claim) => (
          <li key={claim.id}>
            <Coin {...coinOf(claim.method)} size={32} />
            <div>
              <b>
                <Money of={{ ...claim.receives, currency: claim.method }} />
              </b>
              <span className={`tiny mute ${css['account']}`}>{Object.values(claim.to).join(' ')}</span>
              <time className="tiny mute" dateTime={claim.at}>
                {writeTime(claim.at, locale)}
              </time>
            </div>
            <ClaimPill status={claim.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
