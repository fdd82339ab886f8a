import type { ReactNode } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { ErrorSummary } from '../../../../../features/refusal/error-summary.tsx';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { type Closed, isClosed } from '../../../../closed.ts';
import { Section } from '../../account/section.tsx';
import { BackLink } from '../../back-link.tsx';
import { Skeleton } from '../../frame/skeleton.tsx';
import type { FormAnswer } from '../answered.ts';
import { LevelMessage } from '../application.tsx';
import css from './apply.module.css';
import { APPLICATION_FIELDS, OWNERS } from './application-form.ts';
import { CompanyFields, OwnerFields, SalesFields } from './application-fields.tsx';
import type { ApplyData } from './page.server.ts';

/** Page with the form by which an account holder applies for a business. */
export default function ApplyPage(): ReactNode {
  const data = useLoaderData<ApplyData | Closed>();
  return (
    <>
      <BackLink to="business">{m.dashboard_business()}</BackLink>
      <h1 className="title">{m.business_apply()}</h1>
      <p className={`soft ${css['lead']}`}>{m.business_apply_lead()}</p>
      {isClosed(data) ? <Skeleton rows={9} /> : <Application data={data} />}
    </>
  );
}

function Application({ data }: { data: ApplyData }): ReactNode {
  const answer = useActionData<FormAnswer>();
  const busy = useNavigation().state === 'submitting';
  const values = answer?.values ?? data.values;
  const of = (name: string) => ({ name, defaultValue: values[name], error: answer?.errors?.[name]?.[0] });
  return (
    <Form method="post" noValidate className={css['form']}>
      {answer?.message !== undefined && <ErrorSummary answer={answer} fields={APPLICATION_FIELDS} labels={labels()} />}
      {data.level < data.level_needed && (
        <div className={css['level']}>
          <LevelMessage level={data.level} levelNeeded={data.level_needed} />
        </div>
      )}
      <Section title={m.business_company()} lead={m.business_company_lead()}>
        <CompanyFields of={of} refused={data.countries_refused} />
      </Section>
      <Section title={m.business_sales()} lead={m.business_sales_lead()}>
        <SalesFields of={of} refused={data.goods_refused} />
      </Section>
      <Section title={m.business_owners()} lead={m.business_owners_lead()}>
        <OwnerFields of={of} />
      </Section>
      <div className={css['end']}>
        <p className="small soft">{m.business_apply_next()}</p>
        <Button type="submit" size="large" busy={busy && m.business_sending()}>
          {m.business_send()}
        </Button>
      </div>
    </Form>
  );
}

/** Names of fields, for the list of errors. */
const labels = (): Readonly<Record<string, string>> => ({
  legal_name: m.business_legal_name(),
  registration_number: m.business_registration(),
  country: m.business_country(),
  address: m.business_address(),
  web_sites: m.business_sites(),
  goods: m.business_goods(),
  turnover_usd: m.business_turnover(),
  owners: m.business_owners(),
  ...Object.fromEntries(
    Array.from({ length: OWNERS }, (_, at) => String(at + 1)).flatMap((number, at) => [
      [`owners.${at}.name`, m.business_owner_name({ number })],
      [`owners.${at}.percent`, m.business_owner_percent_of({ number })],
    ]),
  ),
});
