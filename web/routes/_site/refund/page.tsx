import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { Money } from '../../../features/money.tsx';
import { restOf } from '../../../features/rest-of.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeTime } from '../../../ui/base/time.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Main } from '../layout.tsx';
import { ClaimForm, claimFields } from './claim-form.tsx';
import { Claims } from './claims.tsx';
import { MethodForm } from './method-form.tsx';
import type { ClaimMethod, RefundAnswer, RefundData } from './page.server.ts';
import { isUndone } from './refund-state.ts';
import css from './refund.module.css';
import { useRefundChanges } from './use-refund-changes.ts';

/** Page of a refund by a shop. The receiver chooses a currency and an account for the money. */
export default function RefundPage(): ReactNode {
  const data = useLoaderData<RefundData>();
  const answer = useActionData<RefundAnswer>();
  const isConnected = useRefundChanges(data);
  return (
    <Main className={`wrap ${css['page']}`}>
      <Head data={data} />
      {data.refund.test && (
        <Message tone="warning" title={m.refund_test()}>
          {m.refund_test_text()}
        </Message>
      )}
      <Result data={data} answer={answer} />
      <Steps data={data} answer={answer} />
      <Claims data={data} isConnected={isConnected} />
    </Main>
  );
}

/** The shop, the amount, and until when it can be claimed. */
function Head({ data: { refund } }: { data: RefundData }): ReactNode {
  const { locale } = useSite();
  const { store, amount, note, number, left, expires_at: until } = refund;
  return (
    <div className={css['head']}>
      <p className="small soft">{m.refund_from({ store: store.name, number })}</p>
      <h1 className="title">
        <Money of={amount} look="large" />
      </h1>
      {note !== undefined && <blockquote className={css['note']}>{note}</blockquote>}
      {left.length > 0 && <p className="small soft">{m.refund_until({ time: writeTime(until, locale) })}</p>}
    </div>
  );
}

/** The result of a form: why a claim was refused, or that it was made. */
function Result({ data, answer }: { data: RefundData; answer: RefundAnswer | undefined }): ReactNode {
  if (answer?.message !== undefined) return <Refusal data={data} answer={answer} />;
  const last = data.refund.claims.at(-1);
  if (data.refund.state === 'claimed' && last?.status === 'confirming')
    return (
      <Message tone="info" title={m.refund_confirming_title()} isLive>
        {m.refund_confirming_text()}
      </Message>
    );
  if (last?.status === 'approving')
    return (
      <Message tone="info" title={m.refund_approving_title()} isLive>
        {m.refund_approving_text()}
      </Message>
    );
  if (last?.status === 'paying')
    return (
      <Message tone="info" title={m.refund_paying_title()} isLive>
        {m.refund_paying_text()}
      </Message>
    );
  if (isUndone(data.refund))
    return (
      <Message tone="warning" title={m.refund_undone_title()} isLive>
        {last?.payment_reversed ? m.refund_undone_reversed() : m.refund_undone_text({ store: data.refund.store.name })}
      </Message>
    );
  if (last?.status === 'failed' || last?.status === 'returned')
    return (
      <Message tone="warning" title={m.refund_back_title()} isLive>
        {m.refund_back_text()}
      </Message>
    );
  return null;
}

/** Why a form was refused, unless the form's own fields say all of it. */
function Refusal({ data, answer }: { data: RefundData; answer: RefundAnswer }): ReactNode {
  const shown = claimFields(chosenMethod(data), answer);
  const rest = restOf(answer, (field) => shown.includes(field));
  return <Message tone="error" isLive title={rest ?? m.fields_to_check({ count: Object.keys(answer.errors ?? {}).length })} />;
}

/** The two steps of a claim: the currency, then the account. Says why nothing can be claimed. */
function Steps({ data, answer }: { data: RefundData; answer: RefundAnswer | undefined }): ReactNode {
  const { refund } = data;
  if (refund.left.length === 0) return <Over data={data} />;
  if (refund.waits !== undefined)
    return (
      <Message tone="warning" title={m.refund_waits_title()}>
        {m.refund_waits_text()}
      </Message>
    );
  const method = chosenMethod(data);
  if (method) return <ClaimForm data={data} method={method} answer={answer} />;
  return <MethodForm data={data} />;
}

/** Returns the method for which the second step asks; undefined in the first step. */
const chosenMethod = ({ refund, wanted, amountError }: RefundData): ClaimMethod | undefined =>
  amountError === undefined
    ? refund.methods.find((one) => one.method === wanted.method && one.receives !== undefined)
    : undefined;

/** Says that nothing is left to claim, and why. */
function Over({ data: { refund } }: { data: RefundData }): ReactNode {
  if (isUndone(refund)) return null;
  if (refund.state === 'expired' || refund.state === 'cancelled')
    return (
      <Message tone="neutral" title={refund.state === 'expired' ? m.refund_expired_title() : m.refund_cancelled_title()}>
        {m.refund_ended_text({ store: refund.store.name })}
      </Message>
    );
  if (refund.state === 'paid') return <Message tone="success" title={m.refund_paid_title()} isLive />;
  return null;
}
