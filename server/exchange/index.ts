// The exchange: calculations and orders. The heart of the product: money comes in, is exchanged, and goes out once.
//
// calculation  a customer's three-step draft; it becomes one order, once
// order        a confirmed calculation; unallocated: money without an order, with a number and choices of its own
// machine      the table of states and events that is the only way a state changes
// give, get    the two sides of an order; G and U in the money rules
// pinned       what an order was promised when it was placed; it does not change while the order runs
// facts        what is known about the money (late, short, held); beside the state, never the state
// late         the locked rate is gone: the current one holds, better or worse, or a refund
// offer        a numbered quote at the current rate that stands three minutes
// positions    what stands in the order's own accounts, kept from the legs that are posted
// outcome      what an event does: the next order, postings, effects · refusal: why it doesn't happen
// batch        events of locked orders, decided one by one and written together, with one posting
// published    what rooms above are told of an order: the seven events of `order/order-published.ts`, for who subscribes
// timeline     one row per event, gapless; its number is the order's version and the stream's id

export { keysShownBy } from './apply/debts-of-orders.ts';
export { orderKeys } from './views/order-keys.ts';
export { RESTING, WORDS, wordOf } from './order/order.ts';
export type { OrderState, OrderView, Payment } from './order/order.ts';
export type { Context as MachineContext, Effect, OrderEvent } from './order/events/events.ts';
export { ROWS, type Row } from './machine/rows.ts';
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
export { ordersAmong, ordersToKeep } from './proof/order-causes.ts';
export { orderRows } from './views/order-export.ts';
export { hasOpenOrders } from './views/own-orders.ts';
export { type Owner, ownerOf } from './order/store/owner.ts';
export { waitsForPerson } from './apply/desk-state.ts';
export { doneFigures, latestDone, timesTaken, usualMinutes } from './views/figures.ts';
export { orderJudge } from './proof/judge-books.ts';
