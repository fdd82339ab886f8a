import type { ReactNode } from 'react';
import { coinOf } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Coin } from '../../../ui/base/icon.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { writeTime } from '../../../ui/base/time.ts';
import { Code, CopyButton } from '../../../ui/parts/copyable.tsx';
import { ClaimPill } from '../dashboard/business/store/refunds/refund-pills.tsx';
import type { RefundData } from './page.server.ts';
import { isUnderWay } from './refund-state.ts';
import css from './refund.module.css';

/** Claims of the refund, the newest first. While one is under way, a line says whether the page follows it. */
export function Claims({ data: { refund }, isConnected }: { data: RefundData; isConnected: boolean }): ReactNode {
  const { locale } = useSite();
  const words = { copy: m.copy(), copied: m.copied() };
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
              <span className={`tiny mute ${css['account']}`}>
                {claim.to_payment ? m.refund_to_payment({ network: claim.network }) : Object.values(claim.to).join(' ')}
              </span>
              <time className="tiny mute" dateTime={claim.at}>
                {writeTime(claim.at, locale)}
              </time>
              {claim.txid !== undefined && (
                <span className={css['txid']}>
                  <Code isShort>{claim.txid}</Code>
                  <CopyButton value={claim.txid} words={words} name={m.transfer_txid()} look="icon" />
                </span>
              )}
            </div>
            <ClaimPill status={claim.status} />
          </li>
        ))}
      </ul>
      {isUnderWay(refund) && (
        <output className={cx(css['live'], 'small soft')}>
          <i className={isConnected ? undefined : css['lost']} />
          <span>{isConnected ? m.checkout_watching() : m.checkout_reconnecting()}</span>
        </output>
      )}
    </section>
  );
}
