// The ledger, which alone writes the books. It records exactly whose money is where.
//
// unit      measure of money (BTC, USDT); a journal balances in each of its units
// account   a named account of one unit with a class and bounds, defined in chart.ts; created by its first posting
// leg       money that goes from one account to another; stored as one posting row, so debits equal credits by construction
// journal   the legs of one event, accepted or refused together; its id makes sure that it is posted at most once
// entry     a posting seen from one of its two accounts: numbered without gaps, each with the balance after it
// type      a group of accounts whose names share their fixed pieces; legal-legs.ts lists the legs allowed between types
// stored    the balance as stored: money in − money out; shown with the opposite sign for held and spent accounts
// own       the desk's own money: held − owed, in each unit
// mac       a checksum of a posted journal, under a key that the database doesn't have
// seal      a link of the chain of seals, which covers all journals
// check     a room's part in the proof of the books, about its accounts and journals

export { accounts } from './chart/chart.ts';
export type { AccountRef, Place, AccountType } from './chart/chart.ts';
export { KINDS, leg } from './chart/journal.ts';
export type { Journal, JournalKind, JournalStatus, Leg } from './chart/journal.ts';
export { post, postAndCommit } from './post/post.ts';
export { balance, balances, balanceAt, entries } from './read/store.ts';
export type { Entry } from './read/store.ts';
export { balanceAfter, balancesAt, entryByLeg, entryCounts, entryCountsAt, movedSince, newestEntries } from './read/statement.ts';
export type { Moved, Span, SpanEntry } from './read/statement.ts';
export { openMemory } from './post/memory.ts';
export type { Memory } from './post/memory.ts';
export { verify } from './proof/verify.ts';
export { storeProof, proveEachNight } from './proof/night.ts';
export { checkNote, findStrangers, sealJournals } from './seals/seal.ts';
export {
  type Chain,
  type Proven,
  type SealNote,
  type Stretch,
  FIRST,
  checkChainNote,
  noteFault,
  newestSeal,
  noteSeal,
  renewNote,
  restampNote,
  sealNext,
  sealNote,
  walkChain,
} from './seals/chain.ts';
export type { Report } from './proof/verify.ts';
export type { Scope } from './proof/night-scope.ts';
export { type Flow, type StoredLeg, flowsOf, lastJournals, ownersOf } from './proof/flows.ts';
export {
  type Fault,
  type BooksCheck,
  type RowBalance,
  accuse,
  holdings,
  checkOfRows,
  unlikeBooks,
  unlikeTimes,
} from './proof/checks.ts';
export { assertLegal } from './chart/legal-legs.ts';
export { profit } from './read/profit.ts';
export { type OwnMove, ownBefore, ownMoves, pricesBefore } from './read/own-moves.ts';
export { formatUsd, usdOf } from './read/usd.ts';
