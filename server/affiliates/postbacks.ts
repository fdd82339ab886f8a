// Postbacks: events of orders for affiliates by campaign, signed as Standard Webhooks, sent to an address that the affiliate
// names.

import { REWARD_UNIT, format, money } from '@kurs/money';
import {
  type Channel,
  type DeliveryKind,
  type Health,
  healthOf,
  publish,
  putEndpoint,
  removeEndpoint,
  rotateSecret,
  standardHeaders,
  standardPause,
  switchOn,
  troubledEndpoints,
  webhookChannel,
} from '../deliveries/index.ts';
import { type Sealer, type Statements, type Tx, idOfText, newId } from '../platform/index.ts';
import { campaignsOf, campaignsReported } from '../referrals/index.ts';
import type { ReferredOrder } from './referred-order.ts';

/** Body of a postback. It names neither the order nor its customer. */
interface Body {
  /** The order, under a separate public name. */
  readonly reference: string;
  /** `ended`: it ended before it was completed. */
  readonly state: 'placed' | 'completed' | 'reversed' | 'ended';
  readonly campaign: string;
  readonly sub: string;
  /** The affiliate’s reward, once it is decided; absent for a case. */
  readonly reward?: { readonly amount: string; readonly currency: string };
}

/** Type of these events. */
const TYPE = 'referral.order';

const referralWebhook: DeliveryKind = {
  kind: 'referrals',
  bodyOf: ({ type, at, body }) => JSON.stringify({ type, timestamp: at.toISOString(), data: body }),
  headersOf: standardHeaders,
  pauseAfter: standardPause,
  mayBePrivate: false,
  canSwitchOff: true,
  maxAtOnce: 4,
};

/** Postbacks as a channel: it fills `{campaign}` and `{sub}` into an address. */
export function postbackChannel(means: Parameters<typeof webhookChannel>[1]): Channel {
  const channel = webhookChannel(referralWebhook, means);
  return { ...channel, attempt: (event, { id, url }) => channel.attempt(event, { id, url: filled(url, event.body as Body) }) };
}

/** Returns the address of an event. Nothing is filled into its host: otherwise a link's text could choose the receiver. */
function filled(url: string, { campaign, sub }: Body): string {
  const [host = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  const rest = url.slice(host.length);
  return host + rest.replaceAll('{campaign}', encodeURIComponent(campaign)).replaceAll('{sub}', encodeURIComponent(sub));
}

interface Campaigned {
  readonly holderId: string;
  readonly campaign: string;
}

const ownerOf = ({ holderId, campaign }: Campaigned): string => `affiliate:${holderId}:${campaign}`;

/** Returns the endpoint id of a campaign, derived from the campaign's name. */
const endpointOf = (of: Campaigned): string => idOfText(ownerOf(of));

/**
 * Stores the address for a campaign's postbacks; undefined for none. Returns the signing secret if the address was made or
 * changed: it is shown once.
 */
export async function putPostback(
  tx: Tx,
  sealer: Sealer,
  { url, ...of }: Campaigned & { readonly url: string | undefined },
): Promise<string | undefined> {
  const id = endpointOf(of);
  if (url === undefined) {
    await removeEndpoint(tx, id);
    return undefined;
  }
  await putEndpoint(tx, { id, owner: ownerOf(of), kind: referralWebhook.kind, url });
  return rotateSecret(tx, sealer, id, tx.now);
}

/** Delivery status of an affiliate's postbacks by campaign. Campaigns without an address are left out. */
export async function healthOfPostbacks(
  db: Statements,
  holderId: string,
  campaigns: readonly string[],
): Promise<Map<string, Health>> {
  const named = new Map(campaigns.map((campaign) => [endpointOf({ holderId, campaign }), campaign]));
  const found = await healthOf(db, [...named.keys()]);
  return new Map([...found.values()].map((health) => [named.get(health.id) ?? '', health]));
}

/** Switches a campaign's disabled postbacks on again. With `mayDeliverMissed`, also sends the events published meanwhile. */
export const switchPostbackOn = (tx: Tx, of: Campaigned, mayDeliverMissed: boolean): Promise<boolean> =>
  switchOn(tx, endpointOf(of), { mayDeliverMissed });

/** A campaign's failing postbacks. */
export interface Trouble extends Campaigned {
  readonly health: Health;
}

/** Returns campaigns whose postbacks fail or are off, the oldest trouble first. */
export async function troubledPostbacks(db: Statements): Promise<Trouble[]> {
  const found = await troubledEndpoints(db, referralWebhook.kind);
  return found.map((health) => {
    const [, holderId = '', campaign = ''] = health.owner.split(':');
    return { holderId, campaign, health };
  });
}

/** Deletes an affiliate's addresses for postbacks, with their waiting events. */
export async function forgetPostbacks(tx: Tx, holderId: string): Promise<void> {
  for (const { name: campaign, postback } of await campaignsOf(tx, holderId))
    if (postback !== undefined) await removeEndpoint(tx, endpointOf({ holderId, campaign }));
}

/** An event of an order. `parts`: the affiliate's reward, if it is decided. */
export interface Postback {
  readonly order: ReferredOrder;
  readonly state: Body['state'];
  readonly parts?: bigint;
}

/** Publishes events of orders in sequence, if their campaigns have an address. */
export async function sendPostbacks(tx: Tx, postbacks: readonly Postback[]): Promise<void> {
  const reported = await campaignsReported(
    tx,
    postbacks.map((one) => ({ ...one, holderId: one.order.affiliate, campaign: one.order.campaign })),
  );
  const events = reported.map(({ holderId, campaign, order: { reference, sub }, state, parts }) => {
    const reward = parts === undefined ? {} : { reward: { amount: format(money(REWARD_UNIT, parts)), currency: REWARD_UNIT } };
    const body: Body = { reference, state, campaign, sub, ...reward };
    // An expired order whose late payment was given back ends twice, and is published once.
    const id = state === 'ended' ? idOfText(`ended ${reference}`) : newId();
    return { id, owner: ownerOf({ holderId, campaign }), type: TYPE, body };
  });
  await publish(tx, ...events);
}
