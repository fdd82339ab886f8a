// The base of an installation: its database with the roles, its keys, and the files of its providers.

export { requireUnbegun } from './begin-from-words.ts';
export { openAuditNote, openBooks, openMacs } from './books.ts';
export { ownAddresses, type DatabaseAddresses } from './database-roles.ts';
export { prepareDatabase, withDatabase } from './database.ts';
export { hasNoDatabase, letKnow, requireKeys, requireNoKeys, requireSameKeys } from './first-start.ts';
export { NEEDS, keysOf, readyAddress, type OneRole } from './one-role.ts';
export { over } from './older-version.ts';
export { providersOf, refusedBySettings } from './providers.ts';
export { ownPublicKeys, publishPublicKeys } from './public-keys.ts';
export { RESTORE_MARK, newRestoreMark, noticeRestored, openKeyNotes, restoredWords } from './restored.ts';
export { shareKeys } from './share-keys.ts';
