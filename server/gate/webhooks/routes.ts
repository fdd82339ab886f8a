// Bindings of the contract's calls about webhooks and events of stores to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Statements, type Work, answeredChange } from '../../platform/index.ts';
import { readEvents } from './read-events.ts';
import { sendTest } from './test-delivery.ts';
import { deliveriesView, deliveryView, webhookView, webhookViews } from './views.ts';
import {
  type WebhookDeps,
  type WithSecret,
  changeWebhook,
  endFormerOf,
  makeWebhook,
  readWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhook,
  switchWebhookOn,
  webhooksOf,
} from './webhooks.ts';

type Names =
  | 'storeEvents'
  | 'storeWebhooks'
  | 'storeWebhook'
  | 'storeWebhookMake'
  | 'storeWebhookChange'
  | 'storeWebhookRemove'
  | 'storeWebhookRotate'
  | 'storeWebhookEndFormer'
  | 'storeWebhookOn'
  | 'storeWebhookDeliveries'
  | 'storeWebhookDelivery'
  | 'storeWebhookReplay'
  | 'storeWebhookTest';

/** Returns the handlers of the calls about webhooks of stores. */
export function webhookRoutes(deps: WebhookDeps): { [N in Names]: Work<Routes[N]> } {
  const { db } = deps;
  return {
    storeEvents: (input) => readEvents(db, input),
    storeWebhooks: async ({ store }) => webhookViews(db, await webhooksOf(db, store)),
    storeWebhook: async (input) => webhookView(db, await readWebhook(db, input)),
    storeWebhookMake: (input, context) =>
      answeredChange(
        db,
        context,
        (keep) => makeWebhook({ ...deps, keep }, input),
        async (read: Statements, { endpoint, secret }: WithSecret) => ({ ...(await webhookView(read, endpoint)), secret }),
      ),
    storeWebhookChange: async (input) => webhookView(db, await changeWebhook(deps, input)),
    async storeWebhookRemove(input) {
      await removeWebhook(db, input);
    },
    async storeWebhookRotate(input) {
      const { endpoint, secret } = await rotateWebhook(deps, input);
      return { ...(await webhookView(db, endpoint)), secret };
    },
    storeWebhookEndFormer: async (input) => webhookView(db, await endFormerOf(db, input)),
    storeWebhookOn: async (input) => webhookView(db, await switchWebhookOn(db, input)),
    storeWebhookDeliveries: (input) => deliveriesView(db, input),
    storeWebhookDelivery: (input) => deliveryView(db, input),
    async storeWebhookReplay(input) {
      await replayDelivery(db, input);
    },
    storeWebhookTest: (input) => sendTest(db, input),
  };
}
