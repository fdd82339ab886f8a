/**
 * Deliveries: what goes out, letters and webhooks to addresses that others name.
 *
 * - **Endpoint**: an address of an owner; its kind says in which form bodies and signatures are made.
 * - **Event**: something that happened, published in the transaction of the change that it tells of.
 * - **Delivery**: one event for one endpoint, tried again with growing pauses until it is taken or given up; missed
 *   where the endpoint was off.
 * - **Attempt**: one try of a delivery, as the log has it.
 * - **Channel**: a kind of endpoints with the means by which it goes out: HTTP, or the mail server.
 *
 * No transaction is open while something is posted, and no endpoint waits for another.
 */
export { type Channel, type DeliveryKind, standardPause } from './kind.ts';
export { standardHeaders } from './standard-webhooks.ts';
export { openPost } from './post.ts';
export {
  type Failing,
  type Health,
  failingEndpoint,
  healthOf,
  putEndpoint,
  removeEndpoint,
  rotateSecret,
  switchOn,
  troubledEndpoints,
} from './endpoints.ts';
export { FAILING_DAYS } from './outcome.ts';
export { forgetDeliveries, publish } from './publish.ts';
export { attemptsOf, listDeliveries, replay, waitingDeliveries } from './log.ts';
export { openDeliveries, runDeliveries, type Deliveries } from './deliver.ts';
export { webhookChannel } from './webhook.ts';
export { failingMail, mail, mailChannel, sendAtOnce, type Letter, type Post, type Sender } from './mail.ts';
export { postOnce } from './post-once.ts';
export { alteredDeliveries } from './delivery-macs.ts';
