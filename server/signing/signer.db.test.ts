import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Address, encodeFunctionData, erc20Abi, serializeTransaction } from 'viem';
import { booksKeys, configureMacs, makeKeys, newId, openDb } from '../platform/index.ts';
import { type TestDb, asRole, testDb } from '../platform/testing.ts';
import { type SignRequest, type SignerClient, openSigner, payoutMac } from '../rails/index.ts';
import { readPublicKeys } from './keys.ts';

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const CUSTOMER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const THIEF = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const GWEI = 10n ** 9n;

const { NODE_COMPILE_CACHE = '' } = process.env;
const data = mkdtempSync(join(tmpdir(), 'kurs-signer-'));
makeKeys(data);
const socket = join(data, 'signer.sock');
let database: TestDb;
let child: ChildProcess;
let signer: SignerClient;

/** The signer as the supervisor starts it: a process of its own, with the role that may only read. */
async function start(): Promise<void> {
  child = fork(fileURLToPath(new URL('../bin/signer.ts', import.meta.url)), [], { env: environment(), silent: true });
  await once(child, 'message');
}

function environment(): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE,
    KURS_DATA: data,
    DATABASE_URL: database.url,
    KURS_SIGNER_DATABASE_URL: signerUrl(),
    KURS_EVM_RPC: 'http://127.0.0.1:1',
    KURS_EVM_CHAIN_ID: '1',
    // A rail that can't start: nothing else may stop because of it.
    KURS_BSC_RPC: 'http://127.0.0.1:1',
    KURS_BSC_CHAIN_ID: '97',
    KURS_SIGNER_CAPS: 'USDT_ERC20=1000, ETH=1',
  };
}

const signerUrl = (): string => asRole(database.ownerUrl, 'kurs_signer');

async function stop(signal?: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  if (signal) child.kill(signal);
  else child.disconnect();
  await ended;
}

before(async () => {
  database = await testDb();
  configureMacs(booksKeys(data));
  await start();
  signer = openSigner(socket);
});

after(async () => {
  signer.close();
  await stop();
  await database.drop();
  rmSync(data, { recursive: true });
});

async function payout(parts: bigint, status = 'preparing', to = CUSTOMER): Promise<string> {
  const id = newId();
  await database.db.run(
    `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, mac, created_at, status_at)
     values ($1, 'order', 'o', 'payout', 'evm', 'USDT_ERC20', 'USDT', $2, $3, $4, $5, $6, now(), now())`,
    [
      id,
      parts.toString(),
      JSON.stringify({ address: to }),
      to.toLowerCase(),
      status,
      payoutMac({ id, owner: { kind: 'order', id: 'o' }, currency: 'USDT_ERC20', parts, to: { address: to } }),
    ],
  );
  return id;
}

interface Transfer {
  readonly chainId: number;
  readonly nonce: number;
  readonly maxFeePerGas: bigint;
  readonly contract: Address;
  readonly to: Address;
  readonly value: bigint;
}

const ORDINARY: Transfer = { chainId: 1, nonce: 0, maxFeePerGas: 20n * GWEI, contract: USDT, to: CUSTOMER, value: 5_000_000n };

/** The bytes that a worker would have signed, written without any code of the rail. */
function unsigned(more: Partial<Transfer>): string {
  const { contract, to, value, ...rest } = { ...ORDINARY, ...more };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] });
  return serializeTransaction({ type: 'eip1559', gas: 65_000n, maxPriorityFeePerGas: GWEI, to: contract, data, ...rest });
}

const ask = (payouts: string[], more: Partial<Transfer> = {}, rest: Partial<SignRequest> = {}) =>
  signer.sign({ rail: 'evm', purpose: 'payout', payouts, unsigned: unsigned(more), ...rest });

async function refusal(payouts: string[], more: Partial<Transfer> = {}, rest: Partial<SignRequest> = {}): Promise<string> {
  const answer = await ask(payouts, more, rest);
  return answer.ok ? 'signed' : (answer.reason.split(':')[0] ?? '');
}

