// Payments: money crossing our border. The only user of rails; it knows no orders, only owners `{ kind, id }`.
//
// rail        what moves money outside: a chain, later a provider
// place       our own receiving address on a rail, handed out once, watched for ever
// sighting    a payment as the rail shows it now · pay-in: what we have recorded of it
// final       deep enough for its sum that it is credited; by the sum exposed, not by the payment alone
// foreign     arrived at a place in another currency than the place was handed out for
// intent      one sum to be sent to one account; its id is the reference · payout: the row that carries it
// attempt     one signed send of one or many payouts; stored before it leaves, and only its bytes are ever sent again
// in doubt    sent, perhaps; looked up, never sent again blindly
// float       what a rail confirms as payable now · sweep: bringing deposits into the hot wallet
// event       something that payments itself posts: a network fee, a sweep, capital, a difference
// callback    a provider's message: a hint, kept before it is answered, applied later

export { type Owner } from './owner.ts';
export {
  PAYIN_FACT,
  PAYOUT_FACT,
  WAY_FACT,
  type PayinBody,
  type PayinEvent,
  type PayoutBody,
  type PayoutEvent,
  type WayBody,
} from './facts.ts';
export {
  type CurrencyInfo,
  canSend,
  checkAccount,
  currencies,
  currencyOf,
  estimateSending,
  estimateSendingTo,
  isChain,
  isPrepared,
  payKindOf,
  paymentCode,
  paymentUri,
  useRails,
} from './registry.ts';
export { currencyName, writeSum, writeSumNamed } from './written-money.ts';
export type { AccountField, PayWay } from '../rails/rail.ts';
export { accountProblem } from './account-problem.ts';
export { type GivenAccount, checkGivenAccount } from './check-given.ts';
export { voucherFields } from './voucher-fields.ts';
export { decidePayin, isOpenTo, payinById } from './decide-payin.ts';
export { type Growth, bookArrival, checkHandedOn, growths } from './book-arrival.ts';
export type { Payin } from './payin.ts';
export { payinsBy } from './payin-store.ts';
export { enterVoucher, isEnteredTwice } from './entries.ts';
export { GOODS_SHOWN_DAYS, type GoodsState, goodsState, goodsStates, showGoods } from './goods.ts';
export { dropRequests } from './request-store.ts';
export { openPayin, watchClosely } from './open-payin.ts';
export type { Gates, Kept, Leaving, MayLeave } from './gates.ts';
export { PAYOUT_MACHINE } from './payout-machine.ts';
export { type RequestPayout, canStop, requestPayout, requestPayouts, stopPayout } from './request-payout.ts';
export { countFound, foundLate, foundLateById, writeOffFound } from './found-late.ts';
export { doubts, payoutStatus, resolvePayout } from './resolve-payout.ts';
export { announcePayout, dropAnnounced } from './asked.ts';
export { lateLooks, lateWords } from './looks-late.ts';
export { lookedSince, looksBehind, payersOf } from './looked.ts';
export { type Returned, owedForFind, returnedOf } from './returned.ts';
export { unswept } from './unswept.ts';
export { lastFloat, payable, payables } from './float.ts';
export { maySend, recallGoodsDays, sendingRails } from './settings.ts';
export { railList, switchRail, takesOrders } from './rails.ts';
export { railHistories, railStates } from './rail-state.ts';
export { takeCallback } from './callback.ts';
export { requireRail, sendsOf, switchPayouts } from './switch-payouts.ts';
export { closeBooks, unclosedSince } from './close-books.ts';
export { type ClearDifference, clearDifference, isStuck, markStuck, stuckOf } from './corrections.ts';
export { setAsideFuel } from './set-aside-fuel.ts';
export { fundDesk, withdrawDesk } from './capital.ts';
export { claimCapital, peopleForCapital, unshownCapital } from './capital-claims.ts';
export { offCurrencies, takesTwoToBook } from './standing-difference.ts';
export { doubtsByRail, openPayouts } from './doubts.ts';
export { bookDifference, comparedAt, differences } from './reconcile.ts';
export { type Sending, paymentsJudge, sendingFaults } from './judge-books.ts';
export { payinFaults, placeFaults } from './judge-rows.ts';
export { type CameIn, type SentOut, crossingsOf, givenBackBy, untoldOwners } from './judge-owners.ts';
export type { PaymentsDeps } from './deps.ts';
export { marketPrices, marketValues } from './values.ts';
export { paymentsDeps, paymentsWork, runPayments } from './work.ts';
