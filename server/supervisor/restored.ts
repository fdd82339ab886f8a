// Detects a database that is older than the notes beside its keys. It was restored from a backup, or somebody has cut its end
// off: nothing is paid out until two people have checked it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SealNote, noteFault, renewNote, restampNote } from '../ledger/index.ts';
import { type RestoreCause, endedRestore, enterRestored, knowsMark, openRestore } from '../payments/index.ts';
import { type Config, type Db, log, newId } from '../platform/index.ts';
import { openAuditNote, openBooks } from './books.ts';
import { over } from './older-version.ts';

/** File that restoring keys leaves among them. */
export const RESTORE_MARK = 'restored.json';

/** Mark of restored keys; each restore has its own. */
interface RestoreMark {
  readonly id: string;
  readonly at: string;
  /** Source of the keys; a backup if absent. */
  readonly from?: 'words';
}

/** Returns the content of a new mark. */
export const newRestoreMark = (at: Date, from?: RestoreMark['from']): Buffer =>
  Buffer.from(`${JSON.stringify({ id: newId(), at: at.toISOString(), ...(from && { from }) } satisfies RestoreMark)}\n`);

/** Notes beside the keys of a machine: the last seals that the database had reached, and a mark of restored keys. */
export interface KeyNotes {
  readonly books: SealNote;
  readonly audit: SealNote;
  /** Returns the mark of restored keys; undefined for none. */
  readonly mark: () => RestoreMark | undefined;
}

/** Opens the notes beside the keys of this machine. A machine without notes has nothing to compare. */
export const openKeyNotes = (config: Pick<Config, 'KURS_DATA'>): KeyNotes => ({
  books: openBooks(config),
  audit: openAuditNote(config),
  mark: () => readMark(join(config.KURS_DATA, 'keys', RESTORE_MARK)),
});

function readMark(path: string): ReturnType<KeyNotes['mark']> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RestoreMark;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const CHAINS = [
  ['books', { table: 'journal_seal' }],
  ['audit', { table: 'audit_seal' }],
] as const;

/**
 * Compares the database with the notes beside the keys, and enters restored mode if the database is older or the keys were
 * restored. Returns true if the mode is on. `renews`: once two people have ended the mode, update the notes from the database,
 * for the process that writes them.
 */
export async function noticeRestored(db: Db, notes: KeyNotes, { renews = false } = {}): Promise<boolean> {
  // Notes are read before the database. A seal made in between would be missing for a reader that began before.
  const noted = CHAINS.map(([name]) => notes[name].read());
  const mark = notes.mark();
  const ended = await endedRestore(db);
  const found = (await openRestore(db))?.why ?? [];
  const causes: RestoreCause[] = [];
  for (const [at, [name, chain]] of CHAINS.entries()) {
    const before = noted[at];
    const fault = await noteFault(db, chain, before);
    const isOlder = ended !== undefined && before !== undefined && before.restored !== ended.id;
    if (isOlder && renews) await renew(db, { name, chain, note: notes[name], fault }, ended.id);
    else if (!isOlder && fault !== undefined && !found.some((one) => isAbout(one, name, before)))
      causes.push({ found: name, detail: `By keys/${name}.seal ${fault}.` });
  }
  if (mark && !(await knowsMark(db, mark.id))) causes.push({ found: 'keys', detail: markWords(mark), mark: mark.id });
  if (causes.length > 0) {
    await db.tx((tx) => enterRestored(tx, causes));
    return true;
  }
  return (await openRestore(db)) !== undefined;
}

/**
 * True if two findings are about the same note. A missing seal becomes a different one once the chain has grown past it. People
 * who have asked to end the mode need not ask again for that.
 */
const isAbout = ({ found, detail }: RestoreCause, name: string, noted: ReturnType<SealNote['read']>): boolean =>
  found === name && new RegExp(`the seal ${noted?.number}\\b`).test(detail);

const markWords = ({ at, from }: RestoreMark): string =>
  from === 'words'
    ? `The seed was restored from its words at ${at}: the books do not know the coins at its addresses.`
    : `The keys were restored from a backup at ${at}.`;

/** Returns the message of a start in restored mode; undefined otherwise. */
export async function restoredWords(url: string, config: Pick<Config, 'KURS_DATA'>): Promise<string | undefined> {
  openBooks(config);
  const open = await over(url, openRestore);
  if (!open) return undefined;
  return `RESTORED MODE since ${open.at.toISOString()}: nothing is paid out until two people of the desk end it.
${open.why.map(({ detail }) => detail).join('\n')}
npm run desk -- restored shows what the books don't know; "Restore" in docs/operations.md says what to do.`;
}

async function renew(
  db: Db,
  { name, chain, note, fault }: { name: string; chain: (typeof CHAINS)[number][1]; note: SealNote; fault: string | undefined },
  restored: string,
): Promise<void> {
  if (fault === undefined) return restampNote(note, restored);
  await renewNote(db, chain, note, restored);
  log.info('the noted end of a chain is renewed: two people have ended the restore', { note: name, restored });
}
