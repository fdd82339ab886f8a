import { type ReactNode, useRef, useState } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { ErrorSummary } from '../../../../../../../features/refusal/error-summary.tsx';
import { m } from '../../../../../../../features/words.ts';
import { Button } from '../../../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../../../ui/parts/message.tsx';
import { type Closed, isClosed } from '../../../../../../closed.ts';
import { Section } from '../../../../account/section.tsx';
import { BackLink } from '../../../../back-link.tsx';
import { Skeleton } from '../../../../frame/skeleton.tsx';
import type { FormAnswer } from '../../../answered.ts';
import { AmountFields, OrderFields, TermFields } from './fields.tsx';
import { type Values, lineField, lineRows } from './line-rows.ts';
import { LinesField } from './lines-field.tsx';
import { INVOICE_FIELDS } from './new-invoice.ts';
import css from './new.module.css';
import type { NewInvoiceData } from './page.server.ts';

/** Page with the form by which a member makes an invoice. */
export default function NewInvoicePage(): ReactNode {
  const data = useLoaderData<NewInvoiceData | Closed>();
  if (isClosed(data))
    return (
      <>
        <h1 className="sr">{data.head.title}</h1>
        <Skeleton rows={9} />
      </>
    );
  return (
    <>
      <BackLink to="storeInvoices" query={{ store: data.store.id }}>
        {m.invoices_back({ store: data.store.name })}
      </BackLink>
      <h1 className="title">{m.invoices_new()}</h1>
      <p className={`soft ${css['lead']}`}>{m.invoices_new_lead()}</p>
      <NewInvoiceForm data={data} />
    </>
  );
}

const NOTHING: Values = {};

function NewInvoiceForm({ data }: { data: NewInvoiceData }): ReactNode {
  const answer = useActionData<FormAnswer>();
  const busy = useNavigation().state === 'submitting';
  const form = useRef<HTMLFormElement>(null);
  const values = answer?.values ?? NOTHING;
  const [typed, setTyped] = useState<Values>({ currency: data.store.invoice_currency, ...values });
  const read = (): void => {
    if (form.current) setTyped(valuesOf(form.current));
  };
  const takeAmount = (text: string): void => {
    const input = form.current?.elements.namedItem('amount');
    if (input instanceof HTMLInputElement) input.value = text;
    read();
  };
  const of = (name: string) => ({ name, defaultValue: values[name], error: answer?.errors?.[name]?.[0] });
  return (
    <Form ref={form} method="post" noValidate className={css['form']} onInput={read}>
      {/* Enter in a field presses a form's first button, which must not be one that removes a line. */}
      <button type="submit" className="sr" tabIndex={-1} aria-hidden="true" />
      <input type="hidden" name="key" value={data.key} />
      {answer?.message !== undefined && <ErrorSummary answer={answer} fields={fieldsOf(values)} labels={labelsOf(values)} />}
      {data.store.test && (
        <div className={css['note']}>
          <Message tone="info" title={m.invoices_test_title()}>
            {m.invoices_test_text()}
          </Message>
        </div>
      )}
      <Section title={m.invoices_sum()} lead={m.invoices_sum_lead()}>
        <AmountFields of={of} kind={values['kind']} data={data} />
      </Section>
      <div className={css['fixed']}>
        <Section title={m.invoices_lines()} lead={m.invoices_lines_lead()}>
          <LinesField of={of} start={values} typed={typed} onRows={read} onAmount={takeAmount} />
        </Section>
      </div>
      <Section title={m.invoices_order()} lead={m.invoices_order_lead()}>
        <OrderFields of={of} data={data} />
      </Section>
      <Section title={m.invoices_terms()} lead={m.invoices_terms_lead()}>
        <TermFields of={of} answer={answer} data={data} />
      </Section>
      <div className={css['end']}>
        <Button type="submit" size="large" busy={busy && m.account_saving()}>
          {m.invoices_make()}
        </Button>
      </div>
    </Form>
  );
}

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** Names of the form's fields, in the order of the page. */
const fieldsOf = (values: Values): readonly string[] => [
  ...INVOICE_FIELDS,
  ...lineRows(values).flatMap((_, at) => (['name', 'quantity', 'unit_price'] as const).map((part) => lineField(at, part))),
];

/** Names of fields, for the list of errors. */
const labelsOf = (values: Values): Readonly<Record<string, string>> => ({
  amount: m.invoices_amount(),
  currency: m.invoices_currency(),
  tax: m.invoices_tax(),
  description: m.invoices_description(),
  lines: m.invoices_lines(),
  order_id: m.invoices_order_id(),
  email: m.invoices_email(),
  return_url: m.store_return(),
  metadata: m.invoices_metadata(),
  life_minutes: m.store_life(),
  tolerance: m.store_tolerance(),
  methods: m.store_methods(),
  ...Object.fromEntries(
    lineRows(values).flatMap((_, at) => {
      const number = String(at + 1);
      return [
        [lineField(at, 'name'), m.invoices_line_name({ number })],
        [lineField(at, 'quantity'), m.invoices_line_quantity_of({ number })],
        [lineField(at, 'unit_price'), m.invoices_line_price_of({ number })],
      ];
    }),
  ),
});
