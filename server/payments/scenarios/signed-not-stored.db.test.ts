import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mnemonicToSeedSync } from '@scure/bip39';
import { type Db, type Tx, booksKeys, configureMacs, makeKeys, newId } from '../../platform/index.ts';
import { type TestDb, asRole, testDb, testSealer } from '../../platform/testing.ts';
import { type SignedEntry, type SignerClient, openSigner } from '../../rails/index.ts';
import type { Rail, Signer } from '../../rails/rail.ts';
import { type EvmWorld, evmPublicKeys, evmRail, evmWorld } from '../../rails/testing.ts';
import { isFullRun } from '../../../tools/runner/full-run.ts';
import { askReserve, refreshFloat } from '../balances/float.ts';
import { fundDesk } from '../balances/capital.ts';
import { watchRail } from '../polls/watch-payins.ts';
import { postEvents } from '../payins/events.ts';
import { requestPayout } from '../payouts/request-payout.ts';
import { useRails } from '../rails/registry.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { payRail } from '../sending/send-payouts.ts';
import { unrecordedSends } from '../unrecorded/unrecorded-sends.ts';
import { paymentsDeps } from '../work.ts';
import { fixedValues } from './world.testing.ts';

/** Tests processes that die between the signer's journal and the attempt's row. */
const DEATHS = isFullRun ? 100 : 4;
const ETHER = 10n ** 18n;

const folder = mkdtempSync(join(tmpdir(), 'kurs-killed-'));
makeKeys(folder);
const socket = join(folder, 'signer.sock');
const journal = join(folder, 'keys', 'signed.jsonl');
let database: TestDb;
let world: EvmWorld;
let seed: Uint8Array;
let child: ChildProcess;
let signer: SignerClient;

async function startSigner(): Promise<void> {
  const env = {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    KURS_DATA: folder,
    DATABASE_URL: database.url,
    KURS_SIGNER_DATABASE_URL: asRole(database.ownerUrl, 'kurs_signer'),
    KURS_EVM_RPC: world.config.rpc,
    KURS_EVM_CHAIN_ID: `${world.config.chainId}`,
    KURS_USDT_ERC20: world.chain.customer.contracts.usdt,
    KURS_SIGNER_CAPS: 'ETH=500',
  };
  child = fork(fileURLToPath(new URL('../../bin/signer.ts', import.meta.url)), [], { env, silent: true });
  await once(child, 'message');
}

async function killSigner(): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

before(async () => {
  database = await testDb();
  configureMacs(booksKeys(folder));
  seed = mnemonicToSeedSync(readFileSync(join(folder, 'keys', 'seed'), 'utf8').trim());
  world = await evmWorld({ about: 'coin', seed });
  await startSigner();
  signer = openSigner(socket);
  await turn(database.db);
  await database.db.tx((tx) =>
    fundDesk(tx, [
      { id: newId(), currency: 'ETH', place: 'hot', parts: 499n * ETHER },
      { id: newId(), currency: 'ETH', place: 'fuel', parts: ETHER },
    ]),
  );
});

after(async () => {
  signer.close();
  await killSigner();
  await database.drop();
  await world.close();
  rmSync(folder, { recursive: true });
});

/** Refusals of the signer, for any reason. */
const refused: string[] = [];

function watched(): Signer {
  return {
    sign: async (request) => {
      const answer = await signer.sign(request);
      if (!answer.ok) refused.push(answer.reason);
      return answer;
    },
    signed: (rail, payouts) => signer.signed(rail, payouts),
  };
}

class Killed extends Error {}

/** A database that is gone, and the process with it, after something was signed. */
function mortal(db: Db, isDead: () => boolean): Db {
  const tx: Db['tx'] = (work, options) => {
    if (isDead()) throw new Killed();
    return db.tx((inner: Tx) => work(inner), options);
  };
  return { ...db, tx };
}

/** Runs one turn of a newly started process; `dies`: it ends between the signature and the row. */
async function turn(db: Db, dies = false): Promise<void> {
  let isDead = false;
  const usual = watched();
  const hands: Signer = {
    ...usual,
    sign: async (request) => {
      const answer = await usual.sign(request);
      isDead = dies && answer.ok;
      return answer;
    },
  };
  const rail: Rail = evmRail(world.config, evmPublicKeys(seed), hands);
  useRails(new Map([[rail.id, rail]]));
  const deps = paymentsDeps(
    mortal(db, () => isDead),
    {
      values: fixedValues,
      jitter: () => 0,
      callMs: 10_000,
      sealer: testSealer,
      unexplained: async () => (await signer.health()).unexplained ?? [],
    },
  );
  await watchRail(deps, rail);
  await askReserve(deps, rail);
  await refreshFloat(deps, rail);
  const paid = payRail(deps, rail);
  if (dies) return assert.rejects(paid, Killed);
  await paid;
  await followRail(deps, rail);
  await postEvents(db);
}

const linesOf = (payout: string): SignedEntry[] =>
  readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as SignedEntry)
    .filter(({ payouts }) => payouts.includes(payout));

test(`a process that dies between journal and row, ${DEATHS} times: nothing is refused, and each payout leaves once`, async () => {
  const { db } = database;
  for (let death = 0; death < DEATHS; death += 1) {
    const [id, to] = [newId(), await world.receiver()];
    const owner = { kind: 'order' as const, id: newId() };
    await db.tx((tx) =>
      requestPayout(tx, { id, owner, currency: 'ETH', unit: 'ETH', parts: ETHER / 100n, to, purpose: 'payout' }),
    );
    await turn(db, true).catch((error: unknown) => assert.fail(`${String(error)}, and it refused ${refused.join()}`));
    assert.equal(linesOf(id).length, 1, 'it was signed');
    assert.equal(await db.row('select from payment_attempt where $1 = any (items)', [id]), undefined, 'and not stored');
    // Both die: the worker, whose lease runs out, and the signer.
    await killSigner();
    await startSigner();
    await db.run(`update rail_wallet set leased_until = now()`);
    // Gas has another price by now: a new signature makes another transaction.
    await world.blocks(1);
    await turn(db);
    await world.blocks(1);
    const [line, ...others] = linesOf(id);
    assert.deepEqual(others, [], 'it was not signed anew');
    const attempts = await db.rows(
      'select reference, raw, nonce::int, spends, items from payment_attempt where $1 = any (items)',
      [id],
    );
    assert.deepEqual(attempts, [{ reference: line?.txid, raw: line?.raw, nonce: death, spends: line?.spends, items: [id] }]);
    assert.equal(await world.received(to), ETHER / 100n);
  }
  assert.deepEqual(refused, []);
  assert.deepEqual(await unrecordedSends(db), []);
});
