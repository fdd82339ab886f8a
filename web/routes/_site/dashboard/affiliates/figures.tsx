import { compare, parse } from '@kurs/money';
import type { ReactNode } from 'react';
import { Form, useActionData, useNavigation } from 'react-router';
import { Money, useMoneyText } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { writeDecimal, writePercent } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import type { AffiliatesAnswer, AffiliatesData, Terms } from './page.server.ts';
import css from './affiliates.module.css';

const usdt = (amount: string) => ({ amount, currency: 'USDT' });
const isMore = (amount: string, than: string): boolean => compare(parse('USDT', amount), parse('USDT', than)) > 0;

/** Rewards that are available now, and three figures of the last 30 days. */
export function Figures({ data: { statistics, terms } }: { data: AffiliatesData }): ReactNode {
  const locale = useLocale();
  const money = useMoneyText();
  const { clicks, sign_ups: signUps, orders, reward } = statistics.total;
  const whole = (count: number): string => writeDecimal(String(count), locale);
  // Orders per click in tenths of a percent.
  const tenths = clicks === 0 ? 0 : Math.round((orders * 1000) / clicks);
  const pending = isMore(terms.pending, '0') ? m.affiliates_pending({ sum: money(usdt(terms.pending)) }) : undefined;
  const figures = [
    { name: m.affiliates_available(), value: <Money of={usdt(terms.available)} look="large" />, note: <Out terms={terms} /> },
    { name: m.affiliates_earned(), value: <Money of={usdt(reward)} look="large" />, note: pending },
    { name: m.affiliates_orders(), value: whole(orders), note: m.affiliates_sign_ups({ count: signUps }) },
    {
      name: m.affiliates_rate(),
      value: clicks === 0 ? '–' : writePercent(`${Math.floor(tenths / 10)}.${tenths % 10}`, locale),
      note: m.affiliates_of_clicks({ count: clicks }),
    },
  ];
  return (
    <>
      <dl className={cx('card', css['figures'])}>
        {figures.map(({ name, value, note }) => (
          <div key={name}>
            <dt className="small soft">{name}</dt>
            <dd className={cx(css['figure'], 'num')}>{value}</dd>
            {note !== undefined && <dd className="small soft">{note}</dd>}
          </div>
        ))}
      </dl>
      <RewardMessages terms={terms} />
    </>
  );
}

/**
 * Button that moves the available rewards to the wallet. If the rewards are below the minimum, a text about the minimum replaces
 * the button.
 */
function Out({ terms: { available, min, suspended } }: { terms: Terms }): ReactNode {
  const money = useMoneyText();
  const busy = useNavigation().formData?.get('intent') === 'wallet';
  if (suspended || isMore(min, available)) return m.affiliates_from({ sum: money(usdt(min)) });
  return (
    <Form method="post">
      <Button type="submit" name="intent" value="wallet" size="small" busy={busy && m.affiliates_to_wallet()}>
        {m.affiliates_to_wallet()}
      </Button>
    </Form>
  );
}

/** Messages about the affiliate's rewards (owed, waiting, suspended), and the result of moving rewards to the wallet. */
function RewardMessages({ terms: { owed, waiting, suspended } }: { terms: Terms }): ReactNode {
  const money = useMoneyText();
  const given = useActionData<AffiliatesAnswer | null>();
  const answer = given?.of === 'wallet' ? given : undefined;
  return (
    <>
      {answer?.message !== undefined && <Message tone="error" isLive title={answer.message} />}
      {answer && answer.message === undefined && (
        <Message tone="success" isLive title={m.affiliates_moved({ sum: money(usdt(answer.name)) })} />
      )}
      {suspended && <Message tone="warning" title={m.affiliates_suspended()} />}
      {isMore(owed, '0') && <Message tone="neutral">{m.affiliates_owed({ sum: money(usdt(owed)) })}</Message>}
      {isMore(waiting, '0') && <Message tone="neutral">{m.affiliates_waiting({ sum: money(usdt(waiting)) })}</Message>}
    </>
  );
}
