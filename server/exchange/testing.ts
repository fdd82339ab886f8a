// Helpers for the tests of rooms above: a simulated desk for placing and paying orders, and a long history of orders.

export type { SignedIn } from './scenarios/signed-in.testing.ts';
export { type PlaceOptions, type World, openWorld } from './scenarios/world.testing.ts';
export { recordPrices } from './scenarios/prices.testing.ts';
export { choose, withOffer } from './actions/choose.ts';
export { saveOrders } from './order/store/order-store.ts';
export { fillHistory } from './history/fill-history.testing.ts';
export { buyBack, goOn, reportPayment } from './scenarios/customers-choices.testing.ts';
