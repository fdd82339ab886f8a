// A full disk under the signer's journal: a small file system of its own that is filled to the last byte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { SignedEntry } from '../rails/index.ts';
import { openJournal } from './journal.ts';

const home = mkdtempSync(join(tmpdir(), 'kurs-full-journal-'));
const path = join(home, 'signed.jsonl');
const ballast = join(home, 'ballast');
// Needs the right to mount: root's, as in a container or on a build machine.
before(() => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=755', 'kurs-journal', home]));
after(() => {
  execFileSync('umount', ['-l', home]);
  rmSync(home, { recursive: true, force: true });
});

const entry = (at: number): SignedEntry => ({
  ...{ at: '2026-01-01T10:00:00.000Z', rail: 'chain', txid: `t${at}`, payouts: [`p${at}`] },
  ...{ spends: [`s${at}`], leaves: { COIN: '1' }, raw: '0x', fee: { currency: 'COIN', parts: '1' }, pays: [] },
});

function fill(): void {
  const file = openSync(ballast, 'a');
  assert.throws(
    () => {
      for (;;) writeSync(file, Buffer.alloc(4_096));
    },
    { code: 'ENOSPC' },
  );
  closeSync(file);
}

test('on a full disk nothing is signed, and all that was signed is read at the next start', () => {
  const journal = openJournal(path);
  journal.append(entry(0));
  fill();
  let at = 1;
  assert.throws(
    () => {
      for (; ; at += 1) journal.append(entry(at));
    },
    { code: 'ENOSPC' },
  );
  assert.equal(journal.knows(`t${at}`), false);
  assert.equal(openJournal(path).since(new Date(0)).length, at);
  assert.match(journal.stopped ?? '', /^there is no room left for /);
  rmSync(ballast);
  assert.equal(journal.stopped, undefined);
  journal.append(entry(at));
  assert.equal(openJournal(path).since(new Date(0)).length, at + 1);
});