test('keys are made once, secret ones for us alone, and the public ones are published', async () => {
  const mode = (path: string): number => statSync(path).mode & 0o777;
  assert.equal(mode(join(data, 'keys')), 0o700);
  assert.equal(mode(join(data, 'keys', 'seed')), 0o600);
  assert.equal(mode(socket), 0o600);
  const keys = readPublicKeys(data);
  assert.match(keys.evm.hot, /^0x[0-9a-fA-F]{40}$/);
  assert.ok(keys.evm.xpub.startsWith('xpub'));
  const words = readFileSync(join(data, 'keys', 'seed'), 'utf8');
  assert.equal(words.trim().split(' ').length, 24);
  await stop();
  await start();
  assert.equal(readFileSync(join(data, 'keys', 'seed'), 'utf8'), words);
  assert.deepEqual(readPublicKeys(data), keys);
});

test('an approved payout is signed, and asking again gives the same bytes', async () => {
  const id = await payout(5_000_000n);
  const first = await ask([id]);
  assert.ok(first.ok, first.ok ? '' : first.reason);
  assert.deepEqual(await ask([id]), first);
});

test('forged, changed and unapproved payments are refused', async () => {
  const id = await payout(6_000_000n);
  const exact = { value: 6_000_000n, nonce: 10 };
  assert.equal(await refusal([id], { ...exact, to: THIEF }), 'output_not_approved');
  assert.equal(await refusal([id], { ...exact, value: 6_000_001n }), 'output_not_approved');
  assert.equal(await refusal([id], { ...exact, value: 5_999_999n }), 'output_not_approved');
  assert.equal(await refusal([], exact), 'output_not_approved');
  assert.equal(await refusal([newId()], exact), 'not_approved');
  assert.equal(await refusal([await payout(6_000_000n, 'queued')], exact), 'not_approved');
  assert.equal(await refusal([await payout(6_000_000n, 'stopped')], exact), 'not_approved');
  assert.equal(await refusal([id], { ...exact, contract: THIEF }), 'unreadable');
  assert.equal(await refusal([id], { ...exact, chainId: 5 }), 'unreadable');
  assert.equal(await refusal([id], { ...exact, maxFeePerGas: 10n ** 13n }), 'fee_cap');
  assert.equal(await refusal([id], exact, { rail: 'nowhere' }), 'unknown_rail');
  assert.equal(await refusal([], { ...exact, to: THIEF }, { purpose: 'sweep', index: 3 }), 'unreadable');
  assert.equal(await refusal([id], exact), 'signed', 'and the honest one is signed');
});

test('it says that it can sign, and what it called an alarm', async () => {
  assert.equal(await refusal([newId()]), 'not_approved');
  const { stopped, alarms } = await signer.health();
  assert.equal(stopped, undefined);
  assert.ok(
    alarms.some((words) => /^nothing is signed for a rail: it is not set up \(\w+\): ./.test(words)),
    String(alarms),
  );
  assert.ok(
    alarms.some((words) => /^the signer refuses to sign what it was asked for \(\w+\): ./.test(words)),
    String(alarms),
  );
});

test('a payout whose row was changed since it was asked for is not signed, whatever else agrees', async () => {
  const thief = '0x00000000000000000000000000000000000000aa';
  const changes: [change: string, request: Partial<Transfer>][] = [
    ['parts = parts * 10', { value: 90_000_000n, nonce: 90 }],
    [`to_fields = '{"address": "${thief}"}'`, { value: 9_000_000n, nonce: 90, to: thief }],
    [`owner_id = 'another'`, { value: 9_000_000n, nonce: 90 }],
    ['mac = null', { value: 9_000_000n, nonce: 90 }],
    [`mac = (select mac from payout where parts = 7000000 limit 1)`, { value: 9_000_000n, nonce: 90 }],
  ];
  await payout(7_000_000n);
  for (const [change, request] of changes) {
    const id = await payout(9_000_000n);
    await database.db.run(`update payout set ${change} where id = '${id}'`);
    assert.equal(await refusal([id], request), 'not_approved', change);
  }
});

