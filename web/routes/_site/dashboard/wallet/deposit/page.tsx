import { type ReactNode, Suspense, lazy } from 'react';
import { useLoaderData } from 'react-router';
import { coinOf, mayBeHandedOn, shortNetwork } from '../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { ButtonLink } from '../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../ui/parts/copyable.tsx';
import { cx } from '../../../../../ui/base/cx.ts';
import { Coin } from '../../../../../ui/base/icon.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Pill } from '../../../../../ui/parts/pill.tsx';
import { QrCode } from '../../../../../ui/parts/qr-code.tsx';
import { type Closed, isClosed } from '../../../../closed.ts';
import { pageUrl } from '../../../../pages.ts';
import { Skeleton } from '../../frame/skeleton.tsx';
import { Arrivals } from '../arrivals.tsx';
import css from './deposit.module.css';
import { AskDeposit } from './ask.tsx';
import { OneRequest } from './deposit-request.tsx';
import type { RequestedData, DepositData } from './page.server.ts';
import { useUnitName } from '../unit-name.ts';

// Payment from the sandbox's wallet, whose code is loaded in the sandbox only.
const SandboxPay = lazy(async () => ({ default: (await import('./sandbox-pay.tsx')).SandboxPay }));

/** Page of a deposit into a wallet: choice of currency and network, and the receiving address. */
export default function DepositPage(): ReactNode {
  const data = useLoaderData<DepositData | RequestedData | Closed>();
  const { locale } = useSite();
  if (!isClosed(data) && 'one' in data) return data.one ? <OneRequest one={data.one} now={data.now} /> : <Missing />;
  return (
    <>
      <div className={css['head']}>
        <p className="small">
          <a className="link" href={pageUrl(locale, 'wallet')}>
            {m.wallet_title()}
          </a>
        </p>
        <h1 className="title">{m.deposit_title()}</h1>
        <p className="soft">{m.deposit_lead()}</p>
      </div>
      {isClosed(data) ? <Skeleton rows={5} /> : <Deposit data={data} />}
    </>
  );
}

/** Page for a deposit that doesn't exist or belongs to another account. */
function Missing(): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['one']}>
      <h1 className="title">{m.deposit_missing()}</h1>
      <p>
        <ButtonLink look="secondary" href={pageUrl(locale, 'deposit')}>
          {m.deposit_title()}
        </ButtonLink>
      </p>
    </div>
  );
}

/** Part for times when deposits are stopped or no payment system is available. Earlier deposits stay visible. */
function NothingTaken({ data }: { data: DepositData }): ReactNode {
  return (
    <div className={css['steps']}>
      <Message tone="neutral" title={m.deposit_stopped_title()}>
        {m.deposit_stopped_text()}
      </Message>
      {data.deposits.length > 0 && <Arrivals title={m.wallet_newest()} deposits={data.deposits} />}
    </div>
  );
}

function Deposit({ data }: { data: DepositData }): ReactNode {
  const { locale } = useSite();
  const nameOf = useUnitName();
  const chosen = data.units.find(({ currency }) => currency === data.unit);
  if (data.units.length === 0) return <NothingTaken data={data} />;
  return (
    <div className={css['steps']}>
      <section aria-labelledby="what-title">
        <h2 className="card-title" id="what-title">
          {m.deposit_what()}
        </h2>
        <ul className={css['choices']}>
          {data.units.map(({ currency }) => (
            <li key={currency}>
              <a
                href={pageUrl(locale, 'deposit', { currency })}
                className={cx('card', css['choice'])}
                aria-current={currency === data.unit ? 'true' : undefined}
              >
                <Coin {...coinOf(currency)} size={28} />
                {nameOf(currency)}
              </a>
            </li>
          ))}
        </ul>
      </section>
      {chosen && chosen.rails.length > 1 && (
        <section aria-labelledby="network-title">
          <h2 className="card-title" id="network-title">
            {m.deposit_network()}
          </h2>
          <p className="small soft">{m.deposit_network_hint()}</p>
          <ul className={css['choices']}>
            {chosen.rails.map(({ rail, network }) => (
              <li key={rail}>
                <a
                  href={pageUrl(locale, 'deposit', { currency: chosen.currency, rail })}
                  className={cx('card', css['choice'])}
                  aria-current={rail === data.rail ? 'true' : undefined}
                >
                  <span>
                    {shortNetwork(network)}
                    <small className="mute">{network.split(' · ')[0]}</small>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.place && <Place data={data} />}
      {data.way && data.unit && <AskDeposit key={data.way.rail} unit={data.unit} way={data.way} />}
      {data.deposits.length > 0 && <Arrivals title={m.wallet_newest()} deposits={data.deposits} />}
    </div>
  );
}

/** Card with the wallet's permanent receiving address. */
function Place({ data: { place, qr, isSandbox, unit = '' } }: { data: DepositData }): ReactNode {
  const money = useMoneyText();
  const name = useUnitName()(unit);
  if (!place) return null;
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <section className="card pad" aria-labelledby="place-title">
      <h2 className="card-title" id="place-title">
        {m.deposit_place({ name })}
      </h2>
      <div className={css['place']}>
        {qr && (
          <div className={css['qr']}>
            <QrCode qr={qr} label={m.pay_qr()} />
            <p className="tiny mute">{m.pay_qr_address_only({ network: place.network })}</p>
          </div>
        )}
        <div className={css['rows']}>
          <div className={css['network']}>
            <div>
              <div className="tiny mute">{m.pay_network()}</div>
              <b>{place.network}</b>
            </div>
            <Pill tone="error">{m.pay_no_other()}</Pill>
          </div>
          <Copyable label={m.pay_address()} value={place.address} words={words} look="primary" hint={m.pay_compare()} isStacked />
          {place.memo !== undefined && (
            <Copyable label={m.pay_memo()} value={place.memo} words={words} hint={m.pay_memo_hint()} />
          )}
          <Message tone="neutral">{m.deposit_note({ min: money({ amount: place.min, currency: place.currency }) })}</Message>
          {mayBeHandedOn(place.currency) && <Message tone="neutral">{m.pay_internal({ currency: name })}</Message>}
          {isSandbox && (
            <Suspense>
              <SandboxPay key={place.address} place={place} />
            </Suspense>
          )}
        </div>
      </div>
    </section>
  );
}
