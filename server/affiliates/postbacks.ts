// Postbacks: what affiliates are told of orders by their campaigns, signed as Standard Webhooks, at an address that they name.

import { createHash } from 'node:crypto';
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
import { type Sealer, type Statements, type Tx, newId } from '../platform/index.ts';
import { campaignsOf, campaignsTold } from '../referrals/index.ts';
import type { ReferredOrder } from './referred-order.ts';

/** What a postback says. It names neither the order nor its customer. */
interface Body {
  /** The order, by a name of its own. */
  readonly reference: string;
  /** `ended`: it came to nothing before it was completed. */
  readonly state: 'placed' | 'completed' | 'reversed' | 'ended';
  readonly campaign: string;
  readonly sub: string;
  /** The affiliate’s reward, once it is decided; absent for a case. */
  readonly reward?: { readonly amount: string; readonly currency: string };
}

/** The events' type. */
const TYPE = 'referral.order';

const referralWebhook: DeliveryKind = {
  kind: 'referrals',
  bodyOf: ({ type, at, body }) => JSON.stringify({ type, timestamp: at.toISOString(), data: body }),
  headersOf: standardHeaders,
  pauseAfter: standardPause,
  mayBePrivate: false,
  switchesOff: true,
  atOnce: 4,
};

/** Postbacks as a channel: `{campaign}` and `{sub}` in an address are filled in. */
export function postbackChannel(means: Parameters<typeof webhookChannel>[1]): Channel {
  const channel = webhookChannel(referralWebhook, means);
  return { ...channel, attempt: (event, { id, url }) => channel.attempt(event, { id, url: filled(url, event.body as Body) }) };
}

/** The address of an event. Nothing is filled into its host: what a link says would choose who is told. */
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

/** The endpoint of a campaign: its id follows from it. */
const endpointOf = (of: Campaigned): string => uuidOf(ownerOf(of));

/** The uuid that follows from a text: a hash of it (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Keeps where the orders of a campaign are told; undefined for nowhere. Gives the secret that they are signed with, where the
 * address was made or changed: it is shown once.
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

/** Switches the postbacks of a campaign on where they were switched off. With `missed`, sends what was published meanwhile, too. */
export const switchPostbackOn = (tx: Tx, of: Campaigned, missed: boolean): Promise<boolean> =>
  switchOn(tx, endpointOf(of), { missed });

/** Postbacks of a campaign that aren't taken. */
export interface Trouble extends Campaigned {
  readonly health: Health;
}

/** Campaigns whose postbacks fail or are off, the oldest trouble first. */
export async function troubledPostbacks(db: Statements): Promise<Trouble[]> {
  const found = await troubledEndpoints(db, referralWebhook.kind);
  return found.map((health) => {
    const [, holderId = '', campaign = ''] = health.owner.split(':');
    return { holderId, campaign, health };
  });
}

/** Forgets where an affiliate's campaigns are told, with what still waits to be told there. */
export async function forgetPostbacks(tx: Tx, holderId: string): Promise<void> {
  for (const { name: campaign, postback } of await campaignsOf(tx, holderId))
    if (postback !== undefined) await removeEndpoint(tx, endpointOf({ holderId, campaign }));
}

/** Something that happened to an order. `parts`: the affiliate's reward, where it is decided. */
export interface Postback {
  readonly order: ReferredOrder;
  readonly state: Body['state'];
  readonly parts?: bigint;
}

/** Tells what happened to orders, in its order, where their campaigns have an address. */
export async function tellPostbacks(tx: Tx, postbacks: readonly Postback[]): Promise<void> {
  const told = await campaignsTold(
    tx,
    postbacks.map((one) => ({ ...one, holderId: one.order.affiliate, campaign: one.order.campaign })),
  );
  const events = told.map(({ holderId, campaign, order: { reference, sub }, state, parts }) => {
    const reward = parts === undefined ? {} : { reward: { amount: format(money(REWARD_UNIT, parts)), currency: REWARD_UNIT } };
    const body: Body = { reference, state, campaign, sub, ...reward };
    // An order that expired and whose late payment was given back ends twice, and is told once.
    const id = state === 'ended' ? uuidOf(`ended ${reference}`) : newId();
    return { id, owner: ownerOf({ holderId, campaign }), type: TYPE, body };
  });
  await publish(tx, ...events);
}
