/**
 * Gate: businesses and others are paid here.
 *
 * - **Business**: what an account holder applied for and people of the desk approved. It has any number of stores.
 * - **Store**: everything of the gate belongs to one, as members, API keys and invoices. It is of a business, personal, or a test
 *   store without money.
 * - **Member**: an account holder with a role on a store. The owner is one, too.
 * - **Invoice**: a store's request for a sum. Its buyer pays by any method, and the store receives its own currency.
 * - **Settlement**: what a store received moves to its owner's wallet, and back.
 * - **Refund**: money of a store's balance, claimed by a link.
 */
export { gateRoutes } from './routes.ts';
export { entryRows } from './bookkeeping/entry-rows.ts';
export { invoiceRows, paymentRows } from './bookkeeping/invoice-rows.ts';
export { refundRows } from './bookkeeping/refund-rows.ts';
export { INVOICE_OWNER } from './invoice-owner.ts';
export { clearClaimToLeave, decideAsDesk, peopleForClaim, worthOfClaim } from './refunds/actions/decide-claim.ts';
export { CLAIM_MACHINE } from './refunds/machine/claim-machine.ts';
export { REFUND_MACHINE, REFUND_POSTINGS } from './refunds/machine/refund-machine.ts';
export { REFUND_OWNER } from './refunds/refund-owner.ts';
export { claimsById, claimsForDesk } from './refunds/rows/claim-rows.ts';
export { refundsById } from './refunds/rows/refund-rows.ts';
export { countHardHolds } from './rows/invoice-rows.ts';
export { storesById } from './stores/store-rows.ts';
export { INVOICE_MACHINE, INVOICE_POSTINGS } from './invoices/invoice-machine.ts';
export {
  BUSINESS_MACHINE,
  type Business,
  type BusinessAction,
  type BusinessState,
  DECISIONS,
  countedState,
} from './businesses/business.ts';
export { businessPage, businessById, businessesById, hasOpenBusiness, lockBusiness } from './businesses/business-store.ts';
export { dayLimitOf, generalDayLimit } from './businesses/day-limit.ts';
export { decide, requireDecidable, requireLimitable, setDayLimit, setReversible } from './businesses/decide.ts';
export { haveStoresMoney, requireEmpty } from './require-empty.ts';
export type { LetterSender } from './businesses/letters.ts';
export { type ReversibleTerms, areLooser, boundsOf } from './businesses/reversible.ts';
export { type StoreOfBusiness, storesOfBusinesses } from './businesses/stores-of.ts';
export { businessRecords, businessView } from './businesses/views.ts';
export { decideHeld } from './actions/decide-held.ts';
export { gateChangeTokens } from './change-tokens.ts';
export { gateCheck } from './check-books.ts';
export { forgetStores, storeInvoiceRows, storeRecords } from './forget-stores.ts';
export { readPicture, setPicture } from './links/link-pictures.ts';
export { linkView } from './links/views.ts';
export { acceptSite, sitesNamed, strikeSite } from './stores/change-sites.ts';
export { readMark, setMark } from './stores/marks.ts';
export { type Site, isStruck, isUndecided } from './stores/site.ts';
export { countUndecidedSites, sitesOfBusinesses } from './stores/site-rows.ts';
export { figuresOfBusinesses, owingBusinesses, reversingBusinesses } from './settled/business-figures.ts';
export { bookDisputeCost, disputable } from './disputes/dispute-cost.ts';
export { debtsOfBusiness, lockDebt, writeOffDebt } from './settled/write-off.ts';
export { storeMoves } from './settlements/wallet-moves.ts';
export { storeView } from './stores/views.ts';
export { seedStoreRoles } from './stores/roles.ts';
export { asResource } from './stores/store.ts';
export { heldPayment, heldPayments } from './views/held-payments.ts';
export { runGate } from './work.ts';
export { storeChannels } from './webhooks/kinds.ts';
