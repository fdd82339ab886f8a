import { mnemonicToSeedSync } from '@scure/bip39';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attempt, Fields, Rail, Signer, WalletState } from '../rail.ts';
import type { RailWorld } from '../rail.contract.ts';
import type { SignRequest, SigningRail } from '../signer.ts';
import { bitcoin, bitcoinPublicKeys, bitcoinRail, bitcoinSigning } from './index.ts';

/** Compile cache of the test runner (tools/test.ts), for the processes that tests start. */
const { NODE_COMPILE_CACHE = '' } = process.env;

/** The rail with a real regtest chain, for tests: the sandbox runs in its own process and is reached over HTTP only. */
export interface BitcoinWorld extends RailWorld {
  readonly rail: Rail & Required<Pick<Rail, 'payin' | 'payout'>>;
  readonly sandbox: SandboxProcess;
  readonly signing: SigningRail;
  /** Requests to the signer, newest last. */
  readonly requests: SignRequest[];
  /** Reason of the signer's refusal, if a test makes it refuse. */
  refuse: string | undefined;
  readonly signer: Signer;
  /** Returns the same rail with another signer. */
  railWith(signer: Signer): BitcoinWorld['rail'];
  /** Pays with the given fee and replaceability. Returns the transaction's id. */
  payment(to: string, parts: bigint, how?: { fee?: 'normal' | 'low'; isReplaceable?: boolean }): Promise<string>;
}

interface SandboxProcess {
  readonly esplora: string;
  /** Makes a sandbox call of the contract. */
  call<T>(path: string, body?: object): Promise<T>;
  /** Makes a call to the control port. */
  control<T>(path: string, body: object): Promise<T>;
  close(): Promise<void>;
}

/** Starts a sandbox with only a bitcoin chain, which mines on request. A given `folder` is not deleted at the end. */
async function startSandbox(folder?: string): Promise<SandboxProcess> {
  const data = folder ?? mkdtempSync(join(tmpdir(), 'kurs-rail-'));
  const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));
  const child = fork(main, { env: { NODE_COMPILE_CACHE, KURS_DATA: data, SANDBOX_RAILS: 'bitcoin', SANDBOX_BLOCK_MS: '0' } });
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const reported = await new Promise<{ site: string; control: string; environment: Record<string, string> }>(
    (resolve, reject) => {
      child.once('message', (message) => resolve(message as never));
      child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
    },
  );
  return {
    esplora: reported.environment['KURS_ESPLORA'] ?? '',
    call: async (path, body) => (await ask<{ data: never }>(`${reported.site}/api/v1/sandbox${path}`, body)).data,
    control: (path, body) => ask(`${reported.control}${path}`, body),
    close: async () => {
      child.kill('SIGKILL');
      await gone;
      if (folder === undefined) rmSync(data, { recursive: true });
    },
  };
}

async function ask<T>(url: string, body?: object): Promise<T> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, body === undefined ? {} : post);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const SEED = mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');

/** Returns the rail with a new chain, and `funds` bitcoin at the desk's own address. */
export async function bitcoinWorld(funds = '50'): Promise<BitcoinWorld> {
  const sandbox = await startSandbox();
  const config = { ...bitcoin({ esplora: sandbox.esplora, network: 'regtest' }), timeoutMs: 700 };
  const signing = bitcoinSigning(SEED, config);
  const requests: SignRequest[] = [];
  const signer: Signer = {
    sign: async (request) => {
      requests.push(request);
      if (world.refuse !== undefined) return { ok: false, reason: world.refuse };
      signing.read(request);
      return { ok: true, ...(await signing.sign(request)) };
    },
  };
  const railWith = (by: Signer): BitcoinWorld['rail'] =>
    bitcoinRail(config, bitcoinPublicKeys(SEED, 'regtest'), by) as BitcoinWorld['rail'];
  const rail = railWith(signer);
  await sandbox.control('/fund', { currency: 'BTC', to: rail.payin.instruct('BTC', 0).to, amount: funds });

  let next = 1;
  const open = new Map<string, Attempt>();
  let changeIndex = 0;
  const world: BitcoinWorld = {
    rail,
    sandbox,
    signing,
    requests,
    signer,
    refuse: undefined,
    railWith,
    currency: 'BTC',
    unit: 'BTC',
    parts: 1_500_000n,
    finalBlocks: 6,
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { address: '  ' }, problem: 'empty' },
      { fields: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, problem: 'wrong_network' },
      { fields: { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, problem: 'wrong_network' },
      { fields: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }, problem: 'wrong_network' },
      { fields: { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }, problem: 'bad_checksum' },
      {
        fields: { address: rail.payin.instruct('BTC', 5).to.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')) },
        problem: 'bad_checksum',
      },
      { fields: { address: 'not an address' }, problem: 'bad_format' },
    ],
    nextIndex: () => {
      next += 1;
      return next - 1;
    },
    pay: async (to, parts) => void (await world.payment(to, parts)),
    payment: async (to, parts, { fee, isReplaceable: replaceable } = {}) => {
      const paid = { currency: 'BTC', to, amount: decimal(parts), fee, replaceable };
      const { txid } = await sandbox.call<{ txid: string }>('/pay', paid);
      return txid;
    },
    blocks: async (count) => void (await sandbox.call('/mine', { chain: 'bitcoin', blocks: count })),
    reorg: async (depth, drop) => void (await sandbox.call('/reorg', { chain: 'bitcoin', depth, drop })),
    receiver: async () => ({ ...(await sandbox.call<{ address: string }>('/address', { currency: 'BTC' })) }),
    received: async (to: Fields) => {
      const { amount } = await sandbox.call<{ amount: string }>(`/balance?currency=BTC&account=${to['address']}`);
      return BigInt(amount.replace('.', ''));
    },
    state: (): WalletState => ({
      spent: [...open.values()].flatMap(({ spends }) => spends),
      unconfirmed: [...open.values()].map(({ reference, raw }) => ({ txid: reference, raw })),
      indexes: Array.from({ length: next }, (_, index) => index),
      changeIndex,
    }),
    note: (attempt, done = false) => {
      if (done) open.delete(attempt.reference);
      else open.set(attempt.reference, attempt);
      if (attempt.changeIndex !== undefined) changeIndex = Math.max(changeIndex, attempt.changeIndex + 1);
    },
    close: () => sandbox.close(),
  };
  return world;
}

/** Returns satoshi as a decimal text in bitcoin. */
export function decimal(parts: bigint): string {
  const digits = parts.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
