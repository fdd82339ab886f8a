// Collecting: what everybody who is paid for something shares, be it an order, a deposit or (later) an invoice.
//
// collection    what is due, on which terms, and the payments that came for it: in time or late, short, enough, over
// judgement     what is known of a payment: clean, held softly or hard, or that it waits for its screening
// conversion    the legs of a price between named accounts
// owner         what pays or is paid; its room registers each kind once, with all that other rooms ask of it
// unit of work  what one transaction does: lock, decide, save, publish, one posting; a group of actions shares one

export {
  type Terms,
  PERCENT_ENOUGH,
  arrivedInTime,
  arrivedOf,
  isEnough,
  isInLock,
  isInTime,
  isOverdue,
  leastEnough,
  missedBy,
  overdueAt,
  shortBy,
  observedPayments,
  windowEnd,
  windowsEnd,
  withinTerms,
} from './collection.ts';
export { type Judgement, type PaidFor, STRANGER, judgePayments } from './judge-payments.ts';
export { COMPONENT_ACCOUNTS, conversion, conversionBack, least, move, takenBack } from './legs.ts';
export {
  type ChatAddress,
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
export { cutFromLatest, cutPayment, joinPieces, sumOf, withoutKept } from './pieces.ts';
export { awaitedAmong, unlookedAmong } from './timers.ts';
export { JournalRefused, type Member, UnitOfWork, alone, inGroups, together } from './unit-of-work.ts';
