// Work that was given up makes no more calls. Otherwise each poll would wait behind the calls of earlier polls. A server that loses
// and hangs some of them would never be read again.

import assert from 'node:assert/strict';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import type { ReceivingAddress } from '../rail.ts';
import { type Esplora, Unreachable, openEsplora } from './client.ts';
import { bitcoin } from './config.ts';
import type { Account, Place } from './keys.ts';
import { observe } from './observed-payments.ts';
import { openWallet } from './wallet.ts';

const PLACES = 200;
const POLL_MS = 2_000;
/** Maximum number of calls under way when a poll ends, and the one made afterwards. */
const UNDER_WAY = 8 + 1;
const HASH = 'a'.repeat(64);
const [READ, REFUSED] = ['place0', 'own0'];

let requests = 0;
/** Requests that stay unanswered until the test releases them; undefined: all are answered at once. */
let held: ServerResponse[] | undefined;
const server = createServer(({ url = '' }, response) => {
  requests += 1;
  if (url.includes(`/${REFUSED}/`)) return void response.writeHead(500).end();
  if (held && url.startsWith('/address') && !url.includes(`/${READ}/`)) return void held.push(response);
  response.end(url.endsWith('/height') ? '5' : url.startsWith('/block-height') ? HASH : '[]');
});
const ready = new Promise<Esplora>((resolve) => {
  server.listen(0, '127.0.0.1', () => {
    resolve(openEsplora(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 10_000));
  });
});
beforeEach(() => void (held = []));
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Lets the server answer. Asserts that a new call has its turn, and that no abandoned call comes before it. */
async function answersAtOnce(esplora: Esplora): Promise<void> {
  const before = requests;
  for (const response of held ?? []) response.end('[]');
  held = undefined;
  await esplora.tipHeight();
  assert.ok(requests - before <= UNDER_WAY, `${requests - before} calls`);
}

test('a poll that runs out of time leaves no calls behind', async () => {
  const esplora = await ready;
  const config = { ...bitcoin({ esplora: 'http://unused', network: 'regtest' }), pollMs: POLL_MS };
  const addresses = Array.from(
    { length: PLACES },
    (_, at) => ({ currency: 'BTC', to: `place${at}`, sinceHeight: 0 }) as ReceivingAddress,
  );
  let unread = 0;
  assert.deepEqual(await observe(esplora, config, addresses, () => void (unread += 1)), []);
  assert.equal(unread, PLACES - 1);
  await answersAtOnce(esplora);
});

for (const [name, first] of Object.entries({ 'runs out of time': 1, fails: 0 })) {
  test(`a reading of the wallet that ${name} leaves no calls behind`, async () => {
    const esplora = await ready;
    const account = { place: (branch, index) => ({ branch, index, address: `own${index}` }) as Place } as Account;
    const indexes = Array.from({ length: PLACES }, (_, at) => first + at);
    const state = { spent: [], unconfirmed: [], indexes, changeIndex: 0 };
    await assert.rejects(openWallet(esplora, account, POLL_MS).reserve(state), Unreachable);
    await answersAtOnce(esplora);
  });
}
