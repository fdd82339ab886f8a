import type { ReactNode } from 'react';
import { Form, useActionData, useNavigation } from 'react-router';
import { pageUrl } from '../../../pages.ts';
import { m } from '../../../../features/words.ts';
import { useUsd } from './use-usd.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { writeDecimal } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill, type PillTone } from '../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import { comesTo } from './comes-to.ts';
import type { AddAnswer, DiscountData } from './page.server.ts';
import css from './discount.module.css';

type Coupon = DiscountData['coupons'][number];

const TONE: Record<Coupon['status'], PillTone> = { usable: 'success', used: 'neutral', over: 'neutral' };

/** Section with the account's credit and coupons, and a field to add a coupon's code. */
export function Coupons({ coupons, credit }: Pick<DiscountData, 'coupons' | 'credit'>): ReactNode {
  return (
    <section className={cx('card', css['coupons'])} aria-labelledby="coupons-title">
      <h2 className={cx('card-title', css['title'])} id="coupons-title">
        {m.discount_coupons()}
      </h2>
      {credit && <Credit credit={credit} />}
      {coupons.length === 0 ? (
        <p className={cx(css['empty'], 'soft')}>{m.discount_no_coupons()}</p>
      ) : (
        <ul className={css['list']}>
          {coupons.map((coupon) => (
            <CouponRow key={coupon.code} coupon={coupon} />
          ))}
        </ul>
      )}
      <AddCode />
      <p className={css['draws']}>
        <a className="link" href={pageUrl(useLocale(), 'earnFree')}>
          {m.discount_draws()}
        </a>
      </p>
    </section>
  );
}

/** Row with the account's credit from prizes, and a button that switches its use on or off. */
function Credit({ credit: { left, on } }: { credit: NonNullable<DiscountData['credit']> }): ReactNode {
  const usd = useUsd();
  return (
    <Form method="post" className={css['row']}>
      <div>
        <b>{m.discount_credit({ sum: usd(left) })}</b>
        <p className="small soft">{on ? m.discount_credit_on() : m.discount_credit_off()}</p>
      </div>
      <Button type="submit" name="credit" value={on ? 'off' : 'on'} look="secondary" size="small">
        {on ? m.discount_switch_off() : m.discount_switch_on()}
      </Button>
    </Form>
  );
}

function CouponRow({ coupon: { code, kind, status, percent, left, until } }: { coupon: Coupon }): ReactNode {
  const locale = useLocale();
  const usd = useUsd();
  const words = [
    ...(percent === undefined ? [] : [percentWords(percent, locale)]),
    ...(left === undefined || status !== 'usable' ? [] : [m.coupon_left({ sum: usd(left) })]),
    ...(kind === 'late' ? [m.coupon_late()] : []),
    ...(until === undefined ? [] : [m.coupon_until({ until: writeTime(until, locale) })]),
  ];
  return (
    <li>
      <div>
        <b className={css['code']}>{code}</b>
        <p className="small soft">{words.join(' · ')}</p>
      </div>
      <Pill tone={TONE[status]}>{{ usable: m.coupon_usable, used: m.coupon_used, over: m.coupon_over }[status]()}</Pill>
    </li>
  );
}

/** Returns the text for a coupon's percentage. If the maximum of all discounts is lower, the text says so. */
function percentWords(percent: string, locale: 'en' | 'ru'): string {
  const [max, named] = [comesTo(percent), writeDecimal(percent, locale)];
  return max === percent ? m.coupon_percent({ percent: named }) : m.coupon_percent_most({ max, percent: named });
}

function AddCode(): ReactNode {
  const answer = useActionData<AddAnswer>();
  const busy = useNavigation().state === 'submitting';
  return (
    <Form method="post" className={css['add']}>
      <Field
        name="code"
        label={m.discount_code()}
        maxLength={64}
        required
        isMono
        {...(answer?.refused === undefined ? {} : { error: answer.refused, defaultValue: answer.code })}
      />
      <Button type="submit" look="secondary" busy={busy && m.discount_add()}>
        {m.discount_add()}
      </Button>
      {answer?.message !== undefined && <Message tone="error" isLive title={answer.message} />}
      {answer && answer.refused === undefined && answer.message === undefined && (
        <Message tone="success" isLive title={m.discount_added({ code: answer.code })} />
      )}
    </Form>
  );
}
