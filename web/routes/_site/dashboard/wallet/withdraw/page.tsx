import type { ReactNode } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import { FrozenMessage } from '../../../../../features/account/sign-in/frozen-note.tsx';
import { coinOf } from '../../../../../features/currency.ts';
import { Money } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { ButtonLink } from '../../../../../ui/fields/button.tsx';
import { cx } from '../../../../../ui/base/cx.ts';
import { Coin } from '../../../../../ui/base/icon.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { type Closed, isClosed } from '../../../../closed.ts';
import { pageUrl } from '../../../../pages.ts';
import orders from '../../orders/orders.module.css';
import { Skeleton } from '../../frame/skeleton.tsx';
import { type User, useUser } from '../../user.ts';
import deposit from '../deposit/deposit.module.css';
import { useUnitName } from '../unit-name.ts';
import type { Wallet } from '../page.server.ts';
import type { WithdrawData, WithdrawalData } from './page.server.ts';
import { CallAllOff } from './call-off.tsx';
import { TransferForm } from './transfer.tsx';
import { WithdrawForm } from './form.tsx';
import { WithdrawalList } from './list.tsx';
import { OneWithdrawal } from './one-withdrawal.tsx';
import { showCurrent } from '../../show-current.ts';
import css from './withdraw.module.css';

/** Withdrawal from a wallet, or the page of one withdrawal. */
export default function WithdrawPage(): ReactNode {
  const data = useLoaderData<WithdrawData | WithdrawalData | Closed>();
  const { locale } = useSite();
  if (!isClosed(data) && 'one' in data) return data.one ? <OneWithdrawal one={data.one} now={data.now} /> : <Missing />;
  return (
    <>
      <div className={deposit['head']}>
        <p className="small">
          <a className="link" href={pageUrl(locale, 'wallet')}>
            {m.wallet_title()}
          </a>
        </p>
        <h1 className="title">{m.dashboard_withdraw()}</h1>
        <p className="soft">{m.withdraw_lead()}</p>
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Withdraw data={data} />}
    </>
  );
}

function Missing(): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['missing']}>
      <h1 className="title">{m.withdraw_missing_title()}</h1>
      <p className="soft">{m.withdraw_missing_lead()}</p>
      <ButtonLink look="secondary" href={pageUrl(locale, 'withdraw')}>
        {m.withdraw_back()}
      </ButtonLink>
    </div>
  );
}

const isZero = (amount: string): boolean => /^[0.]+$/.test(amount);

function Withdraw({ data }: { data: WithdrawData }): ReactNode {
  const user = useUser();
  // The content above the list depends on the user. If the list were rendered first, it would be pushed down later.
  if (!user) return <Skeleton rows={6} />;
  return (
    <div className={css['page']}>
      <Begin data={data} user={user} />
      <WithdrawalList data={data} />
    </div>
  );
}

/** Start of a withdrawal. While withdrawals are frozen, a message with the end and the reason of the freeze replaces the form. */
function Begin({ data, user }: { data: WithdrawData; user: User }): ReactNode {
  if (user.frozen_until !== null && user.frozen_because !== null && user.frozen_until > data.now)
    return (
      <div className={css['narrow']}>
        <FrozenMessage until={user.frozen_until} because={user.frozen_because} />
        {(data.group !== 'all' || data.rows.some(({ can_cancel }) => can_cancel)) && <CallAllOff />}
      </div>
    );
  if (data.wallets.length === 0) return <NoWallet />;
  return <Out data={data} user={user} />;
}

function NoWallet(): ReactNode {
  const { locale } = useSite();
  return (
    <section className={cx('card', css['empty'])}>
      <h2 className="card-title">{m.wallet_empty_title()}</h2>
      <p className="soft">{m.withdraw_empty_text()}</p>
      <p>
        <ButtonLink href={pageUrl(locale, 'deposit')}>{m.wallet_deposit()}</ButtonLink>
      </p>
    </section>
  );
}

/** Choice of the wallet, and the form for a withdrawal from it. */
function Out({ data, user }: { data: WithdrawData; user: User }): ReactNode {
  const navigate = useNavigate();
  const { locale } = useSite();
  const wallet = data.wallets.find(({ currency }) => currency === data.unit);
  return (
    <>
      <Tabs data={data} />
      <Wallets data={data} />
      {wallet &&
        (isZero(wallet.available) ? (
          <Nothing wallet={wallet} />
        ) : data.tab === 'person' ? (
          <TransferForm key={wallet.currency} {...{ wallet, user }} book={data.book} limits={data.limits} />
        ) : (
          <WithdrawForm
            key={wallet.currency}
            {...{ data, wallet, user }}
            onRequested={({ id }) => void navigate(pageUrl(locale, 'withdraw', { id }))}
          />
        ))}
    </>
  );
}

/** Tabs of the page: withdrawal to an outside account, or transfer to another account holder. */
function Tabs({ data: { tab, unit } }: { data: WithdrawData }): ReactNode {
  const { locale } = useSite();
  const chosen: Record<string, string> = unit === undefined ? {} : { currency: unit };
  const link = (name: WithdrawData['tab'], label: string, query: Record<string, string>): ReactNode => (
    <a href={pageUrl(locale, 'withdraw', { ...chosen, ...query })} aria-current={name === tab ? 'true' : undefined}>
      {label}
    </a>
  );
  return (
    <nav ref={showCurrent} className={cx(orders['groups'], css['tabs'])} aria-label={m.withdraw_tabs()}>
      {link('out', m.withdraw_tab_out(), {})}
      {link('person', m.withdraw_tab_person(), { tab: 'person' })}
    </nav>
  );
}

function Nothing({ wallet }: { wallet: Wallet }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['narrow']}>
      <Message tone="neutral" title={m.withdraw_nothing()}>
        {isZero(wallet.total) && isZero(wallet.pending) ? m.withdraw_nothing_text() : m.withdraw_nothing_yet()}{' '}
        <a className="link" href={pageUrl(locale, 'deposit', { currency: wallet.currency })}>
          {m.wallet_deposit()}
        </a>
      </Message>
    </div>
  );
}

function Wallets({ data: { wallets, unit, tab } }: { data: WithdrawData }): ReactNode {
  const { locale } = useSite();
  const nameOf = useUnitName();
  const more = tab === 'person' ? { tab } : {};
  return (
    <section aria-labelledby="wallets-title">
      <h2 className={css['from']} id="wallets-title">
        {m.withdraw_from()}
      </h2>
      <ul className={deposit['choices']}>
        {wallets.map(({ currency, available }) => (
          <li key={currency}>
            <a
              href={pageUrl(locale, 'withdraw', { currency, ...more })}
              className={cx('card', deposit['choice'])}
              aria-current={currency === unit ? 'true' : undefined}
            >
              <Coin {...coinOf(currency)} size={28} />
              <span>
                {nameOf(currency)}
                <small className="mute">
                  <Money of={{ amount: available, currency }} hasCode={false} />
                </small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
