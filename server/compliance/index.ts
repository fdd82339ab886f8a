// Compliance: limits of the sums that customers exchange, limits of their unpaid orders, and checks of customers and accounts.
//
// level       verification level of an account holder, 0 to 3; sets the limits at once, in 24 hours and in 30 days
// owner       the order, withdrawal or deposit that a limit is used for; known by kind and id alone
// subject     the customer who makes a request: e-mail, accounts, device, payment sources, network
// shown       proven by a customer (a session, its mailbox); data that was only typed never limits other customers
// key         one thing that two owners may share (`holder:…`, `email:…` once shown, `device:…`, `source:…`, `net:…`)
// use         an owner's sum in USD, added up under each of its keys while the owner is open or done
// unpaid      promised, and no payment is final yet; bounded by customer and network
// hold        here: the desk's money set aside for a customer who has not paid yet; bounded by share of the reserve
// settlement  the outcome of an owner, which ends its use, its unpaid status and its hold
// reversible  a payment that can be taken back for months: it has limits of its own, and so has their total
// payer       the account that a reversible payment comes from; it belongs to one person
// debt        a customer's debt after a payment was taken back: stops customers who have one of its keys as a proven key
// block       people's decision that nothing is taken from a customer and nothing sent to them; stops as a debt does
// network     a /24 (IPv4) or /48 (IPv6); only a signal: it limits unpaid orders, never sums
// challenge   proof of work (ALTCHA) required of visitors if no provider is configured or none answers
// screening   check of accounts by an outside service; without one, nothing is held

export { configureCompliance } from './configure.ts';
export { holderWithLevel, levelOf, levelsOf, limitsOf, setLevel, shownHolder, shownOf } from './customers/level.ts';
export { moveCustomer } from './limits/move-customer.ts';
export { ownersUnder } from './limits/keys.ts';
export { type Partner, type Subject, customerOf, knownBy, networkKey, shownKeys, whence } from './customers/subject.ts';
export {
  addSources,
  readCounted,
  requireWithinLimits,
  requireWithinReversible,
  reserveLimits,
  tryLimits,
} from './limits/limits.ts';
export { dropUses, uncountedInLimits } from './limits/limit-store.ts';
export { lockMinutes, tryUnpaid } from './limits/unpaid.ts';
export { type AllowedHold, mayHold, takeHolds } from './limits/hold.ts';
export { partnerKnownAt, partnerOf, requirePartner } from './limits/partners.ts';
export { heldByUnit } from './limits/hold-store.ts';
export { type Settlement, forgetCounted, settle } from './limits/settle.ts';
export {
  type PayerHistory,
  isReversible,
  maxReversible,
  payerLevel,
  requirePayerLevel,
  clearingMs,
  clearingCount,
  takesReversible,
} from './limits/reversible.ts';
export { RECEIPT_DAYS, countReceipt, lockReceipts, receiptsLeft } from './limits/receipts.ts';
export { bindPayers, strangersAmong } from './limits/payers.ts';
export {
  type Debt,
  type Debtor,
  type Owed,
  type Stop,
  anyDebts,
  debtsAmong,
  keysShown,
  keysTyped,
  countDebtsSince,
  debtorOf,
  noteDebt,
  openDebts,
  owedBy,
  owedSum,
  requireNoDebts,
  stopOf,
  stopsOf,
  wrongDebts,
} from './customers/debts.ts';
export { complianceCheck } from './check-books.ts';
export { type Block, addBlock, blocksNotLifted, keysOfNamed, liftBlock, openBlocks } from './customers/blocks.ts';
export { publishedRules } from './published-rules.ts';
export { type SpendBot, proveBot } from './bot/bot.ts';
export { type BotProvider, type BotProviderOptions, openBotProvider } from './bot/bot-provider.ts';
export { openHttpScreener } from './screening/http-screener.ts';
export type { Risk, Screener } from './screening/screener.ts';
export { screen, screens } from './screening/screening.ts';
export { screenPayouts, verdictsOnPayouts } from './screening/screen-payouts.ts';
export { screenPayments, verdictsOnPayments } from './screening/screen-payments.ts';
export { levelsSetAt, type Level } from './customers/customer-store.ts';
export { complianceRoutes } from './routes.ts';
