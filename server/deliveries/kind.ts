// What an owner of endpoints says of them: how events go out, and when a delivery is tried again.

import type { Tx } from '../platform/index.ts';
import type { Outcome } from './post.ts';

/** Something that happened, as it is told to the endpoints of an owner. */
export interface DeliveryEvent {
  /** uuid v7. The same on every attempt, so that a receiver recognises what it has taken already. */
  readonly id: string;
  /** `order.completed`. */
  readonly type: string;
  readonly body: unknown;
  readonly at: Date;
}

/** What the headers of an attempt are made of. */
export interface Signing {
  readonly event: DeliveryEvent;
  /** The body as it is sent. */
  readonly body: string;
  /** The moment of the attempt, by the real clock: receivers compare it with theirs. */
  readonly at: Date;
  /** All secrets of the endpoint that are valid, the newest first. */
  readonly secrets: readonly string[];
}

/** What all kinds of endpoints state: when deliveries are tried again, and how many go at a time. */
export interface Pace {
  /** As `delivery_endpoint.kind` has it. */
  readonly kind: string;
  /** Seconds until the next attempt after so many; undefined when the delivery is given up. */
  readonly pauseAfter: (tries: number) => number | undefined;
  /**
   * Is an endpoint switched off that fails for days or says that it is gone? Of one that isn't, a delivery given up is an
   * alarm.
   */
  readonly switchesOff: boolean;
  /** How many deliveries go to one endpoint at a time; with 1 they go in the order of their events. */
  readonly atOnce: number;
}

/** A kind of webhooks: one form of bodies and signatures. */
export interface DeliveryKind extends Pace {
  /** The body of an event, as JSON. */
  readonly bodyOf: (event: DeliveryEvent) => string;
  /** Headers beside `content-type`; the signatures among them. */
  readonly headersOf: (signing: Signing) => Readonly<Record<string, string>>;
  /** May an address be private? Only where the operator of the product names it, never an address that customers name. */
  readonly mayBePrivate: boolean;
}

/** A kind with the means by which it goes out. */
export interface Channel extends Pace {
  /**
   * The bodies of events whose texts are kept elsewhere, by id: read in the transaction that claims their deliveries. Without
   * it they go out as they were published; an event whose text is gone has none.
   */
  bodiesOf?(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** True if deliveries go to the addresses of endpoints, which stand under MACs then. */
  readonly usesAddresses: boolean;
  /** Attempts a delivery, with no transaction open. Never throws for what the other side does: the outcome says it. */
  attempt(event: DeliveryEvent, endpoint: { readonly id: string; readonly url: string }): Promise<Outcome>;
  /** Breaks running attempts off. */
  close(): Promise<void>;
}

/** Pauses of Standard Webhooks: with them a delivery is tried for some three days. */
const STANDARD_PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Seconds until the next attempt after so many, as Standard Webhooks recommends (its section “Retry schedule”). */
export const standardPause = (tries: number): number | undefined => STANDARD_PAUSES_S[tries - 1];
