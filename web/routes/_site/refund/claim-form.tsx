import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { AccountInput } from '../../../features/account-input.tsx';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { OneTimeCode } from '../../../ui/fields/one-time-code.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { pageUrl } from '../../pages.ts';
import type { ClaimMethod, RefundAnswer, RefundData } from './page.server.ts';
import css from './refund.module.css';

/** Returns the names of the fields that the second step shows after an answer; none in the first step. */
export const claimFields = (method: ClaimMethod | undefined, { handle }: Pick<RefundAnswer, 'handle'>): readonly string[] =>
  method ? [...method.fields.map(({ name }) => `to.${name}`), ...(handle === undefined ? [] : ['otp'])] : [];

/** Second step: what arrives, the account, and the mailed code if the refund was made for an e-mail address. */
export function ClaimForm({
  data,
  method,
  answer,
}: {
  data: RefundData;
  method: ClaimMethod;
  answer: RefundAnswer | undefined;
}): ReactNode {
  const { locale } = useSite();
  const currency = useCurrency(method.currency);
  const { refund, token } = data;
  const claim = refund.claim ?? { amount: '0', currency: '' };
  const { receives = '0' } = method;
  const back = pageUrl(locale, 'refund', { id: refund.id, token });
  return (
    <section className="card" aria-labelledby="refund-where">
      <h2 className={`card-title ${css['title']}`} id="refund-where">
        {m.refund_where()}
      </h2>
      <Form method="post" className={css['form']} noValidate preventScrollReset>
        {[
          ['method', method.method],
          ['unit', claim.currency],
          ['amount', claim.amount],
          ['receive', receives],
          ['version', String(refund.version)],
          ['handle', answer?.handle ?? ''],
        ].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Sums claim={claim} method={method} />
        {method.fields.map((field) => (
          <AccountInput
            key={field.name}
            field={field}
            name={`to.${field.name}`}
            currency={currency}
            value={answer?.values[`to.${field.name}`] ?? ''}
            error={answer?.errors?.[`to.${field.name}`]?.[0]}
          />
        ))}
        {refund.bounded && <p className="small soft">{m.refund_bounded()}</p>}
        <Confirm refund={refund} answer={answer} />
        <a className="link" href={back}>
          {m.refund_other()}
        </a>
      </Form>
    </section>
  );
}

/** The claimed sum, its costs, and what is left of it. */
function Sums({ claim, method }: { claim: NonNullable<RefundData['refund']['claim']>; method: ClaimMethod }): ReactNode {
  const { receives = '0', fee = '0', spread } = method;
  const { currency } = claim;
  return (
    <dl className={css['sums']}>
      <Row name={m.refund_claimed()} sum={claim} />
      <Row name={m.refund_fee()} sum={{ amount: fee, currency }} sign="−" />
      {spread !== undefined && <Row name={m.refund_spread()} sum={{ amount: spread, currency }} sign="−" />}
      <Row name={m.refund_receives()} sum={{ amount: receives, currency: method.currency }} isStrong />
    </dl>
  );
}

/** The button that claims, after the mailed code if the refund was made for an e-mail address. */
function Confirm({ refund, answer }: { refund: RefundData['refund']; answer: RefundAnswer | undefined }): ReactNode {
  const intent = useNavigation().formData?.get('intent');
  const { needs_code: needsCode, email = '' } = refund;
  const canClaim = !needsCode || answer?.handle !== undefined;
  return (
    <>
      {needsCode && canClaim && (
        <>
          <Message tone="info" title={m.refund_code_sent({ email })} isLive />
          <OneTimeCode name="otp" label={m.refund_code()} error={answer?.errors?.['otp']?.[0]} />
        </>
      )}
      {canClaim ? (
        <Button type="submit" name="intent" value="claim" isWide busy={intent === 'claim' && m.refund_claiming()}>
          {m.refund_claim()}
        </Button>
      ) : (
        <p className="small soft">{m.refund_code_lead({ email })}</p>
      )}
      {needsCode && (
        <Button
          type="submit"
          name="intent"
          value="code"
          look={canClaim ? 'secondary' : 'primary'}
          busy={intent === 'code' && m.refund_code_sending()}
        >
          {canClaim ? m.refund_code_again() : m.refund_code_send()}
        </Button>
      )}
    </>
  );
}

function Row({
  name,
  sum,
  sign,
  isStrong = false,
}: {
  name: string;
  sum: { readonly amount: string; readonly currency: string };
  sign?: '−';
  isStrong?: boolean;
}): ReactNode {
  const money = <Money of={sum} {...(sign && { sign })} />;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isStrong ? <b>{money}</b> : money}</dd>
    </div>
  );
}
