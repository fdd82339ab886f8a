import type { ReactNode } from 'react';
import { useMoneyText } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { isChecked, isGivenBack, isMarked, isTimeOver, isUnfinished } from '../pay-data.ts';
import { usePay } from '../use-pay.ts';
import type { View } from '../view.ts';
import { ReturnLink } from './return-link.tsx';
import { WithNumber } from './with-number.tsx';

/** Notes about the invoice's state: what happens to the money, and what the buyer can do. */
export function Notes({ view }: { view: View }): ReactNode {
  const { invoice } = usePay().data;
  return (
    <>
      {isUnfinished(invoice) && invoice.dropped && <DroppedNote />}
      {invoice.late && (
        <Message tone="warning" title={m.checkout_late()} isLive>
          <WithNumber>
            {isUnfinished(invoice) ? m.checkout_late_text() : m.checkout_late_ended({ number: invoice.number })}
          </WithNumber>
        </Message>
      )}
      {isUnfinished(invoice) && invoice.payments.some(({ refused }) => refused) && (
        <Message tone="warning" title={m.checkout_not_accepted()} isLive>
          {m.checkout_not_accepted_text()}
        </Message>
      )}
      <StateNote view={view} />
    </>
  );
}

/** Note that a payment has vanished from its network, so that more is due than before. */
function DroppedNote(): ReactNode {
  const { due, currency } = usePay().data.invoice;
  const text = useMoneyText();
  return (
    <Message tone="warning" title={m.checkout_dropped()} isLive>
      {due === undefined ? m.checkout_dropped_safe() : m.checkout_dropped_due({ due: text({ amount: due, currency }) })}
    </Message>
  );
}

function StateNote({ view }: { view: View }): ReactNode {
  const { now, data } = usePay();
  const { invoice } = data;
  const text = useMoneyText();
  const { currency, number, credited, amount = credited } = invoice;
  if (isMarked(invoice)) return <Ended>{m.checkout_marked_text({ number })}</Ended>;
  switch (invoice.state) {
    case 'open':
      if (isTimeOver(invoice, now)) return <Message tone="info">{m.checkout_time_over_text()}</Message>;
      return view === 'none' ? <Message tone="neutral">{m.checkout_closed_text()}</Message> : null;
    case 'confirming':
      return <Message tone="info">{isChecked(invoice) ? m.checkout_checking_text() : m.checkout_confirming_text()}</Message>;
    case 'short': {
      const sums = { credited: text({ amount: credited, currency }), amount: text({ amount, currency }) };
      return (
        <Message tone="warning" title={m.checkout_short_paid(sums)} isLive>
          {view === 'none' ? m.checkout_short_closed() : m.checkout_short_text()}
        </Message>
      );
    }
    case 'expired':
      if (isGivenBack(invoice)) return <GivenBack />;
      return <Ended>{m.checkout_expired_text({ number })}</Ended>;
    case 'cancelled':
      return <Ended>{m.checkout_cancelled_text({ number })}</Ended>;
    case 'invalid':
      return <Ended>{m.checkout_invalid_text({ number })}</Ended>;
    case 'settled':
      return null;
  }
}

/** Note that the shop gave a partly paid invoice back, with what its payer can do. */
function GivenBack(): ReactNode {
  return (
    <>
      <Message tone="warning" title={m.checkout_given_back()} isLive>
        {m.checkout_given_back_text()}
      </Message>
      <ReturnLink />
    </>
  );
}

/**
 * Note about an invoice that has ended without being paid, with the way back to the shop. If a payment came too late, another note
 * says the same about it.
 */
function Ended({ children }: { children: string }): ReactNode {
  const { late } = usePay().data.invoice;
  return (
    <>
      {!late && (
        <Message tone="neutral">
          <WithNumber>{children}</WithNumber>
        </Message>
      )}
      <ReturnLink />
    </>
  );
}
