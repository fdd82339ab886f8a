// Payments: money that enters or leaves the desk. This room alone uses rails. It knows owners as `{ kind, id }` only, never
// orders.
//
// rail               system that moves money outside: a chain or a provider
// address            our own receiving address on a rail; handed out once, polled for ever
// observed payment   a payment as the rail shows it now
// pay-in             our record of a payment
// exposed            not deep yet, so a reorg may take it back; exposed sums are by customer, transaction and block
// final              deep enough to be credited. The customer's whole exposed sum decides, not the payment alone
// deep               too deep for any reorg that we expect; published as the event `payments.payin_deep`
// foreign            arrived in another currency than the address was handed out for
// intent             one amount to be sent to one account; its id is the reference
// payout             the row that stores an intent
// attempt            one signed send of one or more payouts; stored before it leaves. Only its stored bytes are ever sent again
// in doubt           perhaps sent; looked up, never sent again blindly
// late send          a send that turned up after its payout had been treated as not sent
// float              amount that a rail confirms as payable now
// sweep              moving deposits into the hot wallet
// event              a posting of the payments room itself: a network fee, a sweep, capital, a difference
// webhook            a provider's message: a hint to poll; stored before it is answered, handled later

export { PAYMENT_WEBHOOKS } from '../rails/index.ts';
export { type Owner } from './rails/owner.ts';
export {
  PAYIN_DEEP_EVENT,
  PAYIN_EVENT,
  PAYOUT_EVENT,
  WAY_EVENT,
  type PayinBody,
  type PayinEvent,
  type PayoutBody,
  type PayoutEvent,
  type PayoutPurpose,
  type WayBody,
} from './rails/event-bodies.ts';
export {
  type CurrencyInfo,
  canSend,
  checkAccount,
  currencies,
  currencyOf,
  estimateSending,
  estimateSendingTo,
  isDisputed,
  isChain,
  isPrepared,
  payKindOf,
  paymentCode,
  paymentUri,
  settingsReadAt,
  useRails,
} from './rails/registry.ts';
export { currencyName, writeSum, writeSumNamed } from './rails/written-money.ts';
export type { AccountField, PayWay } from '../rails/rail.ts';
export { accountProblem } from './rails/account-problem.ts';
export { type GivenAccount, checkGivenAccount } from './payins/check-given.ts';
export { voucherFields } from './rails/voucher-fields.ts';
export { decidePayin, isOpenTo, payinById } from './payins/decide-payin.ts';
export { type Growth, bookArrival, checkHandedOn, growths } from './payins/book-arrival.ts';
export type { Payin } from './payins/payin.ts';
export { payinsBy } from './payins/payin-store.ts';
export { enterVoucher, isEnteredTwice } from './polls/entries.ts';
export { type Scanned, scanIndexes, takeFound, unknownAmong } from './polls/scan-addresses.ts';
export { VOUCHER_SHOWN_DAYS, type VoucherState, voucherState, voucherStates, showVoucher } from './payouts/vouchers.ts';
export { dropRequests } from './payins/request-store.ts';
export { openPayin, openPayins, watchClosely } from './payins/open-payin.ts';
export type { Gates, PayoutObstacle, Leaving, MayLeave } from './rails/gates.ts';
export { PAYOUT_MACHINE, type PayoutStatus } from './payouts/machine/payout-machine.ts';
export type { PayoutBooks } from './payouts/rows/payout-accounts.ts';
export { type PayoutHappening, type PayoutMoney, happeningOf, intentLegs, payoutLegs } from './payouts/rows/payout-legs.ts';
export { confirmationsOf, confirmationsTogether, payinConfirmations, payoutConfirmations } from './payouts/confirmations.ts';
export { PAYOUT_CURRENCIES, payoutColumn, payoutStatuses } from './payouts/rows/payout-sql.ts';
export { type RequestPayout, canStop, requestPayout, requestPayouts, stopPayout } from './payouts/request-payout.ts';
export { type PayFound, countFound, foundLate, foundLateById, openFindsOf, writeOffFound } from './payouts/found-late.ts';
export {
  type MaybeSent,
  bookAsSent,
  bookAsUnknown,
  explainSend,
  maybeSent,
  requireDecidable,
} from './sending/book-unrecorded.ts';
export { doubts, payoutStatus, resolvePayout } from './sending/resolve-payout.ts';
export { reserveFloat, releaseFloat } from './payins/reserve-float.ts';
export { overduePolls, overdueWords } from './polls/overdue-polls.ts';
export { TAKEN_BACK, polledSince, pollsBehind, payersOf, undeliveredDebts } from './rails/poll-coverage.ts';
export { type Returned, owedForFind, returnedOf } from './payouts/machine/returned-sends.ts';
export { NOT_DEEP, shallowAmong, tryShallowAgain } from './payins/shallow-payins.ts';
export { strangePayins } from './payins/strange-payins.ts';
export { unswept } from './payins/unswept.ts';
export { lastFloat, payable, payables } from './balances/float.ts';
export {
  RESTORED_ALARM,
  endRestored,
  endedRestore,
  enterRestored,
  knowsMark,
  lastRestoredAt,
  openRestore,
  type Restore,
  type RestoreCause,
} from './restored/restored-mode.ts';
export { maySend, recallVoucherDays, sendingRails } from './rails/settings.ts';
export { isReadFromChain, readPaidIn } from './balances/paid-in.ts';
export { railList, requireSwitch, switchRail, takenPurposes, takesFor, takesNowFor, wasOn } from './polls/rails.ts';
export { isStopped, setStopped, stoppable, stoppedPurposes, stopsNow, switchesNow } from './polls/stops.ts';
export { definePurpose } from './rails/purposes.ts';
export { railHistories, railStates } from './rails/rail-state.ts';
export { takeWebhook } from './payins/webhook.ts';
export { payoutsSetting, requireRail, sendsOf, switchPayouts } from './payouts/switch-payouts.ts';
export { closeBooks, unclosedSince } from './balances/close-books.ts';
export { type ClearDifference, clearDifference, isStuck, markStuck, stuckOf } from './balances/corrections.ts';
export { setAsideFuel } from './balances/set-aside-fuel.ts';
export { fundDesk, withdrawDesk } from './balances/capital.ts';
export { claimCapital, peopleForCapital, unshownCapital } from './balances/capital-claims.ts';
export { offCurrencies, takesTwoToBook } from './balances/lasting-difference.ts';
export { doubtsByRail, openPayouts } from './payouts/doubts.ts';
export { bookDifference, comparedAt, differences } from './balances/reconcile.ts';
export { type Sending, paymentsCheck, sendingFaults } from './proof/check-books.ts';
export { payinFaults, addressFaults } from './proof/check-rows.ts';
export {
  type CameIn,
  type SentOut,
  crossingsOf,
  givenBackBy,
  payoutsOfDay,
  undeliveredOwners,
  undeliveredPayouts,
} from './proof/check-owners.ts';
export { UNRECORDED_ALARM, type UnrecordedSend, unrecordedSendById, unrecordedSends } from './unrecorded/unrecorded-sends.ts';
export type { PaymentsDeps } from './rails/deps.ts';
export { marketPrices, marketValues } from './rails/values.ts';
export { paymentsDeps, paymentsWork, runPayments } from './work.ts';
