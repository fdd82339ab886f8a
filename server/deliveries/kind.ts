// Kinds of endpoints: how events are sent, and when a delivery is retried.

import type { Tx } from '../platform/index.ts';
import type { Outcome } from './post.ts';

/** An event as it is sent to the endpoints of its owner. */
export interface DeliveryEvent {
  /** uuid v7. It is the same on every attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  /** Type of the event, for example `order.completed`. */
  readonly type: string;
  readonly body: unknown;
  readonly at: Date;
}

/** Input for the headers of an attempt. */
export interface Signing {
  readonly event: DeliveryEvent;
  /** Body as it is sent. */
  readonly body: string;
  /** Time of the attempt by the real clock, which receivers compare with theirs. */
  readonly at: Date;
  /** Valid secrets of the endpoint, the newest first. */
  readonly secrets: readonly string[];
}

/** Properties of all kinds of endpoints: retries, and concurrency. */
export interface Pace {
  /** Name of the kind, as in `delivery_endpoint.kind`. */
  readonly kind: string;
  /** Returns the seconds until the next attempt, after a number of attempts; undefined to give the delivery up. */
  readonly pauseAfter: (tries: number) => number | undefined;
  /**
   * True to switch off an endpoint that fails for days or answers that it is gone. If false, a given up delivery raises an alarm
   * instead.
   */
  readonly canSwitchOff: boolean;
  /** Number of deliveries sent to one endpoint at a time; with 1 they are sent in the order of their events. */
  readonly maxAtOnce: number;
}

/** A kind of webhooks: one form of bodies and signatures. */
export interface DeliveryKind extends Pace {
  /** Returns the body of an event, as JSON. */
  readonly bodyOf: (event: DeliveryEvent) => string;
  /** Returns the headers beside `content-type`, with the signatures. */
  readonly headersOf: (signing: Signing) => Readonly<Record<string, string>>;
  /** True if addresses may be private: only if the operator of the product sets them, never for addresses that customers set. */
  readonly mayBePrivate: boolean;
}

/** A kind of endpoints with its transport. */
export interface Channel extends Pace {
  /**
   * Returns, by event id, the bodies of events whose texts are stored elsewhere, in the transaction that claims their deliveries.
   * Without it events are sent as published. An event whose text was deleted has no body.
   */
  bodiesOf?(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** True if deliveries are sent to the addresses of endpoints, whose MACs are checked then. */
  readonly hasAddresses: boolean;
  /** Attempts a delivery, without an open transaction. Never throws for failures of the other side: the outcome reports them. */
  attempt(event: DeliveryEvent, endpoint: { readonly id: string; readonly url: string }): Promise<Outcome>;
  /** Aborts running attempts. */
  close(): Promise<void>;
}

/** Pauses of Standard Webhooks, in seconds: with them a delivery is tried for about three days. */
const STANDARD_PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/**
 * Returns the seconds until the next attempt, after a number of attempts, as Standard Webhooks recommends (its section “Retry
 * schedule”).
 */
export const standardPause = (tries: number): number | undefined => STANDARD_PAUSES_S[tries - 1];
