// The ground floor: what every room stands on. It knows no money and no room.
//
// db        statements and transactions on PostgreSQL
// fact      something that happened in one room and that others may act upon; written in the transaction it happened in
// subscriber a room that acts upon facts of some kinds, in groups, in its own transaction
// sweeper   a loop that looks for due rows, whether or not a hint came
// setting   a value an operator changes while we run, with history
// mac       what a row was written as, under a key that the database doesn't have: who changes the row can't make it anew
// config    what the environment says when a process starts; secrets are kept apart
// machine   a state machine as data
// problem   the error that abandons a transaction and is told to the caller (from the contract)

export { openDb, isDuplicate } from './db.ts';
export type { Db, Statements, Tx, Values } from './db.ts';
export { installedMode, isUnwritten, migrate, missingMigrations, type Mode } from './migrate.ts';

export { facts, subscribe, type Fact, type Left, type StoredFact, type Subscription } from './facts.ts';
export { every, everyDue, loopTroubles, type Sweeper } from './sweeper.ts';
export { Recent } from './recent.ts';
export { holdAlone } from './hold-alone.ts';
export { livingLikeUs, noteLiving } from './living.ts';
export { LastGood } from './last-good.ts';
export { untilItWorks } from './until-it-works.ts';
export { type VersionWatch, watchVersions } from './watch-versions.ts';
export { mail, runMail, sendAtOnce, type Post, type Postman } from './mail.ts';
export { letterWords, type LetterParts } from './letter.ts';
export { alteredSettings, areSettingsBefore } from './setting-macs.ts';
export {
  defineSettings,
  listSettings,
  peopleToChange,
  putSetting,
  settingFrom,
  settingHistory,
  settingNow,
  watchSettings,
  type SettingNow,
  type SettingsWatch,
} from './settings.ts';
export { fewer, on } from './loosening.ts';
export { settingText } from './setting-text.ts';

export { AppendFile, replaceFile } from './append-file.ts';
export { monotonicMs, wallClock } from './clock.ts';
export { advanceClock, clockAhead } from './sandbox-clock.ts';
export { clockLook, watchClock } from './clock-watch.ts';
export { hasTwins } from './json-twins.ts';
export { newId } from './id.ts';
export { canonicalEmail } from './email.ts';
export { draw, flaws, nextStates, rowFinder, type AnyMachine, type Drawing, type Machine, type MachineRow } from './machine.ts';

export { API_PREFIX, buildServer, inputOfQuery, type Measured, type Server } from './http.ts';
export {
  bind,
  holderBehind,
  userOf,
  withMore,
  type ApiKey,
  type Context,
  type ListMeta,
  MOST_COUNTED,
  countSome,
  knownMeta,
  listMeta,
  type Operator,
  type User,
  type Work,
} from './calls.ts';
export { requirePermission } from './principal.ts';
export { type PageAsked, beginOf, nextOf } from './cursor.ts';
export type { EventStream, Followed } from './event-stream.ts';
export { canonical, forgetAnswers } from './idempotency.ts';
export { forgetCounters } from './counters.ts';
export { csvOf } from './csv.ts';
export { pictureType, type PictureType } from './picture-type.ts';
export { XLSX_TYPE, xlsx, type Cell } from './xlsx.ts';
export { TICKET_MS, openTickets } from './tickets.ts';
export { isLoopback, networkBlock } from './callers.ts';
export { createLimiter, type Counted, type Limit } from './limits.ts';
export { problemBody, validationProblem } from './problem-answer.ts';

export { alsoAbout, configureLog, log, requestId, type LogIds } from './log.ts';
export { countWaiting } from './waiting.ts';
export { redactText } from './redact.ts';
export { ConfigError, describeConfig, loadConfig, type Config } from './config.ts';
export {
  booksKeys,
  makeSecret,
  namesOf,
  openSealer,
  openTokens,
  requirePrivate,
  secret,
  serverKeys,
  type Sealer,
  type Tokens,
} from './secrets.ts';
export {
  fingerprintsOf,
  haveServed,
  judgeKeys,
  type KeyKind,
  type KeysJudged,
  knownFingerprints,
  learnKeys,
  makeKeys,
  missingKeys,
  newSeed,
  onlyKeys,
  onlyKeysIn,
  rotateKey,
} from './keys.ts';
export { LEAST_PASSPHRASE, UnreadableBackup, openKeys, placeKeys, sealKeys } from './key-backup.ts';
export { bare, configureMacs, isMac, macOf, steady } from './macs.ts';
export { takesEncoding } from './smaller.ts';
export { openSignatures, signaturesFrom, type Signatures } from './signatures.ts';
export { type DeskKey, keepDeskKeys } from './desk-keys.ts';
export { FolderInUse, keepRunNote, readRunNote, takeFolder, writeRunNote, type RunNote } from './data-folder.ts';
export { keepChild, serveAsChild, trimLog, type Child } from './child.ts';
export {
  clusterUrl,
  createCluster,
  keepPostgres,
  placeCluster,
  stopOrphan,
  waitForPostgres,
  type ClusterPlace,
  type KeeperRequest,
} from './cluster.ts';
export { freePort, isFree, onFreePort } from './ports.ts';
