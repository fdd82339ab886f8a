import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { Money, useMoneyText } from '../../../../../../features/money.tsx';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Card } from '../../card.tsx';
import { isZero } from '../../../wallet/worth.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import { useStoreTime } from '../invoices/store-times.ts';
import css from './decision.module.css';
import type { InvoiceData } from './page.server.ts';

type Decision = NonNullable<Invoice['decision']>;
type Sums = Decision['store_gets'];

/** Forms by which a member decides about money that came short or late, with the result of each choice in money. */
export function DecisionCard({ data }: { data: InvoiceData }): ReactNode {
  const { invoice, store } = data;
  const write = useStoreTime(store.timezone);
  const { decision } = invoice;
  if (!decision) return null;
  const time = write(decision.until ?? invoice.expires_at);
  return (
    <Card id="decision" title={decision.kind === 'short' ? m.invoices_decide_short() : m.invoices_decide_late()}>
      <div className={css['body']}>
        <p className="small soft">{leadOf(decision, time)}</p>
        {!isZero(invoice.pending) && <p className="small">{m.invoices_decide_pending()}</p>}
        <div className={css['choices']}>
          <Accept data={data} decision={decision} />
          {decision.kind === 'short' ? (
            <GiveBack data={data} decision={decision} />
          ) : (
            <Choice title={m.invoices_decide_leave()} gets={decision.payers_get} who={m.invoices_decide_payer_has()}>
              <p className="small soft">{m.invoices_decide_leave_text()}</p>
            </Choice>
          )}
        </div>
        {!mayDecide(data) && <p className="small soft">{m.invoices_decide_others()}</p>}
      </div>
    </Card>
  );
}

const mayDecide = ({ store }: InvoiceData): boolean => store.permissions.includes('payments.decide');

function leadOf({ kind, preset }: Decision, time: string): string {
  if (kind === 'late') return m.invoices_decide_late_lead({ time });
  return preset === 'accept' ? m.invoices_decide_preset_accept({ time }) : m.invoices_decide_preset_give_back({ time });
}

interface ChoiceProps {
  readonly data: InvoiceData;
  readonly decision: Decision;
}

function Accept({ data, decision }: ChoiceProps): ReactNode {
  const text = useMoneyText();
  const { currency } = data.invoice;
  const sum = text({ amount: decision.sum, currency });
  const isOpen = decision.kind === 'short' || decision.has_price;
  return (
    <Choice title={m.invoices_accept_title()} gets={decision.store_gets} who={m.invoices_decide_store_gets()}>
      <p className="small soft">{isOpen ? m.invoices_accept_text({ sum }) : m.invoices_accept_no_price()}</p>
      {isOpen && <Confirm data={data} intent="accept" name={m.invoices_accept()} sure={m.invoices_accept_sure({ sum })} />}
    </Choice>
  );
}

function GiveBack({ data, decision }: ChoiceProps): ReactNode {
  return (
    <Choice title={m.invoices_give_back_title()} gets={decision.payers_get} who={m.invoices_decide_payer_gets()}>
      <p className="small soft">
        {m.invoices_give_back_text()}
        {!decision.has_price && ` ${m.invoices_give_back_no_price()}`}
      </p>
      <Confirm data={data} intent="give_back" name={m.invoices_give_back()} sure={m.invoices_give_back_sure()} />
    </Choice>
  );
}

/** One choice: its title, who receives what, and more about it. */
function Choice({ title, gets, who, children }: { title: string; gets: Sums; who: string; children: ReactNode }): ReactNode {
  return (
    <section className={css['choice']}>
      <h3>{title}</h3>
      {gets.length > 0 && (
        <p className={css['gets']}>
          <span className="small soft">{who}</span>
          {gets.map((sum, at) => (
            <b className="num" key={`${at} ${sum.currency}`}>
              <Money of={sum} />
            </b>
          ))}
        </p>
      )}
      {children}
    </section>
  );
}

/** Opens the form that makes a choice. Absent for members who may not decide. The form decides about the sums that the page shows. */
function Confirm({
  data,
  intent,
  name,
  sure,
}: {
  data: InvoiceData;
  intent: 'accept' | 'give_back';
  name: string;
  sure: string;
}): ReactNode {
  const busy = useNavigation().formData?.get('intent') === intent;
  if (!mayDecide(data)) return null;
  return (
    <details className={css['confirm']}>
      <summary>{name}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="version" value={data.invoice.version} />
        <p className="small soft">{m.invoices_decide_final()}</p>
        <Button type="submit" look={intent === 'accept' ? 'primary' : 'danger'} size="small" busy={busy && m.account_saving()}>
          {sure}
        </Button>
      </Form>
    </details>
  );
}
