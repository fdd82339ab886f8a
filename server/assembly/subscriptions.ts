import { affiliateOrders } from '../affiliates/index.ts';
import { subscriptionsOf } from '../collecting/index.ts';
import type { Sender } from '../deliveries/index.ts';
import { earnSubscription } from '../earn/index.ts';
import type { Subscription } from '../platform/index.ts';
import { OWNERS } from './owners.ts';

/** Returns the subscriptions to events of all rooms. Workers and the simulation take them from here. */
export const subscriptionsOfAll = (sender: Sender): Subscription[] => [
  ...subscriptionsOf(OWNERS, sender),
  earnSubscription,
  affiliateOrders(sender.name),
];
