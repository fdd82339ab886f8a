import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SignedEntry } from '../rails/index.ts';
import { openJournal } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-journal-'));
after(() => rmSync(folder, { recursive: true }));

const entry = (at: string, txid: string, spends: string[], payouts: string[]): SignedEntry => ({
  at,
  rail: 'chain',
  txid,
  payouts,
  spends,
  raw: '0x',
  fee: { currency: 'COIN', parts: '1' },
  pays: [],
  leaves: { COIN: '1' },
});
const first = entry('2026-01-01T10:00:00.000Z', 't1', ['x', 'y'], ['A']);
const second = entry('2026-01-02T10:00:00.000Z', 't2', ['z'], ['A', 'B']);

test('what was signed is found by spend, payout, time and id, also after a restart', () => {
  const path = join(folder, 'a.jsonl');
  const write = openJournal(path);
  write.append(first);
  write.append(second);
  write.close();
  const journal = openJournal(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(journal.related('chain', ['y'], []), [first]);
  assert.deepEqual(journal.related('other', ['y'], []), []);
  assert.deepEqual(journal.related('chain', ['x'], ['A']), [first, second]);
  assert.deepEqual(journal.since(new Date('2026-01-01T10:00:00.000Z')), [second]);
  assert.deepEqual(journal.since(new Date('2025-01-01T10:00:00.000Z')), [first, second]);
  assert.deepEqual(journal.since(new Date('2026-02-01T10:00:00.000Z')), []);
  assert.ok(journal.knows('t1') && !journal.knows('t3'));
  journal.close();
});

test('a line that a crash cut off is dropped, and the next one is whole', () => {
  const path = join(folder, 'b.jsonl');
  openJournal(path).append(first);
  appendFileSync(path, '{"at":"2026-01-02T10:0');
  const journal = openJournal(path);
  assert.deepEqual(journal.since(new Date(0)), [first]);
  journal.append(second);
  assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 2);
  assert.deepEqual(openJournal(path).since(new Date(0)), [first, second]);
});

test('a damaged line elsewhere stops everything', () => {
  const path = join(folder, 'c.jsonl');
  appendFileSync(path, `{"at":\n${JSON.stringify(first)}\n`);
  assert.throws(() => openJournal(path));
});

test('a released payout is forgotten, its spends and the sums of the day are not', () => {
  const path = join(folder, 'd.jsonl');
  const journal = openJournal(path);
  journal.append(first);
  journal.release('A', '2026-01-03T10:00:00.000Z');
  for (const opened of [journal, openJournal(path)]) {
    assert.deepEqual(opened.related('chain', [], ['A']), []);
    assert.deepEqual(opened.related('chain', ['x'], []), [first]);
    assert.deepEqual(opened.since(new Date(0)), [first]);
  }
});

/**
 * Appends entries in a process whose files may have at most 1024 bytes, as on a nearly full disk. Returns the result of each.
 */
function appendWithinLimit(path: string, count: number): string[] {
  const script = `
    import { openJournal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)};
    const journal = openJournal(${JSON.stringify(path)});
    for (let at = 0; at < ${count}; at += 1) {
      try {
        journal.append({ ...${JSON.stringify(first)}, txid: 't' + at });
        console.log(journal.knows('t' + at) ? 'kept' : 'lost');
      } catch (error) {
        console.log(journal.knows('t' + at) ? 'claimed' : error.code);
      }
    }`;
  const command = 'ulimit -f 2; exec "$0" --input-type=module -e "$1"';
  return execFileSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' }).trim().split('\n');
}

test('an entry for which the disk has no room is refused, and leaves nothing that keeps the journal from being read', () => {
  const path = join(folder, 'e.jsonl');
  const outcomes = appendWithinLimit(path, 12);
  const stored = outcomes.filter((outcome) => outcome === 'kept').length;
  assert.ok(stored > 0);
  assert.deepEqual(
    outcomes.slice(stored),
    Array.from({ length: 12 - stored }, () => 'EFBIG'),
  );
  const journal = openJournal(path);
  assert.equal(journal.since(new Date(0)).length, stored);
  journal.append(second);
  assert.equal(openJournal(path).since(new Date(0)).length, stored + 1);
});
