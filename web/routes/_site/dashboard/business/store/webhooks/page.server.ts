import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { eventsIn } from './events.ts';
import type { Webhook, WebhookBody } from './webhook-words.ts';
import { answeredWithSecret } from './with-secret.ts';

/** Data of the page of a store's webhooks. */
export interface WebhooksData extends StoreData {
  readonly webhooks: readonly Webhook[];
}

/** Loads the webhooks of a store. */
export async function load(visit: Visit): Promise<WebhooksData> {
  const own = await ownStore(visit, 'storeWebhooks');
  return { ...own, webhooks: await visit.client.storeWebhooks({ store: own.store.id }) };
}

/** Makes a webhook. */
export function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const body: WebhookBody = form.get('body') === 'greenfield' ? 'greenfield' : 'kurs';
  const events = eventsIn(form, body);
  const secret = (form.get('secret') ?? '').trim();
  return answeredWithSecret(form, () =>
    visit.client.storeWebhookMake({
      ...{ store: storeIdOf(visit), url: (form.get('url') ?? '').trim(), body },
      ...(events && { events }),
      ...(secret !== '' && { secret }),
    }),
  );
}
