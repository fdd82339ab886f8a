import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apiAddresses, siteAddresses } from '../customers/addresses.ts';
import { authenticatorShows } from '../harness/authenticator.ts';
import { type System, freshFolder, initialise, startSystem, until } from '../harness/system.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';

/** Settings of a provider as an operator enters them, with an address at which nothing answers. */
const PERFECTMONEY = {
  apiUrl: 'https://127.0.0.1:9/acct/',
  login: '1234567',
  passPhrase: 'for a journey',
  accounts: { PMV_USD: 'U1234567' },
};

/** Environment for real money without the EVM chain's id, so that only this rail can't be used. */
const LIVE = { KURS_MODE: 'live', BASE_URL: 'https://kurs.example', KURS_EVM_RPC: 'https://evm.example' };

let system: System;
let data: string;
before(async () => {
  data = await freshFolder();
  await mkdir(join(data, 'providers'), { mode: 0o700 });
  await writeFile(join(data, 'providers/perfectmoney.json'), JSON.stringify(PERFECTMONEY), { mode: 0o600 });
  await initialise(data, LIVE);
  system = await startSystem({ data, env: LIVE });
});
after(async () => {
  await system?.stop();
  await rm(data, { recursive: true, force: true });
});

test('with real money there is no sandbox: no process, no calls, no pages, no words', async () => {
  assert.equal('sandbox' in (await system.run()).pids, false);
  for (const path of [
    '/api/v1/sandbox/mail',
    '/api/v1/sandbox/balance?currency=BTC&account=x',
    '/sandbox/mail',
    '/sandbox/rates/kraken/0/public/Ticker',
  ]) {
    assert.equal((await fetch(system.url + path)).status, 404, path);
  }
  const asJson = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const pay = await fetch(`${system.url}/api/v1/sandbox/pay`, { ...asJson, body: '{}' });
  assert.equal(pay.status, 404);
  const page = await (await fetch(`${system.url}/En`)).text();
  assert.doesNotMatch(page, /sandbox/i);
  // Google sign-in is off until an operator sets it up, and no page allows Google's script.
  assert.doesNotMatch(page, /google/i);
  const google = await fetch(`${system.url}/api/v1/google/nonce`, { ...asJson, body: '{}' });
  assert.equal(((await google.json()) as { code: string }).code, 'google_off');
  const document = await (await fetch(`${system.url}/api/v1/openapi.json`)).text();
  assert.doesNotMatch(document, /\/api\/v1\/sandbox/);
});

test('with real money every answer binds browsers to https: pages, files, redirects, feeds, calls and errors', async () => {
  const page = await (await fetch(`${system.url}/En`)).text();
  const asset = /\/assets\/[^" ]+\.js/.exec(page)?.[0] ?? '';
  const document = (await (await fetch(`${system.url}/api/v1/openapi.json`)).json()) as Parameters<typeof apiAddresses>[0];
  const missing: string[] = [];
  for (const { path } of [...siteAddresses(asset), ...apiAddresses(document)])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const { headers } = await fetch(system.url + path, { method, redirect: 'manual' });
      if (!/^max-age=\d{8}/.test(headers.get('strict-transport-security') ?? '')) missing.push(`${method} ${path}`);
    }
  assert.deepEqual(missing, []);
});

test('nothing can be ordered until an operator has configured a rail and switched a direction on', async () => {
  assert.deepEqual((await system.client().directions({})).directions, []);
});

type Rail = { rail: string; set_up: boolean; on: boolean; up: boolean; detail: string; answered?: string };

inFullRun('each rail starts off; of one that is set up the desk sees that its provider does not answer', async () => {
  const { code, output } = await system.tool('add-operator.ts', 'maria', 'operator');
  assert.equal(code, 0, output);
  const key = /kurs_op_\S+/.exec(output)?.[0] ?? '';
  assert.equal((await system.tool('add-operator.ts', 'maria', 'operator')).code, 1, 'a name is given once');
  const requested = (bearer: string, ...words: string[]) =>
    system.tool('desk.ts', ...words, '--json', '--key', bearer, '--url', system.consoleUrl, '--reason', 'a journey');
  const by = async (bearer: string, ...words: string[]): Promise<string> => {
    const done = await requested(bearer, ...words);
    assert.equal(done.code, 0, done.output);
    return done.output;
  };
  // With real money a key can only start a session, which requires an authenticator. Each refusal names the next step.
  const begin = async (bearer: string): Promise<string> => {
    for (const words of [['rails'], ['sign-in'], ['sign-in', '123456']])
      assert.match((await requested(bearer, ...words)).output, /npm run desk -- second-factor$/m);
    const { secret } = JSON.parse(await by(bearer, 'second-factor')) as { secret: string };
    await by(bearer, 'second-factor', authenticatorShows(secret));
    assert.match((await requested(bearer, 'rails')).output, /npm run desk -- sign-in CODE$/m);
    return (JSON.parse(await by(bearer, 'sign-in', authenticatorShows(secret, 1))) as { token: string }).token;
  };
  const desk = async (...words: string[]): Promise<string> => by(maria, ...words);
  const maria = await begin(key);
  const missing = JSON.parse(await desk('next')) as { command: string }[];
  assert.match(missing[0]?.command ?? '', /^npm run hire -- NAME operator/);
  const hired = await system.tool('add-operator.ts', 'oleg', 'operator');
  const oleg = await begin(/kurs_op_\S+/.exec(hired.output)?.[0] ?? '');
  const rails = async (): Promise<Rail[]> => JSON.parse(await desk('rails')) as Rail[];
  const perfectmoney = await until('the provider to be asked', 20_000, async () => {
    const one = (await rails()).find(({ rail }) => rail === 'perfectmoney');
    return one?.detail === 'not asked yet' ? undefined : one;
  });
  assert.deepEqual([perfectmoney?.set_up, perfectmoney?.on, perfectmoney?.up], [true, false, false]);
  assert.match(perfectmoney?.detail ?? '', /no answer/);
  assert.equal(perfectmoney?.answered, undefined);
  const others = (await rails()).filter(({ rail }) => rail !== 'perfectmoney');
  assert.ok(others.length >= 10 && others.every(({ set_up, on }) => !set_up && !on), 'the others are listed, and not set up');
  assert.match(others.find(({ rail }) => rail === 'evm')?.detail ?? '', /^not set up: KURS_EVM_CHAIN_ID/);
  const bitcoin = others.find(({ rail }) => rail === 'bitcoin')?.detail ?? '';
  assert.match(bitcoin, /^not set up: KURS_ESPLORA missing; read at the start of \d\d:\d\d .*; restart to read again$/);
  const { request } = JSON.parse(await desk('rail', 'perfectmoney', 'on')) as { request: string };
  assert.match(await desk('next'), new RegExp(`consent ${request}`));
  await by(oleg, 'consent', request);
  assert.equal((await rails()).find(({ rail }) => rail === 'perfectmoney')?.on, true);
});
