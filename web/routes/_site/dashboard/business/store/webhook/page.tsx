import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { type Closed, isClosed } from '../../../../../closed.ts';
import { BackLink } from '../../../back-link.tsx';
import { Skeleton } from '../../../frame/skeleton.tsx';
import { WebhookPill } from '../webhooks/page.tsx';
import { BODY_WORDS } from '../webhooks/webhook-words.ts';
import webhooks from '../webhooks/webhooks.module.css';
import { DeliveryCard } from './delivery-card.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import type { WebhookData } from './page.server.ts';
import { Result } from './result.tsx';
import { SecretSettings } from './secret-settings.tsx';
import { WebhookSettings } from './webhook-settings.tsx';
import css from './webhook.module.css';
import { StateOf } from './state-of.tsx';

/** Page of one webhook: its state, settings and secret, and the log of its deliveries. */
export default function StoreWebhookPage(): ReactNode {
  const data = useLoaderData<WebhookData | Closed>();
  if (isClosed(data))
    return (
      <>
        <h1 className="sr">{data.head.title}</h1>
        <Skeleton rows={9} />
      </>
    );
  const { store, webhook, delivery } = data;
  return (
    <>
      <BackLink to="storeWebhooks" query={{ id: store.id }}>
        {m.webhooks_back({ store: store.name })}
      </BackLink>
      <div className={css['head']}>
        <h1 className="title">{new URL(webhook.url).host}</h1>
        <WebhookPill webhook={webhook} />
        <p className="small soft">
          {webhook.url} · {BODY_WORDS[webhook.body]()}
        </p>
      </div>
      <div className={webhooks['stack']}>
        <Result />
        <StateOf webhook={webhook} />
        {delivery && <DeliveryCard key={delivery.id} data={data} delivery={delivery} />}
        <DeliveryLog data={data} />
        <WebhookSettings key={`${webhook.url} ${webhook.events?.join() ?? ''}`} webhook={webhook} />
        <SecretSettings webhook={webhook} />
      </div>
    </>
  );
}
