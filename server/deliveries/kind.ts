// Kinds of endpoints: how events are sent, and when a delivery is retried.

import type { Tx } from '../platform/index.ts';
import type { Outcome } from './post.ts';
import type { SigningSecret } from './secrets.ts';

/** An event in the form in which endpoints of its owner receive it. */
export interface DeliveryEvent {
  /** UUID v7. It is the same on every attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  /** Type of the event, for example `order.completed`. */
  readonly type: string;
  readonly body: unknown;
  readonly at: Date;
}

/** An attempt, as bodies of some kinds name it. */
export interface AttemptFacts {
  /** Id of the attempt. */
  readonly id: string;
  /** Id of the delivery: the same on every attempt. */
  readonly delivery: string;
  readonly endpoint: string;
  /** True if the delivery was attempted before. */
  readonly isRepeated: boolean;
}

/** Input from which the headers of an attempt are computed. */
export interface Signing {
  readonly event: DeliveryEvent;
  /** Body of the request, as sent. */
  readonly body: string;
  /** Time of the attempt by the real clock, since receivers compare it with their own clocks. */
  readonly at: Date;
  /** Valid secrets of the endpoint, the newest first. */
  readonly secrets: readonly SigningSecret[];
}

/** Properties that every kind of endpoints has: retries, and concurrency. */
export interface Pace {
  /** Name of the kind, as in `delivery_endpoint.kind`. */
  readonly kind: string;
  /** Returns the seconds until the next attempt, given the number of attempts made. Undefined if the delivery must be given up. */
  readonly pauseAfter: (tries: number) => number | undefined;
  /**
   * True to switch off an endpoint that fails for days or answers that it is gone. If false, a delivery that is given up raises
   * an alarm instead.
   */
  readonly canSwitchOff: boolean;
  /** Maximum number of deliveries sent to one endpoint at a time. With 1, they are sent in the sequence of their events. */
  readonly maxAtOnce: number;
  /** True to send the events of each thread in order. An event that failed three times no longer holds later ones back. */
  readonly isOrdered?: boolean;
}

/** A kind of webhooks: one form of bodies and signatures. */
export interface DeliveryKind extends Pace {
  /** Returns the body of an event, as JSON. `attempt`: undefined for a post outside the queue. */
  readonly bodyOf: (event: DeliveryEvent, attempt?: AttemptFacts) => string;
  /** Returns all headers except `content-type`, including the signatures. */
  readonly headersOf: (signing: Signing) => Readonly<Record<string, string>>;
  /**
   * True if addresses may be private. Only for addresses that the operator of the product sets, never for those that customers
   * set.
   */
  readonly mayBePrivate: boolean;
}

/** A kind of endpoints with its transport. */
export interface Channel extends Pace {
  /**
   * Returns the bodies of events that are stored elsewhere, by event id, in the transaction that claims their deliveries. Without
   * this function, events are sent as published. An event whose text was deleted is missing in the result.
   */
  bodiesOf?(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** True if deliveries are sent to the stored addresses of endpoints. Then the endpoints' MACs are checked. */
  readonly hasAddresses: boolean;
  /** Attempts a delivery; no transaction is open meanwhile. Never throws if the other side fails: the outcome reports that. */
  attempt(
    event: DeliveryEvent,
    endpoint: { readonly id: string; readonly url: string },
    attempt?: AttemptFacts,
  ): Promise<Outcome>;
  /** Aborts running attempts. */
  close(): Promise<void>;
}

/** Pauses between attempts as in Standard Webhooks, in seconds. A delivery is attempted for about three days. */
const STANDARD_PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/**
 * Returns the seconds until the next attempt, given the number of attempts made, as Standard Webhooks recommends (its section
 * “Retry schedule”).
 */
export const standardPause = (tries: number): number | undefined => STANDARD_PAUSES_S[tries - 1];
