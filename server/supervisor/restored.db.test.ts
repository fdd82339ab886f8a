import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts, leg, newestSeal, noteFault, post, sealJournals, verify } from '../ledger/index.ts';
import { endRestored, openRestore, sendingRails } from '../payments/index.ts';
import { configureLog, newId } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { type KeyNotes, RESTORE_MARK, newRestoreMark, noticeRestored, openKeyNotes } from './restored.ts';

const BOOKS = { table: 'journal_seal' } as const;
let world: TestDb;
let folder: string;
let notes: KeyNotes;
let alarms: string[] = [];

beforeEach(async () => {
  world = await testDb();
  folder = mkdtempSync(join(tmpdir(), 'kurs-restored-'));
  mkdirSync(join(folder, 'keys'));
  // Keys of all tests.
  for (const name of ['books-v1.key', 'server-v1.key'])
    writeFileSync(join(folder, 'keys', name), `${'09'.repeat(32)}\n`, { mode: 0o600 });
  notes = openKeyNotes({ KURS_DATA: folder });
  alarms = [];
  configureLog({ sink: (text) => void alarms.push(...text.split('\n').filter((line) => line.includes('"alarm":true'))) });
});
afterEach(async () => {
  await world.drop();
  rmSync(folder, { recursive: true });
});
after(() => configureLog({ sink: (text) => void process.stdout.write(text) }));

/** Posts journals and seals each; returns the last seal. */
async function live(journals: number): Promise<string> {
  for (let at = 0; at < journals; at += 1) {
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet('ann', 'USDT'), 5n)];
    await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
    for (let turn = 0; turn < 500 && (await sealJournals(world.db, notes.books)) === 0; turn += 1) await sleep(20);
  }
  return (await newestSeal(world.db, BOOKS)).number;
}

/** Resets the chain to a seal, as a backup would, and seals the later journals again, differently. */
const backTo = (number: string): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    await tx.run('delete from journal_seal where number > $1', [number]);
  });

const bringKeysBack = (at: string): void => writeFileSync(join(folder, 'keys', RESTORE_MARK), newRestoreMark(new Date(at)));
const maySend = async (): Promise<boolean> => (await sendingRails(world.db, ['bitcoin'])).has('bitcoin');
const turn = (): Promise<boolean> => noticeRestored(world.db, notes, { renews: true });
const end = () => world.db.tx((tx) => endRestored(tx, ['olga', 'oleg']));
const faults = async (): Promise<string[]> => (await verify(world.db, { note: notes.books })).faults.map(({ words }) => words);

test('a database that matches its notes, or has none yet, is used as usual', async () => {
  assert.equal(await turn(), false);
  await live(2);
  assert.equal(await turn(), false);
  assert.equal(await maySend(), true);
  assert.deepEqual(alarms, []);
});

test('a database older than the noted end of its books pays nothing out until two people have ended restored mode', async () => {
  const older = await live(1);
  const newest = await live(2);
  await backTo(older);
  assert.equal(await turn(), true);
  assert.equal(await maySend(), false);
  const open = await openRestore(world.db);
  assert.deepEqual(open?.why, [{ found: 'books', detail: `By keys/books.seal the seal ${newest} is missing.` }]);
  assert.equal(alarms.length, 1, alarms.join('\n'));

  // The copy goes on: its chain reaches the noted number again, but the note belongs to the other chain.
  await live(3);
  assert.equal(notes.books.read()?.number, newest, 'the note is not written over');
  assert.equal(await turn(), true);
  assert.equal(
    (await openRestore(world.db))?.why.length,
    1,
    'it is no further finding, and who has asked to end it need not ask again',
  );
  assert.ok((await faults()).length > 0, 'the books are accused until people accept them');
  assert.equal(await maySend(), false);

  await end();
  assert.equal(await turn(), false);
  assert.equal(notes.books.read()?.number, (await newestSeal(world.db, BOOKS)).number, 'it is noted anew');
  assert.deepEqual(await faults(), []);
  assert.equal(await maySend(), true);
  await live(1);
  assert.equal(await turn(), false, 'and goes on from there');
});

test('a start during the mode stays in it, whatever the notes say', async () => {
  const older = await live(1);
  await live(1);
  await backTo(older);
  await turn();
  rmSync(join(folder, 'keys', 'books.seal'));
  assert.equal(await turn(), true);
  assert.equal(await maySend(), false);
});

test('renews another worker’s older note once the restore has ended, and no note of a chain cut off later', async () => {
  const older = await live(1);
  await live(2);
  let noted = notes.books.read();
  const elsewhere: KeyNotes = { ...notes, books: { read: () => noted, write: (next) => void (noted = next) } };
  await backTo(older);
  await turn();
  await end();
  assert.equal(await turn(), false);
  assert.equal(await noticeRestored(world.db, elsewhere, { renews: true }), false, 'it was ended for all machines');
  assert.equal(await noteFault(world.db, BOOKS, noted), undefined);

  const newer = await live(2);
  await backTo(`${Number(newer) - 1}`);
  assert.equal(await turn(), true, 'somebody has cut the end off, or restored once more');
  assert.equal((await world.db.rows('select from restored')).length, 2);
});

test('notes that matched all along record an ended restore, so that none is renewed for it later', async () => {
  await live(2);
  bringKeysBack('2026-11-28T10:00:00Z');
  assert.equal(await turn(), true);
  await end();
  assert.equal(await turn(), false, 'a mark is good for one restore');
  const newest = (await newestSeal(world.db, BOOKS)).number;
  await backTo(`${Number(newest) - 1}`);
  assert.equal(await turn(), true);
});

test('restored keys enter the mode once per restore', async () => {
  assert.equal(await turn(), false);
  bringKeysBack('2026-11-28T10:00:00Z');
  assert.equal(await turn(), true);
  assert.match((await openRestore(world.db))?.why[0]?.detail ?? '', /restored from a backup at 2026-11-28T10:00:00/);
  await end();
  assert.equal(await turn(), false);
  bringKeysBack('2026-11-29T10:00:00Z');
  assert.equal(await turn(), true);
});

test('a seed restored from words enters the mode, too', async () => {
  writeFileSync(join(folder, 'keys', RESTORE_MARK), newRestoreMark(new Date('2026-11-28T10:00:00Z'), 'words'));
  assert.equal(await turn(), true);
  assert.match(
    (await openRestore(world.db))?.why[0]?.detail ?? '',
    /^The seed was restored from its words at 2026-11-28T10:00:00/,
  );
  assert.equal(await maySend(), false);
});
