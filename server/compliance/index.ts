// Compliance: how much somebody may exchange, how many unpaid orders he may have, and whom we must look at first.
//
// level       what a customer has shown of himself, 0 to 3; sets the limits per order, in 24 hours and in 30 days
// subject     who asks: e-mail, accounts, device, payment sources, network
// shown       what somebody has proved of himself (a session, its mailbox); what was only typed counts against nobody else
// key         one thing that two orders may share (`holder:…`, `email:…` once shown, `device:…`, `source:…`, `net:…`)
// use         an order's sum in USD, counted under each of its keys while the order is open or done
// unpaid      placed, and no payment is final yet · hold: desk's money promised to an unpaid order
// standing    what an order that is about to be placed is granted: with a hold or without, locked how long
// reversible  a payment that can be taken back for months: windows of its own, and all of it together is bounded
// payer       the account that such a payment comes from: one person's
// debt        what somebody owes after a payment was taken back: stops whom it is shown to belong to
// block       people's word that nothing is taken from somebody, and nothing sent to him; stops as a debt does
// network     a /24 (IPv4) or /48 (IPv6); only a signal: it bounds unpaid orders, never limits
// challenge   proof of work (ALTCHA) asked of visitors, where no provider is configured for that or none answers
// screening   asking an outside service about accounts; with none configured nothing is held and the review says so

export { configureCompliance } from './configure.ts';
export { levelOf, limitsOf, moveCustomer, setLevel, shownHolder } from './level.ts';
export { type Subject, customerOf } from './subject.ts';
export {
   type Settlement, addSources, readCounted, requireWithinLimits, requireWithinReversible, reserveLimits,
  settleLimits,
} from './limits.ts'; // prettier-ignore
export { type Standing, lockMinutes, unpaidStanding } from './unpaid.ts';
export {
  type PayerHistory, isReversible, mostReversible, payerLevel, requirePayerLevel, seasonMs,
  seasonOrders, takesReversible,
} from './reversible.ts'; // prettier-ignore
export { bindPayers, strangersAmong } from './payers.ts';
export {
  type Debt,
  type Debtor,
  type Owed,
  type Stop,
  anyDebts,
  alteredDebts,
  debtsAmong,
  keysShown,
  keysTyped,
  noteDebt,
  openDebts,
  owedBy,
  owedSum,
  requireNoDebts,
  stopOf,
  wrongDebts,
} from './debts.ts';
export { type Block, addBlock, keysOfNamed, liftBlock, openBlocks } from './blocks.ts';
export { toldRules } from './told-rules.ts';
export { type SpendBot, proveBot } from './bot.ts';
export { type BotProvider, type BotProviderOptions, openBotProvider } from './bot-provider.ts';
export { openHttpScreener } from './http-screener.ts';
export type { Risk, Screener } from './screener.ts';
export { screen, screens } from './screening.ts';
export { screenPayouts, verdictsOnPayouts } from './screen-payouts.ts';
export { screenPayments, verdictsOnPayments } from './screen-payments.ts';
export { type Level, forgetUses as forgetOldUses, heldByUnit } from './store.ts';
export { complianceRoutes } from './routes.ts';
