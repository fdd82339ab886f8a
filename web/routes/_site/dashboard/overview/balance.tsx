import type { ReactNode } from 'react';
import { coinOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Coin } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import css from './balance.module.css';
import { useUnitName } from '../wallet/unit-name.ts';
import type { Wallet } from '../wallet/page.server.ts';
import { byWorth, isZero, worthOf } from '../wallet/worth.ts';

/** Maximum number of wallets in the card. A link leads to the other wallets. */
const SHOWN = 4;

/**
 * Card with the total value of all wallets, buttons to deposit, withdraw and exchange, and the wallets with the highest value.
 * `isFirst` is true if no more urgent card stands above it.
 */
export function Balance({ wallets, isFirst }: { wallets: readonly Wallet[]; isFirst: boolean }): ReactNode {
  const { locale } = useSite();
  const unitName = useUnitName();
  const worth = worthOf(wallets);
  const held = wallets.filter((wallet) => !isZero(wallet.held));
  const shown = byWorth(wallets).slice(0, SHOWN);
  return (
    <section className={cx('card', css['balance'])} aria-labelledby="balance-title">
      <span className={css['rosette']} aria-hidden="true" />
      <div className={css['total']}>
        <h2 className="small soft" id="balance-title">
          {m.balance_title()}
        </h2>
        <p className={css['sum']}>
          {worth === undefined ? m.balance_unknown() : <Money of={{ amount: worth, currency: 'USD' }} look="large" />}
        </p>
        {held.length > 0 && (
          <p className="small soft">
            {m.balance_held()}{' '}
            {held.map((wallet, index) => (
              <span key={wallet.currency}>
                {index > 0 && ', '}
                <Money of={{ amount: wallet.held, currency: wallet.currency }} />
              </span>
            ))}
          </p>
        )}
        <p className={css['acts']}>
          <ButtonLink
            look={isFirst ? 'primary' : 'secondary'}
            size="small"
            icon="arrows-left-right"
            href={pageUrl(locale, 'newOrder')}
          >
            {m.wallet_exchange()}
          </ButtonLink>
          <ButtonLink look="secondary" size="small" icon="download-simple" href={pageUrl(locale, 'deposit')}>
            {m.wallet_deposit()}
          </ButtonLink>
          <ButtonLink look="secondary" size="small" icon="upload-simple" href={pageUrl(locale, 'withdraw')}>
            {m.withdraw_title()}
          </ButtonLink>
        </p>
      </div>
      <ul className={css['wallets']}>
        {shown.map((wallet) => (
          <li key={wallet.currency}>
            <a href={pageUrl(locale, 'transactions', { currency: wallet.currency })}>
              <span className="small soft">
                <Coin {...coinOf(wallet.currency)} size={20} />
                {unitName(wallet.currency)}
              </span>
              <b>
                <Money of={{ amount: wallet.total, currency: wallet.currency }} hasCode={false} />
              </b>
            </a>
          </li>
        ))}
      </ul>
      {wallets.length > SHOWN && (
        <p className={css['rest']}>
          <a className="link small" href={pageUrl(locale, 'wallet')}>
            {m.balance_all({ count: wallets.length })}
          </a>
        </p>
      )}
    </section>
  );
}
