// Downloads a hundred thousand operations as a file from the api. The file is streamed and complete, and a slow reader doesn't
// make it pile up in memory.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, httpTransport } from '@kurs/contract/client';
import { accounts, leg, post } from '../server/ledger/index.ts';
import { booksKeys, configureMacs, newId, openDb } from '../server/platform/index.ts';
import { freshEmail } from '../e2e/customers/customer.ts';
import { codeFor } from '../e2e/harness/mailbox.ts';
import { type System, startSystem } from '../e2e/harness/system.ts';

const ROWS = 100_000;
const BATCH_SIZE = 1_000;
const MAX_MEMORY = 64e6;

let system: System;
let client: ReturnType<typeof createClient>;
before(async () => {
  system = await startSystem();
  const email = freshEmail();
  const open = system.client();
  const { handle } = await open.signUpGetOtp({ email, bot_token: 'sandbox' });
  const { access_token: token } = await open.signUpConfirm({ email, otp: await codeFor(system, email), handle });
  client = createClient(httpTransport({ base: system.url, clientId: 'web', locale: () => 'en', token: () => token }));
  await client.walletStore({ currency: 'USDT' });
  const { id } = await client.userInfo({});
  // A new process grows with its first work. Files of a tenth bring it to its usual size.
  await fill(id, ROWS / 10);
  for (const format of ['csv', 'xlsx', 'csv'] as const) await download(format);
  await fill(id, ROWS - ROWS / 10);
});
after(() => system?.stop());

/** Writes so many deposits into a holder's wallet, each with its own cause. */
async function fill(holder: string, rows: number): Promise<void> {
  const { cluster, ports } = await system.run();
  const password = (await readFile(join(system.data, 'keys/database.password'), 'utf8')).trim();
  const host = existsSync(join(cluster, `.s.PGSQL.${ports.postgres}`)) ? cluster : '127.0.0.1';
  const url = `postgres://kurs_app:${password}@/kurs?host=${encodeURIComponent(host)}&port=${ports.postgres}`;
  configureMacs(booksKeys(system.data));
  const db = openDb({ url, name: 'journey', max: 1, budget: 60_000 });
  const moved = leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(holder, 'USDT'), 1_000n);
  for (let done = 0; done < rows; done += BATCH_SIZE) {
    const journals = Array.from({ length: BATCH_SIZE }, () => ({
      ...{ id: newId(), kind: 'deposit' as const, cause: newId(), legs: [moved] },
    }));
    await db.tx(async (tx) => void (await post(tx, journals)));
  }
  await db.close();
}

interface Downloaded {
  readonly bytes: number;
  readonly lines: number;
  readonly end: Buffer;
  readonly seconds: number;
  /** Time until the first piece arrived. */
  readonly firstAfter: number;
}

/** Downloads a file. With `slowly` it waits a little before each of the first pieces. */
async function download(format: 'csv' | 'xlsx', slowly = false): Promise<Downloaded> {
  const { url } = await client.transactionExportTicket({ format });
  const start = performance.now();
  const answer = await fetch(new URL(url, system.url));
  assert.equal(answer.status, 200);
  let [bytes, lines, pieces, firstAfter, end] = [0, 0, 0, 0, Buffer.alloc(0)];
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (pieces === 0) firstAfter = performance.now() - start;
    pieces += 1;
    bytes += piece.length;
    for (const byte of piece) if (byte === 10) lines += 1;
    end = Buffer.concat([end, piece]).subarray(-64);
    if (slowly && pieces <= 40) await pause(50);
  }
  const took = performance.now() - start;
  return { bytes, lines, end, seconds: took / 1_000, firstAfter: firstAfter / took };
}

const apiPid = async (): Promise<number> => (await system.run()).pids.api;
const memoryOf = async (pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const kilobytes = new RegExp(`${what}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Number.parseInt(kilobytes, 10) * 1_024;
};

for (const format of ['csv', 'xlsx'] as const) {
  test(`${ROWS} rows come as ${format} while they are read, and the process stays as small as it was`, async (context) => {
    const pid = await apiPid();
    await writeFile(`/proc/${pid}/clear_refs`, '5');
    const began = await memoryOf(pid, 'VmRSS');
    const file = await download(format, true);
    const grown = (await memoryOf(pid, 'VmHWM')) - began;
    context.diagnostic(
      `${format}: ${(file.bytes / 1e6).toFixed(1)} MB in ${file.seconds.toFixed(1)} s, memory at most +${(grown / 1e6).toFixed(0)} MB`,
    );
    assert.ok(grown <= MAX_MEMORY, `memory +${grown}`);
    assert.ok(file.firstAfter < 0.25, `the first piece came after ${file.firstAfter} of the time`);
    // The head, and the available sums before and after, beside the rows themselves.
    if (format === 'csv') assert.equal(file.lines, ROWS + 3);
    else assert.ok(file.end.includes('PK\u0005\u0006'), 'the end of the archive is there');
    assert.equal(await apiPid(), pid);
  });
}
