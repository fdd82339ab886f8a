// Screening over HTTP, against services that misbehave: any incomplete answer counts as silence.

import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { configureLog } from '../../platform/index.ts';
import { configureCompliance } from '../configure.ts';
import { openHttpScreener } from './http-screener.ts';
import { screen } from './screening.ts';

configureLog({ sink: () => {} });
let server: Server;
let answer: (
  body: string,
  count: number,
) => { status?: number; headers?: Record<string, string>; text?: string; isHanging?: boolean };
const heard: { url: string | undefined; authorization: string | undefined; body: string }[] = [];

before(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    heard.push({ url: request.url, authorization: request.headers.authorization, body });
    const { status = 200, headers = {}, text = '', isHanging } = answer(body, heard.length);
    response.writeHead(status, headers);
    if (isHanging) return void response.write(' ');
    response.end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  heard.length = 0;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/accounts`;
  configureCompliance({ botKey: 'k', isLoopbackCounted: true, screener: openHttpScreener({ url, key: 'the-key-of-ours' }) });
});

const accounts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ currency: 'BTC', fields: { address: `a${at}` } }));
const says = (...results: unknown[]) => ({ text: JSON.stringify({ version: 1, results }) });
const clean = { score: 0, labels: [] };
const SILENT = { outcome: 'held', cause: 'silent', isSoft: false };

test('sends the accounts and our key; score and labels of the answer decide', async () => {
  answer = () => says(clean, { score: 39.9, labels: [] });
  assert.deepEqual(await screen(accounts(2)), { outcome: 'clear' });
  assert.equal(heard[0]?.authorization, 'Bearer the-key-of-ours');
  assert.deepEqual(JSON.parse(heard[0]?.body ?? ''), { version: 1, accounts: accounts(2) });
  answer = () => says(clean, { score: 40, labels: [] });
  assert.deepEqual(await screen(accounts(2)), { outcome: 'held', cause: 'score', isSoft: true });
  answer = () => says({ score: 1, labels: [{ name: 'mixer', kind: 'soft' }] });
  assert.deepEqual(await screen(accounts(1)), { outcome: 'held', cause: 'label', isSoft: true });
  answer = () => says({ score: 1, labels: [{ name: 'mixer', kind: 'hard' }] });
  assert.deepEqual(await screen(accounts(1)), { outcome: 'held', cause: 'label', isSoft: false });
});

test('splits many accounts into several requests; a hit in the last one holds all', async () => {
  answer = (body, at) => {
    const { accounts: requests } = JSON.parse(body) as { accounts: unknown[] };
    assert.ok(requests.length <= 100);
    return says(...requests.map((_, place) => (at === 3 && place === 49 ? { score: 100, labels: [] } : clean)));
  };
  assert.deepEqual(await screen(accounts(250)), { outcome: 'held', cause: 'score', isSoft: true });
  assert.equal(heard.length, 3);
});

const NO_ANSWERS: Readonly<Record<string, ReturnType<typeof answer>>> = {
  'one result too few': says(),
  'one too many': says(clean, clean),
  'no JSON': { text: 'OK' },
  nothing: { text: '' },
  'a list': { text: JSON.stringify([clean]) },
  'another version': { text: JSON.stringify({ version: 2, results: [clean] }) },
  'a score as text': says({ score: '0', labels: [] }),
  'no score': says({ labels: [] }),
  'null for a score': says({ score: null, labels: [] }),
  'a score below': says({ score: -1, labels: [] }),
  'a score above': says({ score: 100.1, labels: [] }),
  'no labels': says({ score: 0 }),
  'a label of no kind': says({ score: 0, labels: [{ name: 'mixer' }] }),
  'a label of an unknown kind': says({ score: 0, labels: [{ name: 'mixer', kind: 'none' }] }),
  'a label without a name': says({ score: 0, labels: [{ name: ' ', kind: 'soft' }] }),
  'labels as text': says({ score: 0, labels: ['mixer'] }),
  'created instead of OK': { status: 201, ...says(clean) },
  'no content': { status: 204 },
  'a key refused': { status: 401, ...says(clean) },
  'too many requests': { status: 429, ...says(clean) },
  'a failure': { status: 500, ...says(clean) },
  'a redirect': { status: 307, headers: { location: '/elsewhere' } },
  'an answer that is too long': { text: `{"version":1,"results":[{"score":0,"labels":[]}${' '.repeat(300 * 1024)}]}` },
};
for (const [name, given] of Object.entries(NO_ANSWERS))
  test(`${name} is silence, and holds`, async () => {
    answer = () => given;
    assert.deepEqual(await screen(accounts(1)), SILENT);
    assert.equal(heard.length, 1, 'it is asked once, and nobody else is');
  });

test('an answer that never ends counts as silence after the timeout', { timeout: 15_000 }, async () => {
  answer = () => ({ isHanging: true });
  assert.deepEqual(await screen(accounts(1)), SILENT);
});

test('a service that can’t be reached counts as silence', async () => {
  configureCompliance({
    botKey: 'k',
    isLoopbackCounted: true,
    screener: openHttpScreener({ url: 'http://127.0.0.1:9/', key: 'k' }),
  });
  assert.deepEqual(await screen(accounts(1)), SILENT);
});
