// Owners of stores' webhooks in the room of deliveries. Each body has an owner of its own, since its events differ.

import type { Input, Routes } from '@kurs/contract';

/** Form of a webhook's body. */
export type WebhookBody = Input<Routes['storeWebhookMake']>['body'];

const PREFIX: Readonly<Record<WebhookBody, string>> = { kurs: 'store', greenfield: 'greenfield' };
/** Kind of endpoints, by the form of the body. */
const KIND: Readonly<Record<WebhookBody, string>> = { kurs: 'gate', greenfield: 'greenfield' };

/** Returns the kind of endpoints with a body. */
export const kindOf = (body: WebhookBody): string => KIND[body];

/** Returns the owner of a store's webhooks with a body. */
export const ownerOf = (body: WebhookBody, storeId: string): string => `${PREFIX[body]}:${storeId}`;

/** Returns the owners of all webhooks of a store. */
export const ownersOf = (storeId: string): string[] => [ownerOf('kurs', storeId), ownerOf('greenfield', storeId)];

/** Returns the body of an owner's webhooks. */
export const bodyOfOwner = (owner: string): WebhookBody => (owner.startsWith(`${PREFIX.greenfield}:`) ? 'greenfield' : 'kurs');

/** Returns the store of an owner. */
export const storeOfOwner = (owner: string): string => owner.slice(owner.indexOf(':') + 1);
