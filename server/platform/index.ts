// The platform, on which all rooms are built. Its code knows nothing about money and imports no other room.
//
// db         statements and transactions on PostgreSQL
// event      something that happened in one room and that others may react to; written in the transaction of the change
// outbox     storage of published events until their subscribers have handled them
// subscriber a room that handles events of some kinds, in groups, each group in its own transaction
// sweeper    a loop that polls for due rows, with or without a notification
// setting    a value that operators change while the product runs, with its history
// mac        a checksum of a row under a key that the database doesn't have: somebody who alters the row can't make a new one
// config     the environment variables at the start of a process; secrets are stored apart
// machine    a state machine as data
// owner      the order, deposit or withdrawal that something belongs to, known only by kind and id
// problem    the error that rolls back a transaction and is the answer to the caller (defined in the contract)

export { allEnded } from './base/all-ended.ts';
export { SOFT, openDb, isConflict, isDuplicate, mayBeCommitted } from './db/db.ts';
export type { Db, Statements, Tx, Values } from './db/db.ts';
export { installedMode, isOfOtherVersion, isUnwritten, migrate, missingMigrations, type Mode } from './db/migrate.ts';

export { outbox, type Left, type OutboxEvent, type StoredEvent, type Subscription } from './events/outbox.ts';
export { every, everyDue, loopTroubles, type Sweeper } from './base/sweeper.ts';
export { Recent } from './base/recent.ts';
export { gather, type GatherOptions } from './base/gather.ts';
export { orProblem } from './base/or-problem.ts';
export { holdAlone } from './db/hold-alone.ts';
export { livingLikeUs, noteLiving } from './base/living-processes.ts';
export { LastGood } from './base/last-good.ts';
export { untilItWorks } from './base/until-it-works.ts';
export { carryWakes, onWake, sendWake, wake } from './db/wakes.ts';
export { type VersionWatch, watchVersions } from './db/watch-versions.ts';
export { letterWords, writeLetter, type LetterContent } from './events/letter.ts';
export { alteredSettings } from './db/setting-macs.ts';
export {
  defineSettings,
  listSettings,
  peopleToChange,
  putSetting,
  settingFrom,
  settingHistory,
  settingsAt,
  settingNow,
  watchSettings,
  type SettingNow,
  type SettingVersion,
  type SettingsWatch,
} from './db/settings.ts';
export { fewer, on } from './db/loosening.ts';
export { settingText } from './db/setting-text.ts';

export { AppendFile, replaceFile } from './files/append-file.ts';
export { monotonicMs, wallClock } from './base/clock.ts';
export { jsonArray } from './db/json-array.ts';
export { fromExactJson, toExactJson } from './db/exact-json.ts';
export { escapeLike, likePart } from './db/like.ts';
export { advanceClock, clockAhead } from './db/sandbox-clock.ts';
export { clockCheck, watchClock } from './process/clock-watch.ts';
export { jsonFault } from './http/json-fault.ts';
export { idOfText, newId } from './base/id.ts';
export { openNames } from './base/names.ts';
export { type Owner, idsOfOwner, idsOfOwners, subjectOf } from './base/owner.ts';
export { canonicalEmail } from './events/email.ts';
export {
  draw,
  flaws,
  nextStates,
  rowFinder,
  type AnyMachine,
  type Drawing,
  type Machine,
  type MachineRow,
} from './base/machine.ts';

export { API_PREFIX } from './http/dialect.ts';
export { inputOfQuery } from './http/input.ts';
export type { Measured } from './http/app.ts';
export { buildServer, type Server } from './http/http.ts';
export {
  bind,
  holderBehind,
  userOf,
  withMore,
  type AccountHolder,
  type ApiKey,
  type Context,
  type Grant,
  type ListMeta,
  MAX_COUNTED,
  countSome,
  knownMeta,
  listMeta,
  type Operator,
  type Resource,
  type User,
  type Work,
} from './http/calls.ts';
export { requirePermission } from './http/principal.ts';
export { type PageRequest, beginOf, nextOf } from './http/cursor.ts';
export type { EventStream, Followed } from './http/answers/event-stream.ts';
export {
  type KeepAnswer,
  answeredChange,
  canonical,
  forgetAnswers,
  storeAnswers,
  type StoredAnswer,
} from './http/idempotency.ts';
export { forgetCounters } from './http/callers/counters.ts';
export { csvOf } from './files/csv.ts';
export { PICTURE_BYTES, type Picture, redrawPicture } from './files/picture.ts';
export { pictureType, type PictureType } from './files/picture-type.ts';
export { XLSX_TYPE, xlsx, type Cell } from './files/xlsx.ts';
export { TICKET_MS, openTickets } from './db/tickets.ts';
export { isLoopback, networkBlock, networkOf } from './http/callers/callers.ts';
export { defineKeyBudget } from './http/callers/key-budgets.ts';
export { createLimiter, type Counted, type Limit } from './http/callers/limits.ts';
export { problemBody, validationProblem } from './http/answers/problem-answer.ts';

export { alarmOnce, alsoAbout, configureLog, log, requestId, type LogIds } from './base/log.ts';
export { idsOfAltered, inGroupsById } from './db/groups.ts';
export { countWaiting } from './db/waiting.ts';
export { reasonOf, redactText } from './base/redact.ts';
export { ConfigError, describeConfig, keyVariable, loadConfig, unknownVariables, type Config } from './base/config.ts';
export {
  booksKeys,
  makeSecret,
  namesOf,
  openSealer,
  openTokens,
  requirePrivate,
  secret,
  serverKeys,
  Unopened,
  type Sealer,
  type Tokens,
} from './secrets/secrets.ts';
export {
  SEED_WORDS,
  type TypedWord,
  sortedByPlace,
  isListed,
  isSeed,
  nearWords,
  newSeed,
  typedWords,
} from './process/seed-words.ts';
export {
  fingerprintOf,
  fingerprintsOf,
  haveServed,
  checkKeys,
  type KeyKind,
  type KeysChecked,
  knownFingerprints,
  learnKeys,
  makeKeys,
  missingKeys,
  onlyKeys,
  onlyKeysIn,
  rotateKey,
} from './process/keys.ts';
export { MIN_PASSPHRASE, UnreadableBackup, openKeys, placeKeys, sealKeys } from './secrets/key-backup.ts';
export { bare, configureMacs, isMac, macOf, steady } from './secrets/macs.ts';
export { configureSecretHashes, sealerOf, secretHash, secretHashes } from './secrets/secret-hashes.ts';
export { takesEncoding } from './http/answers/smaller.ts';
export { openSignatures, signaturesFrom, type Signatures } from './secrets/signatures.ts';
export { type DeskKey, storeDeskKeys } from './secrets/desk-keys.ts';
export { FolderInUse, keepRunNote, readRunNote, takeFolder, writeRunNote, type RunNote } from './process/data-folder.ts';
export { superviseChild, serveAsChild, reportWhyAsChild, trimLog, type Child } from './process/child.ts';
export {
  clusterUrl,
  createCluster,
  runPostgres,
  runningPid,
  placeCluster,
  stopOrphan,
  waitForPostgres,
  type ClusterPlace,
  type KeeperRequest,
} from './process/cluster.ts';
export { freePort, isFree, onFreePort } from './base/ports.ts';
