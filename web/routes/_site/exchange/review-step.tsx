import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { discountName, feeName } from '../../../features/calculator/fee-name.ts';
import { coinOf, labelsOf, shortNetwork } from '../../../features/currency.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { Money, type Sum, useMoneyText } from '../../../features/money.tsx';
import { ReceiptRow } from '../../../features/receipt/receipt-row.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writePercent, writeRate } from '../../../ui/base/amount.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useServerNow } from '../../../ui/base/clock.ts';
import { Code } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { writeRemaining } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import type { ExchangeAnswer, Review } from './page.server.ts';
import flow from './exchange.module.css';
import { QuoteRing } from './quote-ring.tsx';
import { useFlow } from './flow.ts';
import css from './review-step.module.css';

/** Time for which the review's quote is valid, in seconds. The full ring stands for this time. */
const HELD_SECONDS = 180;

/** Step 3 of an exchange: everything that the order will contain, and the button that places the order. */
export function ReviewStep({
  review,
  now: madeAt,
  answer,
  hasSenderChanged,
  confirm,
}: {
  review: Review;
  now: string;
  hasSenderChanged: boolean;
  answer: ExchangeAnswer | undefined;
  /** Renders the field that confirms a payment from a wallet; undefined outside the dashboard. */
  confirm: ((about: string) => ReactNode) | undefined;
}): ReactNode {
  const now = useServerNow(madeAt);
  const left = Date.parse(review.quote.expires_at) - now;
  const over = left <= 0;
  const sending = useNavigation().state === 'submitting';
  // A payment from the customer's wallet is made when the order is placed, so they don't have to send anything later.
  const isOwn = review.refund?.wallet === true;
  const intent = over ? 'review' : 'place';
  const place = (
    <Button type="submit" size="large" isWide busy={sending && (over ? m.review_renewing() : m.review_placing())}>
      {over ? m.review_renew() : m.review_place()}
    </Button>
  );
  return (
    <Main>
      <Form method="post">
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="before" value={review.quote.get.amount} />
        <div className={cx('wrap', flow['flow'], flow['wide'])}>
          <div>
            <h1 className="title">{m.review_title()}</h1>
            <p className={cx(flow['lead'], css['lead'])}>{isOwn ? m.review_lead_own() : m.review_lead()}</p>
            <Notices {...{ review, answer, hasSenderChanged }} />
            <ReviewCard review={review} />
            <ReviewNotes review={review} isOwn={isOwn} />
          </div>
          <aside>
            <ReviewSlip {...{ review, isOwn, left }}>
              {isOwn && !over && confirm?.(review.id)}
              <div className={css['place']}>{place}</div>
            </ReviewSlip>
          </aside>
        </div>
        {/* For a payment from the customer's wallet there is only one button, below the field for the confirmation code. */}
        {!isOwn && (
          <div className={cx(css['sticky'], 'only-mobile')}>
            <span>
              <span className="mute">{m.review_held_short()}</span>
              <b className="num">{writeRemaining(left)}</b>
            </span>
            {place}
          </div>
        )}
      </Form>
    </Main>
  );
}

/** Messages about changes since the last review, or about the reason why the order could not be placed. */
function Notices({
  review,
  answer,
  hasSenderChanged,
}: {
  review: Review;
  answer: ExchangeAnswer | undefined;
  hasSenderChanged: boolean;
}): ReactNode {
  const moneyText = useMoneyText();
  if (answer?.message) {
    return (
      <div className={css['notice']}>
        {/* If there is a new review, the message says what has changed since the last one. Otherwise it says why the order
            could not be placed. */}
        <Message tone={answer.review ? 'warning' : 'error'} isLive title={answer.message} />
      </div>
    );
  }
  if (answer?.before === undefined) {
    return hasSenderChanged ? (
      <div className={css['notice']}>
        <Message tone="info" title={m.review_sender_title()}>
          {m.review_sender_text()}
        </Message>
      </div>
    ) : null;
  }
  const { get } = review.quote;
  return (
    <div className={css['notice']}>
      <Message tone="info" isLive title={m.review_updated({ amount: moneyText(get) })}>
        {answer.before !== get.amount && m.review_before({ amount: moneyText({ ...get, amount: answer.before }) })}
      </Message>
    </div>
  );
}

/** Notes below the review's card: warnings, rules for late payments and refunds, and the signed receipt. */
function ReviewNotes({ review, isOwn }: { review: Review; isOwn: boolean }): ReactNode {
  const moneyText = useMoneyText();
  const { quote } = review;
  const give = useCurrency(quote.give.currency);
  // Signed-in customers get their discount automatically. Visitors all see the same text, so that the page reveals nothing about
  // the owner of an e-mail address.
  const isPublic = useFlow().steps === 'exchange';
  const isDiscounted = quote.discounts?.some(({ code }) => code === 'loyalty') === true;
  return (
    <div className={css['notes']}>
      {give.kind === 'crypto' && !isOwn && (
        <Message tone="warning" title={m.review_network({ network: give.network })}>
          {m.review_network_text()}
        </Message>
      )}
      {!review.held && <Message tone="info">{m.review_not_held()}</Message>}
      {isPublic && review.mails_discounts && !isDiscounted && <p className="small soft">{m.review_discount()}</p>}
      {review.waits_for_approval && <Message tone="info">{m.review_approval()}</Message>}
      <details className={cx('card', css['more'])}>
        <summary>
          {m.review_late_title()}
          <Icon name="caret-down" size={16} />
        </summary>
        <p>{m.review_late_text({ minutes: review.lock_minutes })}</p>
        <p>{m.review_refund_text({ costs: moneyText(review.refund_costs), min: moneyText(review.smallest_refund) })}</p>
        {review.confirmations !== '' && <p>{m.review_confirmations({ confirmations: review.confirmations })}</p>}
      </details>
      <div className="card">
        <ReceiptRow id={`quote-${review.id.slice(0, 8)}`} receipt={review.receipt} />
      </div>
    </div>
  );
}

