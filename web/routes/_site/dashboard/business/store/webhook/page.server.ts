import { redirect } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../../pages.ts';
import { answered } from '../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { eventsIn } from '../webhooks/events.ts';
import { DELIVERY_LOOKS, type Delivery, type DeliveryRow, type Webhook } from '../webhooks/webhook-words.ts';
import { answeredWithSecret } from '../webhooks/with-secret.ts';

/** Data of the page of one webhook. */
export interface WebhookData extends StoreData {
  readonly webhook: Webhook;
  /** State of the deliveries that are listed; empty for all. */
  readonly state: DeliveryRow['state'] | '';
  readonly deliveries: readonly DeliveryRow[];
  /** Position after which older deliveries begin; undefined on the last page. */
  readonly next: string | undefined;
  /** Delivery that the URL names, with its attempts. */
  readonly delivery: Delivery | undefined;
}

/** Loads a webhook with its log, and the delivery that the URL names. Throws the page that says that there is none. */
export async function load(visit: Visit): Promise<WebhookData> {
  const own = await ownStore(visit, 'storeWebhooks');
  const { client, url } = visit;
  const text = (name: string): string => (url.searchParams.get(name) ?? '').slice(0, 120);
  const of = { store: own.store.id, id: text('id') };
  const wanted = text('state');
  const state = Object.hasOwn(DELIVERY_LOOKS, wanted) ? (wanted as DeliveryRow['state']) : '';
  const after = text('after');
  try {
    const webhook = await client.storeWebhook(of);
    const listed = await client.storeWebhookDeliveries({
      ...of,
      ...(state !== '' && { state }),
      ...(after !== '' && { after }),
    });
    const id = text('delivery');
    const delivery = id === '' ? undefined : await client.storeWebhookDelivery({ store: of.store, id });
    const head = { title: `${own.store.name} · ${m.webhooks_one()}` };
    return { ...own, head, webhook, state, deliveries: listed.data, next: listed.meta.next, delivery };
  } catch (error) {
    if (failedWith(error, 'not_found', 'validation')) notThere(visit, m.webhooks_missing_title(), m.webhooks_missing_lead());
    throw error;
  }
}

/** Changes, tests or removes the webhook, gives it another secret, or sends a delivery again. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client } = visit;
  const typed = (name: string): string => (form.get(name) ?? '').trim();
  const store = storeIdOf(visit);
  const of = { store, id: visit.url.searchParams.get('id') ?? '' };
  if (typed('intent') === 'rotate') return answeredWithSecret(form, () => client.storeWebhookRotate(of));
  return answered(form, () => {
    switch (typed('intent')) {
      case 'end':
        return client.storeWebhookEndFormer(of);
      case 'on':
        return client.storeWebhookOn({ ...of, missed: form.has('missed') });
      case 'test':
        return client.storeWebhookTest(of);
      case 'replay':
        return client.storeWebhookReplay({ store, id: typed('delivery') });
      case 'remove':
        return removed(visit, of);
      default: {
        const body = typed('body') === 'greenfield' ? 'greenfield' : 'kurs';
        return client.storeWebhookChange({ ...of, url: typed('url'), events: eventsIn(form, body) ?? null });
      }
    }
  });
}

/** Removes a webhook, and leads to the list. */
async function removed({ client, locale }: Visit, of: { readonly store: string; readonly id: string }): Promise<Response> {
  await client.storeWebhookRemove(of);
  return redirect(pageUrl(locale, 'storeWebhooks', { id: of.store }));
}
