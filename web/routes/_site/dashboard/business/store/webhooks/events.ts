// Events that a webhook's form offers, by the webhook's body.

import { GREENFIELD_EVENTS, type GreenfieldEvent, STORE_EVENTS, type StoreEvent } from '@kurs/contract/webhooks';
import type { WebhookBody } from './webhook-words.ts';

export const EVENTS_OF: Readonly<Record<WebhookBody, readonly string[]>> = { kurs: STORE_EVENTS, greenfield: GREENFIELD_EVENTS };

/** Beginning of the name of an event's checkbox. */
export const TICK = 'event ';

/** Returns the events that a form has ticked; undefined for all. */
export function eventsIn(form: URLSearchParams, body: WebhookBody): (StoreEvent | GreenfieldEvent)[] | undefined {
  if (form.get(`which_${body}`) !== 'some') return undefined;
  return EVENTS_OF[body].filter((event) => form.has(TICK + event)) as (StoreEvent | GreenfieldEvent)[];
}
