// The exchange: calculations and orders. A customer's money comes in, is exchanged, and goes out once.
//
// The room exports
// - for processes: handlers of its calls (`exchangeRoutes`), the worker's background loops (`runExchange`), and the registration
//   of orders as owners of payments, payouts and chats (`ORDER_OWNER`)
// - for rooms above: the events published about orders (`ORDER_EVENTS`), the desk's actions (`actOnOrder`, `repayDebt`,
//   `clearToOrder`), unallocated payments for other owners (`openForOwner`), and queries for lists, figures, notices and exports
// - for diagrams and the simulation: the order machine (`ORDER_TABLE`, `createMachine`)
//
// Its words:
// calculation  a customer's three-step draft; it becomes at most one order
// order        a confirmed calculation
// unallocated  a payment without an order, stored like an order: it has a number and choices of its own
// machine      the table of states and events; an order's state changes only by its rows
// give, get    the two sides of an order
// pinned       promises made at the placing; they don't change while the order runs
// facts        data about the order and its money (late, short, held), stored beside the state
// late         without the locked rate: the customer gets the current rate, better or worse, or a refund
// offer        a numbered quote at the current rate, valid for three minutes
// positions    balances of the order's own accounts, computed from its posted legs
// outcome      result of an event: the next order, postings, effects; or a refusal with its reason
// batch        events of locked orders, decided one by one and written together, with one posting
// timeline     an order's events, one row each; their numbers have no gaps, and are the order's versions

export { keysShownBy } from './apply/debts-of-orders.ts';
export { orderKeys } from './views/order-keys.ts';
export { RESTING, WORDS, isUndecided, wordOf } from './order/order.ts';
export type { OrderState, OrderView, Payment } from './order/order.ts';
export type { Context as MachineContext, Effect, OrderEvent } from './order/events/events.ts';
export { ROWS, type OrderTransition } from './machine/rows.ts';
export { type Machine, type Outcome, ORDER_TABLE, createMachine } from './machine/machine.ts';
export { KIND_OF, PAYOUT_KINDS, payoutMoney } from './machine/postings.ts';
export { makeOffer } from './machine/offers.ts';
export { freshFacts, orderFromUnallocated, unallocatedOf } from './machine/derived-orders.ts';
export { timersOf } from './machine/timers.ts';
export { deadlineFor, keepRateMs, lockRules } from './machine/settings.ts';

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
export {
  type PayersMoney,
  decideForOwner,
  openForOwner,
  restoreForOwner,
  reverseForOwner,
  takeOver,
} from './actions/for-other-owners.ts';
export { sendDeep } from './order/store/shallow-orders.ts';
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
export { countHeldOrders } from './views/hard-holds.ts';
export { openPromises } from './views/open-promises.ts';
export { ordersAmong, ordersToRemember } from './proof/order-causes.ts';
export { orderRows } from './views/order-export.ts';
export { hasOpenOrders } from './views/own-orders.ts';
export { type Owner, ownerOf } from './order/store/owner.ts';
export { waitsForPerson } from './apply/desk-state.ts';
export { arrivedMinutes, doneFigures, latestDone, timesTaken, usualMinutes } from './views/figures.ts';
export { orderCheck } from './proof/check-books.ts';
