/**
 * Deliveries: letters, and webhooks to addresses that others choose.
 *
 * - **Endpoint**: an address of an owner; its kind determines the form of bodies and signatures.
 * - **Event**: something that happened, published in the transaction of the change that it reports.
 * - **Delivery**: one event for one endpoint, retried with growing pauses until it is accepted or given up; missed if the
 *   endpoint was off.
 * - **Thread**: events that reach each endpoint in order, for example those of one invoice.
 * - **Attempt**: one try of a delivery, as logged.
 * - **Channel**: a kind of endpoints with its transport: HTTP, or the mail server.
 *
 * No transaction is open during an attempt, and no endpoint waits for another.
 */
export { type Channel, type DeliveryKind, standardPause } from './kind.ts';
export { btcpayHeader, standardHeaders } from './standard-webhooks.ts';
export { addressFlaw, isTaken, openPost } from './post.ts';
export {
  type Failing,
  type Health,
  type KnownEndpoint,
  endpointsOf,
  failingEndpoint,
  healthOf,
  putEndpoint,
  removeEndpoint,
  switchOn,
  troubledEndpoints,
} from './endpoints.ts';
export { bringSecret, endFormerSecrets, formerSecretEnds, rotateSecret, secretsOf } from './secrets.ts';
export { answerWords } from './answer-words.ts';
export { FAILING_DAYS } from './outcome.ts';
export { type Published, forgetDeliveries, ownersWithEndpoints, publish } from './publish.ts';
export {
  type DeliveryRow,
  attemptsOf,
  deliveriesOfEvent,
  deliveryById,
  eventOfDelivery,
  listDeliveries,
  replay,
  waitingDeliveries,
} from './log.ts';
export { openDeliveries, runDeliveries, type Deliveries } from './deliver.ts';
export { webhookChannel } from './webhook.ts';
export { failingMail, mail, mailChannel, sendAtOnce, type Letter, type Post, type Sender } from './mail.ts';
export { postOnce } from './post-once.ts';
export { alteredDeliveries } from './delivery-macs.ts';
