// Assembles the processes: the parts that the api, the worker and the seed share.

export { shownBotCheck } from './bot-check.ts';
export { googleOf } from './google.ts';
export { OWNERS } from './owners.ts';
export { openShared } from './shared.ts';
export { openReceipts } from './receipts.ts';
export { postOf, senderOf } from './sender.ts';
export { runAllDeliveries } from './deliveries.ts';
export { subscriptionsOfAll } from './subscriptions.ts';
