import { type FormEvent, type ReactNode, Suspense, lazy, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { Money } from '../../../../../features/money.tsx';
import { storeDeposit } from '../../../../../features/order/stored-key.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { ButtonLink } from '../../../../../ui/fields/button.tsx';
import { useServerNow } from '../../../../../ui/base/clock.ts';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Slip, SlipLine, SlipLines } from '../../../../../ui/parts/slip.tsx';
import { writeDeadline, writeTime } from '../../../../../ui/base/time.ts';
import { pageUrl } from '../../../../pages.ts';
import { Skeleton } from '../../frame/skeleton.tsx';
import { Arrivals } from '../arrivals.tsx';
import type { RequestedDeposit } from './page.server.ts';
import move from '../move.module.css';
import { useUnitName } from '../unit-name.ts';
import css from './deposit.module.css';
import { depositCalls } from './deposit-calls.ts';

type Pay = NonNullable<RequestedDeposit['pay']>;

// Components of the order's page. Their code is loaded with the first deposit through a payment system.
const parts = () => import('../../../order/provider-cards.tsx');
const LeavePart = lazy(async () => ({ default: (await parts()).LeavePart }));
const VoucherPart = lazy(async () => ({ default: (await parts()).VoucherPart }));
const Preparing = lazy(async () => ({ default: (await parts()).Preparing }));

/** Page of one deposit through a payment system: how to pay it, and its result. */
export function OneRequest({ one, now }: { one: RequestedDeposit; now: string }): ReactNode {
  const { locale } = useSite();
  const name = useUnitName()(one.currency);
  const isOver = one.status === 'over' || one.status === 'refused';
  return (
    <>
      <a className={move['back']} href={pageUrl(locale, 'deposit', { currency: one.currency, rail: one.rail })}>
        <Icon name="arrow-left" size={16} />
        {m.deposit_title()}
      </a>
      <div className={move['grid']}>
        <div className={css['one']}>
          <div aria-live="polite">
            <div className={move['top']}>
              <span className="small mute num">
                {m.deposit_number({ id: one.number })} · {writeTime(one.asked_at, locale)}
              </span>
            </div>
            <h1 className="title">{HEADLINES[one.status]()}</h1>
          </div>
          <Suspense fallback={<Skeleton rows={3} />}>
            <Now one={one} now={now} />
          </Suspense>
          {one.deposits.length > 0 && <Arrivals title={m.deposit_came()} deposits={one.deposits} />}
          {(isOver || one.status === 'paid') && (
            <p>
              <ButtonLink
                look="secondary"
                href={pageUrl(locale, isOver ? 'deposit' : 'wallet', isOver ? { currency: one.currency } : {})}
              >
                {isOver ? m.deposit_again() : m.withdraw_to_wallets()}
              </ButtonLink>
            </p>
          )}
        </div>
        <aside aria-label={m.deposit_slip()}>
          <Slip label={m.deposit_slip()}>
            <SlipLines>
              <SlipLine label={m.moves_wallet()}>{name}</SlipLine>
              <SlipLine label={m.pay_through()}>{one.network}</SlipLine>
              {one.amount !== undefined && (
                <SlipLine label={m.pay_amount()} isTotal>
                  <Money of={{ amount: one.amount, currency: one.currency }} />
                </SlipLine>
              )}
            </SlipLines>
          </Slip>
        </aside>
      </div>
    </>
  );
}

const HEADLINES: Readonly<Record<RequestedDeposit['status'], () => string>> = {
  preparing: () => m.deposit_pay_now(),
  open: () => m.deposit_pay_now(),
  paid: () => m.deposit_paid(),
  refused: () => m.deposit_refused(),
  over: () => m.deposit_over(),
};

/** Next step of the deposit for the customer. */
function Now({ one, now }: { one: RequestedDeposit; now: string }): ReactNode {
  if (one.pay?.kind === 'redirect') return <Leave one={one} pay={one.pay} now={now} />;
  if (one.pay) return <Voucher one={one} pay={one.pay} />;
  if (one.status === 'preparing') return <Preparing />;
  if (one.status === 'refused') return <p className="soft">{m.deposit_refused_text()}</p>;
  return one.status === 'over' ? <p className="soft">{m.deposit_over_text()}</p> : null;
}

function Leave({ one, pay, now }: { one: RequestedDeposit; pay: Pay; now: string }): ReactNode {
  const { locale } = useSite();
  const clock = useServerNow(now);
  // The payment system redirects customers to a fixed URL of ours. So this tab stores the deposit that the customer is paying.
  useEffect(() => storeDeposit({ number: one.number, id: one.id, locale }), [one.number, one.id, locale]);
  const time = writeDeadline(one.expires_at, clock, locale);
  return (
    <LeavePart pay={pay} sum={{ amount: one.amount ?? '0', currency: one.by }}>
      {m.deposit_leave_text({ name: one.network, time })}
    </LeavePart>
  );
}

function Voucher({ one, pay }: { one: RequestedDeposit; pay: Pay }): ReactNode {
  const names = Array.isArray(pay.fields) ? pay.fields.map(({ name }) => `fields.${name}`) : [];
  const { wrong, isBusy, run } = useWork(names);
  const { revalidate } = useRevalidator();
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const fields = Object.fromEntries(names.map((name) => [name.slice('fields.'.length), String(given.get(name) ?? '')]));
    run(async () => {
      await depositCalls.walletDepositRedeem({ id: one.id, fields });
      await revalidate();
    });
  };
  const errors = Object.fromEntries(Object.entries(wrong.at ?? {}).map(([name, text]) => [name, [text]]));
  const form = (inner: ReactNode): ReactNode => (
    <form className={css['voucher']} onSubmit={send} noValidate>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {inner}
    </form>
  );
  return <VoucherPart {...{ pay, isBusy, errors, form }} entry={one.entry} note={m.deposit_voucher_note()} />;
}
