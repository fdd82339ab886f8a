import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { coinOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeAmount } from '../../../../ui/base/amount.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { writeClock } from '../../../../ui/base/time.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { type Closed, isClosed } from '../../../closed.ts';
import { pageUrl } from '../../../pages.ts';
import { Skeleton } from '../frame/skeleton.tsx';
import { Arrivals } from './arrivals.tsx';
import { OperationsTable } from './operations-table.tsx';
import { useUnitName } from './unit-name.ts';
import css from './wallet.module.css';
import { WalletMenu } from './wallet-menu.tsx';
import type { Wallet, WalletData } from './page.server.ts';
import { isZero, worthOf } from './worth.ts';

/** Page of the account's wallets: a card for each, pending deposits and the newest operations. */
export default function WalletPage(): ReactNode {
  const data = useLoaderData<WalletData | Closed>();
  const { locale } = useSite();
  return (
    <>
      <div className={css['head']}>
        <div>
          <h1 className="title">{m.wallet_title()}</h1>
          {!isClosed(data) && data.wallets.length > 0 && <Worth {...data} />}
        </div>
        <div className={css['acts']}>
          <ButtonLink look="secondary" icon="download-simple" href={pageUrl(locale, 'deposit')}>
            {m.wallet_deposit()}
          </ButtonLink>
          <ButtonLink look="secondary" icon="upload-simple" href={pageUrl(locale, 'withdraw')}>
            {m.withdraw_title()}
          </ButtonLink>
          <ButtonLink icon="arrows-left-right" href={pageUrl(locale, 'newOrder')}>
            {m.wallet_exchange()}
          </ButtonLink>
        </div>
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Wallets data={data} />}
    </>
  );
}

/** Total value of all wallets in USD; absent if a wallet has no rate. */
function Worth({ wallets, ratesAt }: Pick<WalletData, 'wallets' | 'ratesAt'>): ReactNode {
  const worth = worthOf(wallets);
  if (worth === undefined) return null;
  return (
    <p className="soft">
      {m.wallet_total()} <Money of={{ amount: worth, currency: 'USD' }} />
      {ratesAt !== undefined && <span className="num"> · {m.wallet_rates_at({ time: writeClock(ratesAt) })}</span>}
    </p>
  );
}

function Wallets({ data }: { data: WalletData }): ReactNode {
  const { locale } = useSite();
  if (data.wallets.length === 0)
    return (
      <section className={cx('card', css['empty'])}>
        <span className={css['rosette']} aria-hidden="true" />
        <h2 className="card-title">{m.wallet_empty_title()}</h2>
        <p className="soft">{m.wallet_empty_text()}</p>
        <p>
          <ButtonLink href={pageUrl(locale, 'deposit')}>{m.wallet_deposit()}</ButtonLink>
        </p>
      </section>
    );
  return (
    <>
      <ul className={css['cards']}>
        {data.wallets.map((wallet) => (
          <li key={wallet.currency}>
            <WalletCard wallet={wallet} />
          </li>
        ))}
      </ul>
      {data.coming.length > 0 && <Arrivals title={m.wallet_coming()} deposits={data.coming} />}
      {data.waiting.length > 0 && <Arrivals title={m.wallet_waiting()} deposits={data.waiting} />}
      <Newest data={data} />
    </>
  );
}

/** Card of one wallet. It links to the wallet's operations. */
function WalletCard({ wallet }: { wallet: Wallet }): ReactNode {
  const { locale } = useSite();
  const name = useUnitName()(wallet.currency);
  const of = (amount: string) => ({ amount, currency: wallet.currency });
  return (
    <div className={cx('card', css['card'])}>
      <div className={css['top']}>
        <a className={css['name']} href={pageUrl(locale, 'transactions', { currency: wallet.currency })}>
          <Coin {...coinOf(wallet.currency)} size={28} />
          {name}
        </a>
        <WalletMenu unit={wallet.currency} name={name} />
      </div>
      <span className={css['sum']}>
        <Money of={of(wallet.total)} hasCode={false} />
      </span>
      <span className="tiny mute num">
        {wallet.value_usd === null ? (
          '\u00a0'
        ) : (
          <>
            ≈ <Money of={{ amount: wallet.value_usd, currency: 'USD' }} />
          </>
        )}
      </span>
      <span className={css['part']}>
        {wallet.available === wallet.total ? (
          <>
            <span>{m.wallet_all_available()}</span>
            <Icon name="check" size={16} />
          </>
        ) : (
          <>
            <span>{m.wallet_available()}</span>
            <b>
              <Money of={of(wallet.available)} hasCode={false} />
            </b>
          </>
        )}
      </span>
      <Apart label={m.wallet_uncleared()} sum={of(wallet.uncleared)} />
      <Apart label={m.wallet_held()} sum={of(wallet.held)} />
      <Apart label={m.wallet_pending()} sum={of(wallet.pending)} isMore />
      <Apart label={m.wallet_owed()} sum={of(wallet.owed)} />
      {!isZero(wallet.owed) && <p className={css['owed']}>{m.wallet_owed_why()}</p>}
    </div>
  );
}

/**
 * Row for money of a wallet that is not available. With `isMore`, the wallet's total does not include this money yet. Absent if
 * the amount is zero.
 */
function Apart({ label, sum, isMore }: { label: string; sum: { amount: string; currency: string }; isMore?: true }): ReactNode {
  if (isZero(sum.amount)) return null;
  return (
    <span className={css['part']}>
      <span>{label}</span>
      <b>
        <Money of={sum} hasCode={false} {...(isMore && { sign: '+' as const })} />
      </b>
    </span>
  );
}

/** Section with the newest operations in all wallets, and a link to the whole list. */
function Newest({ data: { newest, total, now } }: { data: WalletData }): ReactNode {
  const { locale } = useSite();
  return (
    <section className={cx('card', css['moves'])} aria-labelledby="moves-title">
      <div className={css['movesHead']}>
        <h2 className="card-title" id="moves-title">
          {m.moves_newest()}
        </h2>
        {newest.length > 0 && (
          <ButtonLink look="secondary" size="tiny" href={pageUrl(locale, 'transactions')}>
            {m.moves_all_link()}
            {total > newest.length && <span className="num"> {writeAmount(String(total), 0, locale)}</span>}
          </ButtonLink>
        )}
      </div>
      {newest.length === 0 ? (
        <p className={cx('soft', css['none'])}>{m.moves_none()}</p>
      ) : (
        <OperationsTable rows={newest} now={now} />
      )}
    </section>
  );
}
