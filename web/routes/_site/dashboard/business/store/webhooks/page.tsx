import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { writeTime } from '../../../../../../ui/base/time.ts';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import type { Closed } from '../../../../../closed.ts';
import { pageUrl } from '../../../../../pages.ts';
import { StorePage } from '../store-head.tsx';
import { MakeWebhook } from './make-webhook.tsx';
import type { WebhooksData } from './page.server.ts';
import { SecretCard } from './secret-card.tsx';
import { BODY_WORDS, WEBHOOK_LOOKS, type Webhook } from './webhook-words.ts';
import css from './webhooks.module.css';
import type { SecretAnswer } from './with-secret.ts';

/** Webhooks of a store, and a form that makes one. */
export default function StoreWebhooksPage(): ReactNode {
  const data = useLoaderData<WebhooksData | Closed>();
  const answer = useActionData<SecretAnswer | null>();
  return (
    <StorePage page="storeWebhooks" data={data}>
      {({ store, webhooks }) => (
        <div className={css['stack']}>
          <p className={`small soft ${css['lead']}`}>{m.webhooks_lead()}</p>
          {answer?.secret !== undefined && <SecretCard secret={answer.secret} title={m.webhooks_made()} />}
          {webhooks.length > 0 && <WebhookList store={store.id} webhooks={webhooks} />}
          <MakeWebhook key={webhooks.length} />
        </div>
      )}
    </StorePage>
  );
}

function WebhookList({ store, webhooks }: { store: string; webhooks: readonly Webhook[] }): ReactNode {
  const { locale } = useSite();
  return (
    <section className="card" aria-labelledby="webhooks-title">
      <h2 className={`card-title ${css['title']}`} id="webhooks-title">
        {m.store_webhooks()}
      </h2>
      <ul className={css['rows']}>
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <div className={css['row']}>
              <a className="link" href={pageUrl(locale, 'storeWebhook', { store, id: webhook.id })}>
                {webhook.url}
              </a>
              <span className="tiny mute">
                {BODY_WORDS[webhook.body]()} ·{' '}
                {webhook.events ? m.webhooks_events_count({ count: webhook.events.length }) : m.webhooks_events_all()}
              </span>
            </div>
            <WebhookPill webhook={webhook} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the state of a webhook, and since when it fails or is off. */
export function WebhookPill({ webhook: { state, since } }: { webhook: Webhook }): ReactNode {
  const { locale } = useSite();
  const { tone, icon, word } = WEBHOOK_LOOKS[state];
  return (
    <span className={css['state']}>
      <Pill tone={tone} icon={icon}>
        {word()}
      </Pill>
      {since !== undefined && <span className="tiny mute">{m.webhooks_since({ time: writeTime(since, locale) })}</span>}
    </span>
  );
}
