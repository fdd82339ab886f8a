import type { ReactNode } from 'react';
import { Money, useMoneyText } from '../../../features/money.tsx';
import type { Order } from '../../../features/order/order.ts';
import { statusOf } from '../../../features/order/status.tsx';
import { m } from '../../../features/words.ts';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { writeDeadline } from '../../../ui/base/time.ts';
import css from './order.module.css';

/** Returns the headline: the order's current state, and the amount that it is about. */
export function orderHeadline(order: Order): ReactNode {
  const arrived = order.arrived ?? order.give;
  switch (order.status) {
    case 'waiting':
      return <Headline words={payWords(order)} sum={order.give} />;
    case 'seen':
      return <Headline words={m.headline_seen()} sum={arrived} />;
    case 'confirming':
      return <Headline words={m.headline_confirming()} sum={arrived} />;
    case 'checking':
      return m.headline_checking();
    case 'choose':
      if (order.kind === 'unallocated') return <Headline words={unallocatedWords(order)} sum={arrived} />;
      return statusOf(order) === 'short' ? <Headline words={m.headline_short()} sum={arrived} /> : m.headline_choose();
    case 'paying':
      return order.get ? <Headline words={m.headline_paying()} sum={order.get} /> : m.headline_applied();
    case 'done':
      return order.get ? <Headline words={m.headline_done()} sum={order.get} /> : m.headline_applied();
    case 'expired':
      return m.headline_expired();
    case 'cancelled':
      return m.headline_cancelled();
    case 'refunding':
      return <Headline words={m.headline_refunding()} sum={refundOf(order)} />;
    case 'refunded':
      return <Headline words={m.headline_refunded()} sum={refundOf(order)} />;
    case 'rejected':
      return m.headline_rejected();
  }
}

/** Returns the headline's verb for paying: money is sent on a blockchain and paid at a provider, and a voucher is entered. */
function payWords({ pay }: Order): string {
  if (pay?.kind === 'address') return m.headline_waiting();
  return pay?.kind === 'voucher' ? m.headline_voucher() : m.headline_pay();
}

function unallocatedWords({ rest_of: id, paid_for: number }: Order): string {
  if (number !== undefined) return m.headline_paid_for({ number: unbroken(number) });
  return id === undefined ? m.headline_unallocated() : m.headline_rest({ id: unbroken(id) });
}

/** Returns a number with word joiners around its hyphens, so that no line breaks within it. */
const unbroken = (number: string): string => number.replaceAll('-', '\u2060-\u2060');

function refundOf(order: Order): Order['give'] {
  return order.transfers.findLast(({ kind }) => kind === 'refund')?.money ?? order.arrived ?? order.give;
}

function Headline({ words, sum }: { words: string; sum: Order['give'] }): ReactNode {
  return (
    <>
      {words}{' '}
      <strong>
        <Money of={sum} />
      </strong>
    </>
  );
}

/** Explains the order's state: its meaning, the place of the money, and the deadline. Absent if the headline says everything. */
export function SituationNote({ order, reason, now }: { order: Order; reason: string | undefined; now: number }): ReactNode {
  const locale = useLocale();
  const text = useMoneyText();
  const note = (tone: Parameters<typeof Message>[0]['tone'], title: ReactNode, more?: ReactNode): ReactNode => (
    <div className={css['block']}>
      <Message tone={tone} title={title} isLive>
        {more}
      </Message>
    </div>
  );
  const by = (words: typeof m.check_until, time: string | undefined): string | undefined =>
    time === undefined ? undefined : words({ time: writeDeadline(time, now, locale) });
  const short = shortWords(order, now, locale, text);
  switch (order.status) {
    case 'seen':
    case 'confirming':
      if (order.late) return note('warning', reason ?? m.note_late_title(), m.note_late());
      return short === undefined
        ? note('info', m.note_in_time_title(), m.note_in_time())
        : note('warning', m.note_short_title(), short);
    case 'checking':
      return note(
        'warning',
        reason ?? m.note_checking_title(),
        [m.note_checking(), by(m.check_until, order.deadline)].filter(Boolean).join(' '),
      );
    case 'choose': {
      // The note about an unallocated payment leaves out the amount, because the headline contains the amount.
      const isTimed = short === undefined;
      const facts = short ?? (order.kind === 'order' && order.arrived && m.note_arrived({ arrived: text(order.arrived) }));
      return note(
        'warning',
        reason ?? (order.kind === 'unallocated' ? m.note_unallocated_title() : m.note_choose_title()),
        [facts, isTimed && by(m.choose_by, order.choose_by)].filter(Boolean).join(' '),
      );
    }
    case 'paying':
      if (order.reason === 'shallow') return note('info', m.note_shallow_title(), reason);
      return note('info', m.note_paying_title(), reason ?? m.note_paying());
    case 'expired':
    case 'cancelled':
      return note('neutral', m.note_ended_title(), m.note_ended());
    case 'refunding':
      if (order.reason === 'shallow') return note('info', m.note_shallow_title(), reason);
      return note('info', m.note_refunding_title(), reason ?? m.note_refunding());
    case 'refunded':
      return reason === undefined ? null : note('neutral', reason);
    case 'rejected':
      return note('error', reason ?? m.note_rejected_title(), m.note_rejected());
    default:
      if (order.reason === 'looking') return note('warning', reason);
      return order.held || order.status !== 'waiting' ? null : note('info', m.review_not_held());
  }
}

/**
 * Returns the text about a partial payment while the rate is locked. It names the missing amount, the consequence if nothing more
 * is sent, and the customer's options. Returns undefined if nothing is missing, or the lock has ended.
 */
function shortWords(
  { status, arrived, due, give, short_at: shortAt, expires_at: until, choose_by: chooseBy, choices }: Order,
  now: number,
  locale: 'en' | 'ru',
  text: ReturnType<typeof useMoneyText>,
): string | undefined {
  if (!arrived || !due || Date.parse(until) <= now) return undefined;
  const sums = { arrived: text(arrived), whole: text(give), due: text(due), time: writeDeadline(until, now, locale) };
  if (shortAt !== undefined)
    return [m.note_short_itself(sums), choices.length > 0 && m.note_short_choices()].filter(Boolean).join(' ');
  const missing = m.note_short(sums);
  if (status !== 'choose') return `${missing} ${m.note_short_choose()}`;
  return chooseBy === undefined ? missing : `${missing} ${m.note_short_or({ time: writeDeadline(chooseBy, now, locale) })}`;
}
