import type { ReceiptTerms } from '@kurs/contract/receipt';
import type { ReactNode } from 'react';
import { discountName, feeName } from '../../../features/calculator/fee-name.ts';
import { Money, useMoneyText } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { writePercent, writeRate } from '../../../ui/base/amount.ts';
import { useLocale } from '../../../ui/base/locale.ts';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import css from './verify.module.css';

/** Slip with the terms of a checked receipt. */
export function Promised({ terms, keyId }: { terms: ReceiptTerms; keyId: string }): ReactNode {
  const locale = useLocale();
  return (
    <Slip label={m.verify_terms()} className={css['slip']}>
      <h2 className="card-title">{terms.kind === 'order' ? m.verify_order({ id: terms.id }) : m.verify_review()}</h2>
      <p className="small mute">{useTimes(terms)}</p>
      <SlipCut />
      <SlipLines>
        <SlipLine label={m.you_send()}>
          <Money of={terms.give} beside={terms.get} />
        </SlipLine>
        {terms.fees.map((fee) => (
          <SlipLine
            key={fee.code}
            label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
          >
            <Money of={fee} sign="−" />
          </SlipLine>
        ))}
        {terms.discounts?.map((line) => (
          <SlipLine key={line.code} label={discountName(line.code)} isGain>
            <Money of={line} sign="+" />
          </SlipLine>
        ))}
        <SlipLine label={m.slip_exchanged()}>
          <Money of={terms.exchanged} />
        </SlipLine>
        <SlipLine label={m.slip_rate()}>
          1{'\u00a0'}
          {terms.rate.base} = {writeRate(terms.rate.value, locale)}
          {'\u00a0'}
          {terms.rate.quote}
        </SlipLine>
        <SlipLine label={m.you_receive()} isTotal>
          <Money of={terms.get} beside={terms.give} />
        </SlipLine>
      </SlipLines>
      <SlipCut />
      <dl className={css['rules']}>
        {useRules(terms).map(([label, words]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <SlipCut />
      <p className="tiny mute">
        {m.verify_signed({ name: terms.issuer.name, url: terms.issuer.url, key: keyId })}{' '}
        {m.verify_policy({ version: terms.policy_version, rates: terms.rates_version })}
      </p>
    </Slip>
  );
}

/** Returns a text with the time of the promise, and the time until which it was valid. */
function useTimes({
  placed_at: placed,
  locked_until: until,
  quote_expires_at: expires,
  lock_minutes: minutes,
}: ReceiptTerms): string {
  const locale = useLocale();
  const time = (at: string): string => writeTime(at, locale);
  if (placed === undefined) return m.verify_quoted({ until: time(expires ?? ''), minutes: minutes ?? 0 });
  return until === undefined
    ? m.verify_placed_current({ at: time(placed) })
    : m.verify_placed({ at: time(placed), until: time(until) });
}

function useRules({ rules, limits, give, reserve_held: isHeld }: ReceiptTerms): [label: string, words: string][] {
  const text = useMoneyText();
  const { late, short, more, payout, refund, time } = rules;
  const sum = (amount: string): string => text({ amount, currency: give.currency });
  const seconds = late.offer_seconds;
  return [
    [m.verify_limits(), m.verify_limits_text({ min: sum(limits.min), max: sum(limits.max) })],
    [m.verify_reserve(), isHeld ? m.verify_reserve_held() : m.verify_reserve_free()],
    [
      m.verify_late(),
      m.verify_late_text({ minutes: late.first_confirmation_minutes, hours: late.choose_hours, offer: Math.round(seconds / 60) }),
    ],
    [m.verify_short(), short.goes_on_from ? m.verify_short_goes_on({ min: text(short.goes_on_from) }) : m.verify_short_asks()],
    ...(more ? [[m.verify_more(), m.verify_more_text({ max: text(more.up_to) })] satisfies [string, string]] : []),
    ...(payout ? [[m.verify_payout(), m.verify_payout_text({ hours: payout.waits_hours })] satisfies [string, string]] : []),
    ...(time ? [[m.promised(), timeText(time)] satisfies [string, string]] : []),
    [m.verify_refund(), m.review_refund_text({ costs: text(refund.costs), min: text(refund.smallest) })],
  ];
}

const timeText = ({ minutes, after_approval: waits }: NonNullable<ReceiptTerms['rules']['time']>): string =>
  waits ? m.promised_after_text({ minutes }) : m.promised_text({ minutes });
