import { add, format, parse } from '@kurs/money';
import type { ReactNode } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { findCurrency, shortNameOf } from '../../../../../../../features/currency.ts';
import type { Sum } from '../../../../../../../features/money.tsx';
import { useSite } from '../../../../../../../features/site.ts';
import { ErrorSummary } from '../../../../../../../features/refusal/error-summary.tsx';
import { m } from '../../../../../../../features/words.ts';
import { Button } from '../../../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../../ui/fields/select.tsx';
import { TextArea } from '../../../../../../../ui/fields/text-area.tsx';
import { Message } from '../../../../../../../ui/parts/message.tsx';
import { type Closed, isClosed } from '../../../../../../closed.ts';
import { pageUrl } from '../../../../../../pages.ts';
import { BackLink } from '../../../../back-link.tsx';
import { Skeleton } from '../../../../frame/skeleton.tsx';
import { Section } from '../../../../account/section.tsx';
import type { FormAnswer } from '../../../answered.ts';
import invoices from '../../invoices/new/new.module.css';
import css from './amounts.module.css';
import type { Invoice } from '../../invoices/invoice-words.ts';
import { Amounts } from './amounts.tsx';
import type { NewRefundData } from './page.server.ts';

const FIELDS = ['amount', 'currency', 'email', 'note'] as const;

/** Page with the form by which a member refunds an invoice, or makes a refund without one. */
export default function NewRefundPage(): ReactNode {
  const data = useLoaderData<NewRefundData | Closed>();
  if (isClosed(data))
    return (
      <>
        <h1 className="sr">{data.head.title}</h1>
        <Skeleton rows={6} />
      </>
    );
  return <NewRefund data={data} />;
}

function NewRefund({ data }: { data: NewRefundData }): ReactNode {
  const { store, of } = data;
  const to = receiverOf(data);
  return (
    <>
      {of ? (
        <BackLink to="storeInvoice" query={{ store: store.id, id: of.invoice.id }}>
          {m.invoices_number({ number: of.invoice.number })}
        </BackLink>
      ) : (
        <BackLink to="storeRefunds" query={{ store: store.id }}>
          {m.refunds_back({ store: store.name })}
        </BackLink>
      )}
      <h1 className="title">{of ? m.refunds_new_of({ number: of.invoice.number }) : m.refunds_new()}</h1>
      {to !== 'payments' && <p className={`soft ${invoices['lead']}`}>{of ? m.refunds_new_of_lead() : m.refunds_new_lead()}</p>}
      <ToPayments data={data} />
      <RefundForm data={data} />
    </>
  );
}

/** Receivers of a refund: the invoice's payments, the holder of its link, or both. */
function receiverOf({ of }: NewRefundData): 'payments' | 'link' | 'both' {
  if (!of || of.amounts.to_payments.length === 0) return 'link';
  return of.amounts.has_link ? 'both' : 'payments';
}

/** Returns the sums of an invoice's payments that stand in the reserve, by currency. */
function reservedOf({ payments }: Invoice): Sum[] {
  const sums = payments.flatMap(({ in_reserve: parts = [] }) => parts.map(({ sum }) => sum));
  const currencies = [...new Set(sums.map(({ currency }) => currency))];
  return currencies.map((currency) => ({
    amount: format(sums.flatMap((sum) => (sum.currency === currency ? [parse(currency, sum.amount)] : [])).reduce(add)),
    currency,
  }));
}

/** Message that a part of the refund goes back to the payments of the invoice. */
function ToPayments({ data }: { data: NewRefundData }): ReactNode {
  const { currencies } = useSite();
  const codes = data.of?.amounts.to_payments ?? [];
  if (codes.length === 0) return null;
  const names = codes.map((code) => shortNameOf(findCurrency(currencies, code), currencies)).join(', ');
  return (
    <div className={css['toPayments']}>
      <Message tone="info" title={m.refunds_to_payment()}>
        {m.refunds_to_payment_text({ names })}
      </Message>
    </div>
  );
}

function RefundForm({ data }: { data: NewRefundData }): ReactNode {
  const answer = useActionData<FormAnswer>();
  const busy = useNavigation().state === 'submitting';
  const values = answer?.values ?? {};
  const labels = {
    amount: m.refunds_amount(),
    currency: m.invoices_currency(),
    email: m.refunds_email(),
    note: m.refunds_note(),
  };
  const error = (name: string) => answer?.errors?.[name]?.[0];
  const { of } = data;
  const to = receiverOf(data);
  const hasLink = to !== 'payments';
  return (
    <Form method="post" noValidate className={invoices['form']}>
      <input type="hidden" name="key" value={data.key} />
      {of && <input type="hidden" name="invoice" value={of.invoice.id} />}
      {answer?.message !== undefined && <ErrorSummary answer={answer} fields={FIELDS} labels={labels} />}
      <Section title={m.refunds_how_much()} lead={to === 'link' ? m.refunds_how_much_lead() : m.refunds_how_much_reserve()}>
        {of ? (
          <Amounts
            amounts={of.amounts}
            reserved={reservedOf(of.invoice)}
            url={of.invoice.url}
            choice={values['choice']}
            typed={values['amount']}
            error={error('amount')}
            funding={<Funding store={data.store} />}
          />
        ) : (
          <StatedAmount data={data} values={values} error={error} />
        )}
      </Section>
      <Section title={m.refunds_to_whom()} lead={hasLink ? m.refunds_to_whom_lead() : m.refunds_letter_lead()}>
        <div className={invoices['fields']}>
          <Field
            name="email"
            label={m.refunds_email_field()}
            hint={hasLink ? m.refunds_email_hint() : m.refunds_letter_hint()}
            type="email"
            autoComplete="off"
            maxLength={254}
            defaultValue={values['email'] ?? of?.invoice.email ?? ''}
            error={error('email')}
          />
          <TextArea
            name="note"
            label={m.refunds_note_field()}
            rows={3}
            maxLength={300}
            defaultValue={values['note'] ?? ''}
            error={error('note')}
          />
        </div>
      </Section>
      <div className={invoices['end']}>
        <Button type="submit" size="large" busy={busy && m.account_saving()}>
          {m.refunds_make()}
        </Button>
      </div>
    </Form>
  );
}

/** The way to what a store's balance lacks: its owner moves money from the wallet. */
function Funding({ store: { id, permissions } }: Pick<NewRefundData, 'store'>): ReactNode {
  const { locale } = useSite();
  if (!permissions.includes('settlement.move')) return m.refunds_fund_by_owner();
  return (
    <a className="link" href={pageUrl(locale, 'storeSettlements', { id })}>
      {m.refunds_fund()}
    </a>
  );
}

function StatedAmount({
  data,
  values,
  error,
}: {
  data: NewRefundData;
  values: Readonly<Record<string, string>>;
  error: (name: string) => string | undefined;
}): ReactNode {
  const { invoice_currencies: currencies } = data.choices;
  return (
    <div className={invoices['pair']}>
      <Field
        name="amount"
        label={m.refunds_amount()}
        inputMode="decimal"
        maxLength={40}
        defaultValue={values['amount'] ?? ''}
        error={error('amount')}
      />
      <Select
        name="currency"
        label={m.invoices_currency()}
        defaultValue={values['currency'] ?? data.store.invoice_currency}
        error={error('currency')}
      >
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </Select>
    </div>
  );
}
