// Collecting: code that is common to orders, deposits and (later) invoices, since all of them are paid for.
//
// collection     an amount due, the terms, and the payments towards it: in time or late, short, enough, over
// verdict        result of checking a payment: clean, held softly or hard, or waiting for its screening
// conversion     legs that book a price between named accounts
// owner          object that pays or is paid; its room registers each kind once, with all that other rooms need of it
// unit of work   work of one transaction: lock, decide, save, publish, one posting; several actions may share one

export {
  type Terms,
  PERCENT_ENOUGH,
  arrivedInTime,
  arrivedOf,
  isEnough,
  isInLock,
  isInTime,
  isOverdue,
  minimumEnough,
  missedBy,
  overdueAt,
  shortBy,
  observedPayments,
  windowEnd,
  windowsEnd,
  withinTerms,
} from './collection.ts';
export { type PaymentVerdict, type PaidFor, STRANGER, checkPayments } from './check-payments.ts';
export { COMPONENT_ACCOUNTS, conversion, conversionBack, min, move, takenBack } from './legs.ts';
export {
  type ChatAddress,
  type Holder,
  type KnownOwner,
  type NumberedOwner,
  type OwnedEvent,
  type OwnerChats,
  type OwnerKey,
  type OwnerKind,
  type StreamDeps,
  defineOwner,
  gatesOf,
  knownOwners,
  ownerByNumber,
  subscriptionsOf,
  watchOwners,
} from './owners.ts';
export { type Payment, type RailAccount, paymentOf } from './payment.ts';
export { cutFromLatest, cutPayment, joinPieces, sumOf, withoutRetained } from './pieces.ts';
export { awaitedAmong, unpolledAmong } from './timers.ts';
export { JournalRefused, type Member, UnitOfWork, alone, inGroups, together } from './unit-of-work.ts';
