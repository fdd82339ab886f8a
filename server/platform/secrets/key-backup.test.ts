import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UnreadableBackup, openKeys, placeKeys, sealKeys } from './key-backup.ts';
import { fingerprintsOf, makeKeys } from '../process/keys.ts';

const home = mkdtempSync(join(tmpdir(), 'kurs-backup-'));
after(() => rmSync(home, { recursive: true }));
const [first, second] = [join(home, 'first'), join(home, 'second')];
const PASSPHRASE = 'a passphrase of some length';
makeKeys(first, () => 'words of the seed');
const backup = sealKeys(first, PASSPHRASE);

test('a backup reveals nothing, and restores every key in another folder, for its owner only', () => {
  assert.equal(backup.includes('seed'), false);
  placeKeys(second, openKeys(backup, PASSPHRASE));
  assert.deepEqual(fingerprintsOf(second), fingerprintsOf(first));
  assert.equal(statSync(join(second, 'keys')).mode & 0o777, 0o700);
  for (const name of readdirSync(join(second, 'keys'))) {
    assert.equal(statSync(join(second, 'keys', name)).mode & 0o777, 0o600);
    assert.deepEqual(readFileSync(join(second, 'keys', name)), readFileSync(join(first, 'keys', name)));
  }
});

test('refuses another passphrase, a changed byte anywhere, and files that are no backup', () => {
  const refused = (bytes: Buffer, passphrase = PASSPHRASE): void =>
    assert.throws(() => openKeys(bytes, passphrase), UnreadableBackup);
  refused(backup, `${PASSPHRASE}.`);
  refused(Buffer.from('no backup'));
  for (const at of [backup.length - 1, backup.indexOf('\n') + 3]) {
    const changed = Buffer.from(backup);
    changed[at]! ^= 1;
    refused(changed);
  }
  // Limits on memory in the file's head are enforced, and so are valid values of scrypt.
  for (const cost of ['999999999', '131071', '0', '-2'])
    refused(Buffer.from(backup.toString('latin1').replace('131072', cost), 'latin1'));
  const head = backup.toString('latin1', 0, backup.indexOf('\n') + 1);
  for (const odd of [head.replace(/"salt":"\w+"/, '"salt":7'), head.replace(/"nonce":"\w{4}/, '"nonce":"....')])
    refused(Buffer.concat([Buffer.from(odd), backup.subarray(head.length)]));
});

test('refuses a backup that was cut off anywhere', () => {
  const head = backup.indexOf('\n') + 1;
  for (const length of [0, head - 1, head, head + 4, head + 8, head + 15, head + 16, head + 17, backup.length - 1])
    assert.throws(() => openKeys(backup.subarray(0, length), PASSPHRASE), UnreadableBackup, `${length} bytes`);
});

test('never replaces keys, and writes all or none', () => {
  const before = fingerprintsOf(second);
  assert.throws(() => placeKeys(second, new Map([['seed', Buffer.from('others')]])));
  assert.deepEqual(fingerprintsOf(second), before);
  const third = join(home, 'third');
  const files = new Map([
    ['seed', Buffer.from('words')],
    ['../outside', Buffer.from('x')],
  ]);
  assert.throws(() => placeKeys(third, files), /no name of a key/);
  assert.equal(existsSync(join(third, 'keys')), false);
});
