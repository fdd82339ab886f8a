import type { ReactNode } from 'react';
import { Money, useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../ui/parts/copyable.tsx';
import { Icon } from '../../../../../ui/base/icon.tsx';
import { Slip, SlipLine, SlipLines } from '../../../../../ui/parts/slip.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import { pageUrl } from '../../../../pages.ts';
import move from '../move.module.css';
import { useUser } from '../../user.ts';
import { PrintHead } from '../../orders/print-head.tsx';
import { CallOff } from './call-off.tsx';
import { WithdrawalStatus } from './list.tsx';
import { STATUSES, WHY, type Withdrawal, isOpen, lineName } from './statuses.ts';
import { slipSums } from './sums.ts';
import { Voucher } from './voucher.tsx';
import css from './withdraw.module.css';

/** Page of one withdrawal: its status, the next step, and a button to cancel it while it can be cancelled. */
export function OneWithdrawal({ one, now }: { one: Withdrawal; now: string }): ReactNode {
  const { locale } = useSite();
  const user = useUser();
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <>
      <a className={move['back']} href={pageUrl(locale, 'withdraw', { currency: one.currency })}>
        <Icon name="arrow-left" size={16} />
        {m.withdraw_back()}
      </a>
      <PrintHead title={m.moves_receipt()} now={now} />
      <div className={move['grid']}>
        <div className={css['state']}>
          <State one={one} />
          {one.can_cancel && <CallOff id={one.id} />}
          {one.voucher !== undefined && user && <Voucher {...{ one, user }} />}
          <div className={move['facts']}>
            {Object.entries(one.to).map(([name, value]) => (
              <Copyable key={name} label={m.withdraw_to()} value={value} words={words} isStacked />
            ))}
            {one.txid !== undefined && <Copyable label={m.moves_txid()} value={one.txid} words={words} isStacked />}
          </div>
          {!isOpen(one) && <EndLinks one={one} />}
        </div>
        <SumsSlip one={one} />
      </div>
    </>
  );
}

/** Time, status and amount of a withdrawal, and its next step. */
function State({ one }: { one: Withdrawal }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  const text = (amount: string): string => money({ amount, currency: one.currency });
  return (
    <div aria-live="polite">
      <div className={move['top']}>
        <span className="small mute num">{writeTime(one.asked_at, locale)}</span>
        <WithdrawalStatus one={one} />
      </div>
      <h1 className="title">{m.withdraw_one({ amount: text(one.amount) })}</h1>
      <p className={css['text']}>
        {one.why !== undefined
          ? WHY[one.why]()
          : one.voucher === undefined
            ? STATUSES[one.status].text({
                ...{ source: one.source, amount: text(one.amount), arrives: text(one.arrives), fee: text(one.fee) },
              })
            : m.withdraw_text_voucher()}{' '}
        {one.status === 'rejected' && (
          <a className="link" href={pageUrl(locale, 'contact')}>
            {one.why === undefined ? m.withdraw_write() : m.limits_write()}
          </a>
        )}
      </p>
    </div>
  );
}

/** Links for a withdrawal that has ended: to the wallet or the rewards it was paid from, and a button to print the receipt. */
function EndLinks({ one }: { one: Withdrawal }): ReactNode {
  const { locale } = useSite();
  return (
    <p className={css['onScreen']}>
      {one.source === 'affiliate' ? (
        <ButtonLink look="secondary" href={pageUrl(locale, 'affiliates')}>
          {m.withdraw_to_affiliates()}
        </ButtonLink>
      ) : (
        <ButtonLink look="secondary" href={pageUrl(locale, 'wallet')}>
          {m.withdraw_to_wallets()}
        </ButtonLink>
      )}
      <Button look="secondary" icon="printer" onClick={() => print()}>
        {m.moves_print()}
      </Button>
    </p>
  );
}

function SumsSlip({ one }: { one: Withdrawal }): ReactNode {
  return (
    <aside aria-label={m.withdraw_effect()}>
      <Slip label={m.withdraw_effect()}>
        <SlipLines>
          <SlipLine label={m.moves_network()}>{one.network}</SlipLine>
          {slipSums(one).map(({ line, amount }, index, all) => (
            <SlipLine key={line} label={lineName(line, one.source)} isTotal={index === all.length - 1}>
              <Money of={{ amount, currency: one.currency }} />
            </SlipLine>
          ))}
        </SlipLines>
      </Slip>
    </aside>
  );
}