function ReviewCard({ review }: { review: Review }): ReactNode {
  const { locale } = useSite();
  const edit = pageUrl(locale, useFlow().steps, { id: review.id, step: '2' });
  const rows: [string, ReactNode][] = [
    ...Object.values(review.receive?.fields ?? {}).map((value): [string, ReactNode] => [
      m.review_receive({ network: shortNetwork(review.receive?.network ?? '') }),
      <Code key="c">{value}</Code>,
    ]),
    ...Object.values(review.refund?.fields ?? {}).map((value): [string, ReactNode] => [
      m.review_refund(),
      <Code key="c">{value}</Code>,
    ]),
    ...(review.receive?.wallet ? [[m.review_into(), m.review_own_wallet()] as [string, ReactNode]] : []),
    ...(review.refund?.wallet ? [[m.review_from(), m.review_own_wallet()] as [string, ReactNode]] : []),
    [m.review_updates(), review.email],
  ];
  const { promised_minutes: minutes, waits_for_approval: waits } = review;
  return (
    <div className={cx('card', css['card'])}>
      <div className={css['sums']}>
        <BigSum label={m.you_send()} sum={review.quote.give} />
        <Icon name="arrow-right" size={24} className={css['arrow']} />
        <BigSum label={m.you_receive()} sum={review.quote.get} />
      </div>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label} className={css['row']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            <dd>
              <a className="link small" href={edit} aria-label={`${m.edit()}: ${label}`}>
                {m.edit()}
              </a>
            </dd>
          </div>
        ))}
        {minutes !== undefined && (
          <div className={css['row']}>
            <dt>{m.promised()}</dt>
            <dd>{waits ? m.promised_after_text({ minutes }) : m.promised_text({ minutes })}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function BigSum({ label, sum }: { label: string; sum: Sum }): ReactNode {
  const currency = useCurrency(sum.currency);
  return (
    <div>
      <div className="small mute">{label}</div>
      <div className={css['big']}>
        <Money of={sum} look="large" />
      </div>
      <div className={cx(css['name'], 'small soft')}>
        <Coin {...coinOf(sum.currency)} size={22} />
        {[currency.name, labelsOf(currency).note].filter((part, index, all) => all.indexOf(part) === index).join(' · ')}
      </div>
    </div>
  );
}

/** Slip beside the review: the remaining time, the price, and the `children`, which place the order. `left` is in ms. */
function ReviewSlip({
  review,
  isOwn,
  left,
  children,
}: {
  review: Review;
  isOwn: boolean;
  left: number;
  children: ReactNode;
}): ReactNode {
  const over = left <= 0;
  return (
    <Slip label={m.summary_label()}>
      <div className={css['timer']}>
        <QuoteRing share={Math.min(1, Math.max(0, left / 1000 / HELD_SECONDS))} />
        <div>
          <div className="small mute">{over ? m.review_over() : m.review_held()}</div>
          <div className={cx(css['clock'], 'num')} role="timer">
            {writeRemaining(left)}
          </div>
        </div>
      </div>
      <p className={cx(css['hold'], 'small soft')}>
        {over ? m.review_over_text() : !isOwn && m.review_hold_text({ minutes: review.lock_minutes })}
      </p>
      <SlipCut />
      <ReviewLines review={review} />
      {children}
      <p className={cx(css['foot'], 'tiny mute')}>{isOwn ? m.review_foot_own() : m.review_foot()}</p>
    </Slip>
  );
}

function ReviewLines({ review }: { review: Review }): ReactNode {
  const locale = useLocale();
  const { quote } = review;
  const get = useCurrency(quote.get.currency);
  return (
    <SlipLines>
      <SlipLine label={m.slip_amount()}>
        <Money of={quote.give} beside={quote.get} />
      </SlipLine>
      {quote.fees.map((fee) => (
        <SlipLine
          key={fee.code}
          label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
        >
          <Money of={fee} sign="−" />
        </SlipLine>
      ))}
      {quote.discounts?.map((line) => (
        <SlipLine key={line.code} label={discountName(line.code)} isGain>
          <Money of={line} sign="+" />
        </SlipLine>
      ))}
      <SlipLine label={m.slip_exchanged()}>
        <Money of={quote.exchanged} />
      </SlipLine>
      <SlipLine label={m.slip_rate()}>
        1{'\u00a0'}
        {quote.rate.base} = {writeRate(quote.rate.value, locale)}
        {'\u00a0'}
        {quote.rate.quote}
      </SlipLine>
      <SlipLine label={m.slip_total({ name: labelsOf(get).title })} isTotal>
        <Money of={quote.get} />
      </SlipLine>
    </SlipLines>
  );
}
