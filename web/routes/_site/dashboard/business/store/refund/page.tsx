import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { Money } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { type Closed, isClosed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { BackLink } from '../../../back-link.tsx';
import { Skeleton } from '../../../frame/skeleton.tsx';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import css from '../invoice/invoice.module.css';
import { Fact } from '../invoice/payments.tsx';
import { useStoreTime } from '../invoices/store-times.ts';
import { RefundPill } from '../refunds/refund-pills.tsx';
import { CancelRefund } from './cancel-refund.tsx';
import { StoreClaims } from './claims.tsx';
import { RefundEvents } from './events.tsx';
import type { StoreRefundData } from './page.server.ts';

/** Page of one refund: its link, its sums, its claims and its history. */
export default function StoreRefundPage(): ReactNode {
  const data = useLoaderData<StoreRefundData | Closed>();
  if (isClosed(data))
    return (
      <>
        <h1 className="sr">{data.head.title}</h1>
        <Skeleton rows={6} />
      </>
    );
  return <RefundParts data={data} />;
}

function RefundParts({ data }: { data: StoreRefundData }): ReactNode {
  const { store, refund } = data;
  return (
    <>
      <BackLink to="storeRefunds" query={{ store: store.id }}>
        {m.refunds_back({ store: store.name })}
      </BackLink>
      <div className={css['head']}>
        <h1 className="title">{m.refunds_number({ number: refund.number })}</h1>
        <span className={css['pills']}>
          <RefundPill state={refund.state} />
        </span>
      </div>
      <div className={css['grid']}>
        <div className={css['stack']}>
          <div className={css['first']}>
            <Result />
            {refund.left.length > 0 && <ClaimLink refund={refund} />}
            {isForPayments(refund) && <p className="small soft">{m.refunds_no_link()}</p>}
            <CancelRefund data={data} />
          </div>
          <StoreClaims data={data} />
        </div>
        <aside className={css['aside']} aria-label={m.refunds_details()}>
          <Details data={data} />
          <RefundEvents data={data} />
        </aside>
      </div>
    </>
  );
}

/** True if all of a refund goes back to payments, so that nobody claims anything by its link. */
const isForPayments = ({ left, claims }: StoreRefundData['refund']): boolean =>
  left.length === 0 && claims.length > 0 && claims.every((claim) => claim.to_payment);

/** Link of the page on which the refund is claimed, to copy. Members who may not see it read who has it. */
function ClaimLink({ refund: { url, email } }: Pick<StoreRefundData, 'refund'>): ReactNode {
  if (url === undefined) return <p className="small soft">{m.refunds_link_hidden()}</p>;
  return (
    <>
      <Copyable
        label={m.refunds_link()}
        value={url}
        hint={email === undefined ? m.refunds_link_hint() : m.refunds_link_code({ email })}
        words={{ copy: m.copy(), copied: m.copied() }}
        isStacked
      >
        <span className={css['url']}>{url}</span>
      </Copyable>
      <div className={css['acts']}>
        <ButtonLink look="secondary" size="small" icon="link-simple" href={url} target="_blank" rel="noopener">
          {m.refunds_link_open()}
        </ButtonLink>
      </div>
    </>
  );
}

/** Result of a form of the page. */
function Result(): ReactNode {
  const [cancel, confirm, refuse] = [useAnswer('cancel'), useAnswer('confirm'), useAnswer('refuse')];
  const answer = cancel ?? confirm ?? refuse;
  if (!answer) return null;
  if (answer.message !== undefined) return <Message tone="error" isLive title={answer.message} />;
  const done = cancel ? m.refunds_cancel_done() : confirm ? m.claims_confirm_done() : m.claims_refuse_done();
  return <Message tone="success" isLive title={done} />;
}

function Details({ data: { refund, store } }: { data: StoreRefundData }): ReactNode {
  const { locale } = useSite();
  const write = useStoreTime(store.timezone);
  return (
    <Card id="details" title={m.refunds_details()}>
      <div className={css['inCard']}>
        <dl className={css['facts']}>
          <Fact name={m.refunds_amount()}>
            <Money of={refund.amount} />
          </Fact>
          <Fact name={refund.claims.some((claim) => claim.to_payment) ? m.refunds_taken_reserve() : m.refunds_taken()}>
            <Money of={refund.taken} />
          </Fact>
          {refund.left.map((sum) => (
            <Fact key={sum.currency} name={m.refunds_left()}>
              <Money of={sum} />
            </Fact>
          ))}
          {refund.returned.map((sum) => (
            <Fact key={sum.currency} name={m.refunds_returned()}>
              <Money of={sum} />
            </Fact>
          ))}
          {refund.invoice !== undefined && (
            <Fact name={m.refunds_invoice()}>
              <a className="link" href={pageUrl(locale, 'storeInvoice', { store: store.id, id: refund.invoice })}>
                {refund.invoice_number}
              </a>
            </Fact>
          )}
          {refund.email !== undefined && <Fact name={m.refunds_email()}>{refund.email}</Fact>}
          {!isForPayments(refund) && <Fact name={m.refunds_until()}>{write(refund.expires_at)}</Fact>}
          {refund.note !== undefined && (
            <Fact name={m.refunds_note()} isWide>
              <span className={css['text']}>{refund.note}</span>
            </Fact>
          )}
        </dl>
      </div>
    </Card>
  );
}
