import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { wallClock, writeRunNote } from '../platform/index.ts';
import { foundOfRestarts, foundOfSigner } from './processes.ts';
import { hourlyUnlessOpen } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-processes-'));
after(() => rmSync(folder, { recursive: true }));

test('reports a signer that is silent or doesn’t sign, and passes its alarms on', async () => {
  const words = async (ask: Parameters<typeof foundOfSigner>[0]): Promise<unknown> => {
    const { found, alarms } = await foundOfSigner(ask);
    return [found.map((one) => `${one.key}: ${one.words}`), alarms];
  };
  assert.deepEqual(await words(async () => ({ alarms: [] })), [[], []]);
  assert.deepEqual(await words(async () => ({ stopped: 'there is no room left for /k', alarms: ['look'] })), [
    ['signer: The signer signs nothing: there is no room left for /k.'],
    ['look'],
  ]);
  const away = async (): Promise<never> => {
    throw new Error('The signer is away: no answer');
  };
  assert.deepEqual(await words(away), [
    ['signer: The signer is silent, so nothing is paid out: The signer is away: no answer.'],
    [],
  ]);
});

test('reports a process that ended three times within a quarter of an hour', () => {
  const at = wallClock();
  const minutes = (ago: number): string => new Date(at.getTime() - ago * 60_000).toISOString();
  const note = { pid: process.pid, address: 'http://127.0.0.1:1', mode: 'sandbox', ports: {}, pids: {} };
  const found = (ended: Record<string, string[]>): string[] => {
    writeRunNote(folder, { ...note, ended });
    return foundOfRestarts(folder, at).map(({ key, words }) => `${key}: ${words}`);
  };
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ worker: [minutes(16), minutes(3), minutes(1)], api: [minutes(1)] }), []);
  assert.deepEqual(found({ worker: [minutes(16), minutes(14), minutes(3), minutes(1)] }), [
    'restarts worker: worker ended unexpectedly 3 times within 15 minutes, and was restarted each time.',
  ]);
});

test('an hourly check runs each minute while its alarm is open, and for a few minutes more', async () => {
  let [minute, polls, isOpen] = [0, 0, false];
  const turn = hourlyUnlessOpen(
    async () => {
      polls += 1;
      return isOpen;
    },
    () => minute * 60_000,
  );
  const over = async (minutes: number): Promise<number> => {
    const before = polls;
    for (let at = 0; at < minutes; at += 1, minute += 1) await turn();
    return polls - before;
  };
  assert.equal(await over(120), 2);
  isOpen = true;
  assert.equal(await over(60), 60);
  isOpen = false;
  assert.ok((await over(3)) === 3, 'long enough for an alarm to be over');
  assert.ok((await over(60)) <= 2);
});
