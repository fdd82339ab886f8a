import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { Unreachable, each, integer, said, tronClient, word } from './client.ts';

let server: Server;
let calls: { path: string; key: string | undefined }[] = [];
/** Answers of the calls, in turn; further calls get the last one. */
let answers: (object | number)[] = [];

before(async () => {
  server = createServer((request, response) => {
    calls.push({ path: request.url ?? '', key: request.headers['tron-pro-api-key'] as string | undefined });
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    if (typeof answer === 'number') response.writeHead(answer).end('no');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
beforeEach(() => {
  calls = [];
});
after(() => server.close());

const client = (apiKey = '') =>
  tronClient({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey, timeoutMs: 1000 });

test('repeats a failed read, but never a broadcast', async () => {
  answers = [503, 503, { fine: true }];
  assert.deepEqual(await client().ask('wallet/getblock'), { fine: true });
  assert.equal(calls.length, 3);
  calls = [];
  answers = [503];
  await assert.rejects(client().ask('wallet/getblock'), Unreachable);
  assert.equal(calls.length, 3);
  calls = [];
  await assert.rejects(client().ask('wallet/broadcasthex'), Unreachable);
  assert.equal(calls.length, 1);
});

test('throws Unreachable for another form, a node’s own error and a failed list', async () => {
  for (const answer of [[1], { Error: 'class java.lang.X : no' }]) {
    answers = [answer];
    await assert.rejects(client().ask('wallet/getaccount'), Unreachable);
  }
  for (const answer of [{}, { success: false, data: [] }, { success: true, data: {} }]) {
    answers = [answer];
    await assert.rejects(
      client().list('v1/accounts/T/transactions', {}, 0, () => true),
      Unreachable,
    );
  }
});

test('sends the API key if there is one', async () => {
  answers = [{ success: true, data: [] }];
  await client('secret').list('v1/accounts/T/transactions', { only_to: 'true' }, 7, () => true);
  await client().ask('wallet/getblock');
  assert.deepEqual(calls, [
    { path: '/v1/accounts/T/transactions?only_to=true&order_by=block_timestamp%2Casc&min_timestamp=7&limit=200', key: 'secret' },
    { path: '/wallet/getblock', key: undefined },
  ]);
});

test('reads only whole numbers, words of 32 bytes, and messages in hexadecimal', () => {
  assert.equal(integer(undefined), 0n);
  assert.equal(integer(12), 12n);
  for (const value of [1.5, '12', 2 ** 53, null]) assert.throws(() => integer(value), Unreachable);
  assert.equal(word('00ff'), 255n);
  for (const value of ['', 'xyz', 'f'.repeat(65), 7]) assert.throws(() => word(value), Unreachable);
  assert.equal(said(Buffer.from('balance is not sufficient').toString('hex')), 'balance is not sufficient');
});

test('works on a few items at a time and returns the results in order', async () => {
  let running = 0;
  let max = 0;
  const results = await each(
    [5, 1, 4, 2, 3],
    async (one) => {
      running += 1;
      max = Math.max(max, running);
      await new Promise((done) => setTimeout(done, one));
      running -= 1;
      return one * 10;
    },
    2,
  );
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(max, 2);
  await assert.rejects(
    each([1, 2], async () => {
      throw new Error('no');
    }),
  );
});
