// Forms of the webhooks of stores.

import {
  type Channel,
  type DeliveryKind,
  btcpayHeader,
  isTaken,
  standardHeaders,
  standardPause,
  webhookChannel,
} from '../../deliveries/index.ts';
import { invoiceEventJson, otherEventJson } from '../events/store-event.ts';
import { kindOf } from '../events/owners.ts';
import type { GreenfieldBody, StoreEventBody } from '../events/told.ts';

/** Returns the form of a kind of endpoints. */
export const formOf = (kind: string): DeliveryKind => (kind === greenfieldWebhook.kind ? greenfieldWebhook : gateWebhook);

/** Mark of a test delivery in the body of its event. */
export interface MaybeTest {
  readonly isTest?: true;
}

/** Maximum number of deliveries to one endpoint at a time. */
const AT_ONCE = 4;

const ofStores = {
  headersOf: (signing) => ({ ...standardHeaders(signing), ...btcpayHeader(signing) }),
  pauseAfter: standardPause,
  mayBePrivate: false,
  canSwitchOff: true,
  maxAtOnce: AT_ONCE,
  isOrdered: true,
} satisfies Partial<DeliveryKind>;

/** Webhooks with the body `kurs`. */
export const gateWebhook: DeliveryKind = {
  ...ofStores,
  kind: kindOf('kurs'),
  bodyOf({ type, at, body }) {
    const content = body as StoreEventBody;
    return content.metadata === undefined
      ? otherEventJson(type, at, content.data)
      : invoiceEventJson(type, at, content.data, content.metadata);
  },
};

/** Webhooks as BTCPay Server sends them, for shop plug-ins. */
export const greenfieldWebhook: DeliveryKind = {
  ...ofStores,
  kind: kindOf('greenfield'),
  bodyOf({ type, at, body }, attempt) {
    const { storeId, invoiceId, isOfTestStore, fields, metadata } = body as GreenfieldBody;
    const head = {
      ...{ deliveryId: attempt?.id, webhookId: attempt?.endpoint, originalDeliveryId: attempt?.delivery },
      ...{ isRedelivery: attempt?.isRepeated ?? false, type, timestamp: Math.floor(at.getTime() / 1_000), storeId, invoiceId },
      ...(isOfTestStore && { test: true }),
      ...fields,
    };
    return `${JSON.stringify(head).slice(0, -1)},"metadata":${metadata}}`;
  },
};

/** Returns the channels of stores' webhooks. A test delivery is attempted once. */
export const storeChannels = (means: Parameters<typeof webhookChannel>[1]): Channel[] =>
  [gateWebhook, greenfieldWebhook].map((kind) => {
    const channel = webhookChannel(kind, means);
    return {
      ...channel,
      async attempt(event, endpoint, attempt) {
        const outcome = await channel.attempt(event, endpoint, attempt);
        return (event.body as MaybeTest).isTest && !isTaken(outcome) ? { ...outcome, isFinal: true } : outcome;
      },
    };
  });
