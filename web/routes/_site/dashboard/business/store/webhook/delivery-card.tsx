import type { ReactNode } from 'react';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { pageUrl } from '../../../../../pages.ts';
import { type Delivery, answerWords } from '../webhooks/webhook-words.ts';
import type { WebhookData } from './page.server.ts';
import css from './webhook.module.css';

/** One delivery: its attempts with their answers, and its body. */
export function DeliveryCard({ data: { store }, delivery }: { data: WebhookData; delivery: Delivery }): ReactNode {
  const { locale } = useSite();
  const { type, invoice, refund, attempts, body } = delivery;
  return (
    <section className="card" aria-labelledby="delivery-title">
      <div className={css['top']}>
        <h2 className="card-title" id="delivery-title">
          <code>{type}</code>
        </h2>
        {invoice !== undefined && (
          <a className="link small" href={pageUrl(locale, 'storeInvoice', { store: store.id, id: invoice })}>
            {m.webhooks_invoice()}
          </a>
        )}
        {refund !== undefined && (
          <a className="link small" href={pageUrl(locale, 'storeRefund', { store: store.id, id: refund })}>
            {m.webhooks_refund()}
          </a>
        )}
      </div>
      <div className={css['delivery']}>
        <h3>{m.webhooks_attempts()}</h3>
        {attempts.length === 0 ? (
          <p className="small soft">{m.webhooks_no_attempts()}</p>
        ) : (
          <ol className={css['attempts']}>
            {attempts.map((attempt) => (
              <li key={attempt.at} className="small">
                {writeTime(attempt.at, locale)} · {m.webhooks_ms({ ms: attempt.latency_ms })} ·{' '}
                <b>{answerWords(attempt) ?? m.webhooks_no_answer()}</b>
              </li>
            ))}
          </ol>
        )}
        <h3>{m.webhooks_sent_body()}</h3>
        <pre className={css['body']}>{indented(body)}</pre>
      </div>
    </section>
  );
}

/** Returns JSON with line breaks, to be read. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
