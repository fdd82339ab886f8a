import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { coinOf } from '../../../../features/currency.ts';
import { Money } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Code } from '../../../../ui/copyable.tsx';
import { cx } from '../../../../ui/cx.ts';
import { Coin, Icon } from '../../../../ui/icon.tsx';
import { useLocale } from '../../../../ui/locale.ts';
import { writeTime } from '../../../../ui/time.ts';
import { type Closed, isClosed } from '../../../closed.ts';
import { pageUrl } from '../../../pages.ts';
import { Skeleton } from '../skeleton.tsx';
import { Arrivals } from './arrivals.tsx';
import { useUnitName } from './unit-name.ts';
import { useFreshData } from './use-fresh-data.ts';
import css from './wallet.module.css';
import type { Transaction, Wallet, WalletData } from './wallet-data.ts';

/** What an account holder keeps here: a card for each wallet, what is on its way in, and what moved. */
export function WalletPage(): ReactNode {
  const data = useLoaderData<WalletData | Closed>();
  const { locale } = useSite();
  return (
    <>
      <div className={css['head']}>
        <div>
          <h1 className="title">{m.wallet_title()}</h1>
          {!isClosed(data) && data.wallets.length > 0 && <Worth wallets={data.wallets} />}
        </div>
        <div className={css['acts']}>
          <ButtonLink icon="download-simple" href={pageUrl(locale, 'deposit')}>
            {m.wallet_deposit()}
          </ButtonLink>
        </div>
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Wallets data={data} />}
    </>
  );
}

/** All of it in dollars, where every wallet has a rate. */
function Worth({ wallets }: { wallets: readonly Wallet[] }): ReactNode {
  const values = wallets.flatMap(({ value_usd }) => (value_usd === null ? [] : [value_usd]));
  if (values.length < wallets.length) return null;
  return (
    <p className="soft">
      {m.wallet_total()} <Money of={{ amount: sumOfCents(values), currency: 'USD' }} />
    </p>
  );
}

/** Dollars with two digits, added up exactly. */
function sumOfCents(values: readonly string[]): string {
  const cents = values
    .reduce((sum, value) => sum + BigInt(value.replace('.', '')), 0n)
    .toString()
    .padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

function Wallets({ data }: { data: WalletData }): ReactNode {
  useFreshData();
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
            <WalletCard wallet={wallet} here={wallet.currency === data.unit} />
          </li>
        ))}
      </ul>
      {data.coming.length > 0 && <Arrivals title={m.wallet_coming()} deposits={data.coming} />}
      <Transactions data={data} />
    </>
  );
}

const isZero = (amount: string): boolean => /^0(\.0+)?$/.test(amount);

/** One wallet; it leads to what moved in it. */
function WalletCard({ wallet, here }: { wallet: Wallet; here: boolean }): ReactNode {
  const { locale } = useSite();
  const name = useUnitName()(wallet.currency);
  const of = (amount: string) => ({ amount, currency: wallet.currency });
  return (
    <a
      className={cx('card', css['card'])}
      href={pageUrl(locale, 'wallet', { currency: wallet.currency })}
      aria-current={here ? 'true' : undefined}
    >
      <span className={css['name']}>
        <Coin {...coinOf(wallet.currency)} size={28} />
        {name}
      </span>
      <span className={css['sum']}>
        <Money of={of(wallet.total)} code={false} />
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
              <Money of={of(wallet.available)} code={false} />
            </b>
          </>
        )}
      </span>
      {!isZero(wallet.pending) && (
        <span className={css['part']}>
          <span>{m.wallet_pending()}</span>
          <b>
            <Money of={of(wallet.pending)} sign="+" code={false} />
          </b>
        </span>
      )}
    </a>
  );
}

const KINDS: Readonly<Record<string, () => string>> = {
  deposit: () => m.wallet_kind_deposit(),
  deposit_reversed: () => m.wallet_kind_deposit_reversed(),
  transfer: () => m.wallet_kind_transfer(),
};

/** What moved in one wallet, newest first. */
function Transactions({ data: { unit = '', transactions, next } }: { data: WalletData }): ReactNode {
  const { locale } = useSite();
  const name = useUnitName()(unit);
  return (
    <section className={cx('card', css['moves'])} aria-labelledby="moves-title">
      <h2 className="card-title" id="moves-title">
        {m.wallet_moves({ name })}
      </h2>
      {transactions.length === 0 ? (
        <p className={cx('soft', css['none'])}>{m.wallet_moves_none()}</p>
      ) : (
        <table className={css['table']}>
          <thead>
            <tr>
              <th>{m.wallet_operation()}</th>
              <th>{m.wallet_details()}</th>
              <th className={css['right']}>{m.wallet_time()}</th>
              <th className={css['right']}>{m.wallet_amount()}</th>
              <th className={css['right']}>{m.wallet_balance()}</th>
            </tr>
          </thead>
          <tbody>
            {transactions.map((one) => (
              <Move key={one.id} one={one} />
            ))}
          </tbody>
        </table>
      )}
      {next !== undefined && (
        <p className={css['next']}>
          <ButtonLink look="secondary" size="small" href={`${pageUrl(locale, 'wallet')}${next}`}>
            {m.wallet_older()}
          </ButtonLink>
        </p>
      )}
    </section>
  );
}

function Move({ one }: { one: Transaction }): ReactNode {
  const locale = useLocale();
  const isOut = one.change.startsWith('-');
  return (
    <tr>
      <td className={css['kind']}>{KINDS[one.kind]?.() ?? one.kind}</td>
      <td className={css['details']}>{one.txid !== undefined && <Code short>{one.txid}</Code>}</td>
      <td className={cx(css['right'], css['time'], 'num')}>
        <time dateTime={one.at}>{writeTime(one.at, locale)}</time>
      </td>
      <td className={cx(css['right'], css['change'], !isOut && css['in'])}>
        <Money of={{ amount: one.change.replace('-', ''), currency: one.currency }} sign={isOut ? '−' : '+'} look="quiet" />
      </td>
      <td className={cx(css['right'], css['balance'], 'mute')}>
        <Money of={{ amount: one.balance, currency: one.currency }} code={false} />
      </td>
    </tr>
  );
}