test('a payout is signed again only with the nonce it had, also after a kill -9', async () => {
  const id = await payout(7_000_000n);
  assert.equal(await refusal([id], { value: 7_000_000n, nonce: 20 }), 'signed');
  await stop('SIGKILL');
  await start();
  const other = await ask([id], { value: 7_000_000n, nonce: 21 });
  assert.ok(!other.ok && other.reason.startsWith('signed_before'));
  assert.deepEqual(other.spends, [`1:${readPublicKeys(data).evm.hot.toLowerCase()}:20`]);
  assert.equal(await refusal([id], { value: 7_000_000n, nonce: 20, maxFeePerGas: 30n * GWEI }), 'signed', 'a replacement');
  const next = await payout(8_000_000n);
  assert.equal(await refusal([next], { value: 8_000_000n, nonce: 20 }), 'spend_taken');
  await database.db.run(`update payout set status = 'stopped' where id = $1`, [id]);
  assert.equal(await refusal([next], { value: 8_000_000n, nonce: 20 }), 'signed', 'once the other is over');
});

test('a person may release a payout whose earlier transactions are ruled out', async () => {
  const id = await payout(7_100_000n);
  assert.equal(await refusal([id], { value: 7_100_000n, nonce: 30 }), 'signed');
  await stop();
  const released = fork(fileURLToPath(new URL('../bin/signer.ts', import.meta.url)), ['--release', id], {
    env: environment(),
    silent: true,
  });
  assert.equal((await once(released, 'exit'))[0], 0);
  await start();
  assert.equal(await refusal([id], { value: 7_100_000n, nonce: 31 }), 'signed');
});

test('what leaves in a day is capped, across restarts', async () => {
  const [small, large] = [await payout(900_000_000n), await payout(100_000_000n)];
  assert.equal(await refusal([small], { value: 900_000_000n, nonce: 40 }), 'signed');
  await stop('SIGKILL');
  await start();
  assert.equal(await refusal([large], { value: 100_000_000n, nonce: 41 }), 'daily_cap');
});

test('of many requests at once each is judged by those before', async () => {
  const id = await payout(9_000_000n);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => refusal([id], { value: 9_000_000n, nonce: 50 + at })));
  assert.deepEqual(answers.toSorted(), [...Array.from({ length: 7 }, () => 'signed_before'), 'signed'].toSorted());
});

test('the signer’s role reads what it needs and changes nothing', async () => {
  const db = openDb({ url: signerUrl(), name: 'as-signer', max: 1 });
  try {
    assert.ok((await db.rows('select id, status from payout')).length > 0);
    await assert.rejects(db.run(`update payout set status = 'preparing'`), /permission denied/);
    await assert.rejects(db.rows('select * from receiving_address'), /permission denied/);
  } finally {
    await db.close();
  }
});

test('a malformed line is answered, and does no harm', async () => {
  const connection = createConnection(socket);
  connection.write('{"id":1,"rail":"ethereum"}\nnot json\n');
  const [chunk] = (await once(connection, 'data')) as [Buffer];
  assert.match(chunk.toString(), /malformed/);
  connection.destroy();
  assert.equal(await refusal([newId()]), 'not_approved');
});

test('it ends when its parent’s channel closes; asking then fails, and works again after the restart', async () => {
  await stop();
  assert.equal(child.exitCode, 0);
  await assert.rejects(ask([newId()]), /signer is away/);
  await assert.rejects(signer.health(), /signer is away/);
  await start();
  assert.equal(await refusal([newId()]), 'not_approved');
});

test('a second signer over the same database is refused', async () => {
  const other = mkdtempSync(join(tmpdir(), 'kurs-signer-other-'));
  cpSync(join(data, 'keys'), join(other, 'keys'), { recursive: true });
  const env = { ...environment(), KURS_DATA: other };
  const refused = fork(fileURLToPath(new URL('../bin/signer.ts', import.meta.url)), [], { env, silent: true });
  let said = '';
  refused.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A signer that starts although it shouldn't would run on. Before one ends it prints why.
  refused.on('message', (message: object) => 'refused' in message || refused.kill());
  const [code] = await once(refused, 'exit');
  assert.equal(code, 1);
  assert.match(said, /Another kurs signer uses this database, and only one may/);
  rmSync(other, { recursive: true });
});
