// The exchange: calculations and orders. A customer's money comes in, is exchanged, and goes out once.
//
// The room exports
// - for processes: handlers of its calls (`exchangeRoutes`), the worker's loops (`runExchange`), and orders as owners of
//   payments, payouts and chats (`ORDER_OWNER`)
// - for rooms above: the events published about orders (`ORDER_EVENTS`), the desk's actions (`actOnOrder`, `repayDebt`,
//   `clearToOrder`), and queries for lists, figures, notices and exports
// - for diagrams and the simulation: the order machine (`ORDER_TABLE`, `createMachine`)
//
// Its words:
// calculation  a customer's three-step draft; it becomes one order, once
// order        a confirmed calculation
// unallocated  money without an order, handled like an order: it has a number and choices of its own
// machine      the table of states and events; a state changes in no other way
// give, get    the two sides of an order
// pinned       promises made at the placing; they don't change while the order runs
// facts        knowledge about the money (late, short, held), stored beside the state
// late         the locked rate is gone: the current one applies, better or worse, or a refund
// offer        a numbered quote at the current rate, valid for three minutes
// positions    balances of the order's own accounts, computed from its posted legs
// outcome      result of an event: the next order, postings, effects; a refusal says why nothing happens
// batch        events of locked orders, decided one by one and written together, with one posting
// timeline     one row per event, without gaps; its number is the order's version and the stream's id

export { keysShownBy } from './apply/debts-of-orders.ts';
export { orderKeys } from './views/order-keys.ts';
export { RESTING, WORDS, wordOf } from './order/order.ts';
export type { OrderState, OrderView, Payment } from './order/order.ts';
export type { Context as MachineContext, Effect, OrderEvent } from './order/events/events.ts';
export { ROWS, type OrderTransition } from './machine/rows.ts';
export { type Machine, type Outcome, ORDER_TABLE, createMachine } from './machine/machine.ts';
export { KIND_OF, PAYOUT_KINDS, payoutMoney } from './machine/postings.ts';
export { makeOffer } from './machine/offers.ts';
export { freshFacts, orderFromUnallocated, unallocatedOf } from './machine/derived-orders.ts';
export { timersOf } from './machine/timers.ts';
export { deadlineFor } from './machine/settings.ts';

export { reviewMinutes } from './calculation/calculation-settings.ts';
export { forgetCalculations } from './calculation/calculation-store.ts';
export { clearRefundAccount } from './calculation/check-account.ts';
export { addressesThatOrdered } from './calculation/discounts/has-ordered.ts';
export { type CalculationDeps, step1, step2, step3 } from './calculation/calculate.ts';
export { watchTaken } from './calculation/promised-time.ts';
export { ORDER_EVENTS, type OrderPublished, orderPublished } from './order/events/order-published.ts';
export { matureDays, maturesAt } from './order/events/maturity.ts';
export { profitOf, worthOf } from './order/events/profit.ts';
export { placeOrder } from './actions/place-order.ts';
export { whatStopsPayout } from './apply/payout-obstacles.ts';
export { ORDER_OWNER } from './order-owner.ts';
export { sweepDue } from './apply/sweep-due.ts';
export { type ActionName, actOnOrder, clearActionAccount, openActions, peopleFor } from './actions/desk-actions.ts';
export { repayDebt, repayable } from './actions/repay-debt.ts';
export { clearToCustomer, clearToOrder } from './actions/clear-unexplained.ts';
export { runExchange } from './work.ts';
export { exchangeRoutes } from './routes.ts';

export { type StoredOrder, eventsOf, readOrder, readOrders } from './order/store/order-store.ts';
export { listOrders } from './views/order-list.ts';
export { payoutOf, shownState, shownStates } from './views/shown-state.ts';
export { shownEvents } from './order/events/shown-events.ts';
export { amountsOf } from './order/money/breakdown.ts';
export { moneyWire } from './wire/price-wire.ts';
export type { Receipts } from './calculation/receipt.ts';
export { type Showing, showOrder } from './views/track.ts';
export { type Sender } from './letters/letters.ts';
export { orderNotices } from './views/order-notices.ts';
export { ORDER_CURRENCIES, ordersPlacedSince } from './views/reported-orders.ts';
export { openPromises } from './views/open-promises.ts';
export { ordersAmong, ordersToRemember } from './proof/order-causes.ts';
export { orderRows } from './views/order-export.ts';
export { hasOpenOrders } from './views/own-orders.ts';
export { type Owner, ownerOf } from './order/store/owner.ts';
export { waitsForPerson } from './apply/desk-state.ts';
export { doneFigures, latestDone, timesTaken, usualMinutes } from './views/figures.ts';
export { orderCheck } from './proof/check-books.ts';
