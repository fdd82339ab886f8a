import { type ReactNode, Suspense, lazy, useState } from 'react';
import { useAccessToken } from '../../../../features/account/access-token.ts';
import { useFramed } from '../../../../features/account/framed.ts';
import { coinOf, tickerOf } from '../../../../features/currency.ts';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { useSite } from '../../../../features/site.ts';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { Coin, Icon } from '../../../../ui/base/icon.tsx';
import { Button } from '../../../../ui/fields/button.tsx';
import { pageUrl } from '../../../pages.ts';
import type { PayWallet } from '../pay-data.ts';
import { usePay } from '../use-pay.ts';
import css from './wallets.module.css';

const WalletPay = lazy(async () => ({ default: (await import('./wallet-pay.tsx')).WalletPay }));

/** Payment from the holder's wallet. It is collapsed at first, so that nothing on the page moves when the wallets load. */
export function WalletsPart(): ReactNode {
  const { name } = useSite();
  const { invoice } = usePay().data;
  if (invoice.test) return null;
  return (
    <details className={css['part']}>
      <summary>
        <Icon name="wallet" size={24} />
        <b>{m.checkout_wallets({ name })}</b>
        <Icon name="caret-down" size={16} />
      </summary>
      <Wallets />
    </details>
  );
}

/** The holder's wallets. Visitors get a link to sign in; inside a frame no session is used, so a window opens. */
function Wallets(): ReactNode {
  const { data } = usePay();
  const { locale } = useSite();
  const isFramed = useFramed();
  const token = useAccessToken();
  const { wallets } = data.invoice;
  if (isFramed) return <Elsewhere lead={m.checkout_wallet_window()} href={data.path} label={m.checkout_wallet_open()} />;
  if (token === null || !wallets)
    return (
      <Elsewhere
        lead={m.checkout_wallet_sign_in()}
        href={pageUrl(locale, 'dashboard')}
        label={m.checkout_wallet_sign_in_link()}
      />
    );
  if (wallets.length === 0) return <p className="small soft">{m.checkout_wallet_none()}</p>;
  return (
    <ul className={css['list']}>
      {wallets.map((wallet) => (
        <WalletRow key={wallet.unit} of={wallet} />
      ))}
    </ul>
  );
}

function Elsewhere({ lead, href, label }: { lead: string; href: string; label: string }): ReactNode {
  return (
    <p className="small soft">
      {lead}{' '}
      <a className="link" href={href} target="_blank" rel="noopener">
        {label}
      </a>
    </p>
  );
}

/** Wallet with its available amount. Its button opens the confirmation, which is loaded only then. */
function WalletRow({ of: { unit, amount, available, closed } }: { of: PayWallet }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const text = useMoneyText();
  const currency = useCurrency(unit);
  return (
    <li className={css['wallet']}>
      <div className={css['row']}>
        <Coin {...coinOf(unit)} size={32} />
        <span className={css['what']}>
          <b>{tickerOf(currency)}</b>
          <span className="tiny mute num">
            {closed === undefined ? (
              <>
                {m.checkout_wallet_available()} <Money of={{ amount: available, currency: unit }} />
              </>
            ) : (
              m.checkout_wallet_closed()
            )}
          </span>
        </span>
        {closed === undefined && !isOpen && (
          <Button look="secondary" size="small" onClick={() => setOpen(true)}>
            {amount === undefined ? m.checkout_wallet_choose() : m.checkout_wallet_pay({ sum: text({ amount, currency: unit }) })}
          </Button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={<p className="small mute">{m.checkout_wallet_loading()}</p>}>
          <WalletPay unit={unit} amount={amount} />
        </Suspense>
      )}
    </li>
  );
}
