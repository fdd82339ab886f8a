// Calls of providers: a request that may carry our secrets goes only to the address in the settings.

import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Unreachable, callProvider } from './http.ts';

let server: Server;
let base: string;
const requests: string[] = [];
before(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url?.startsWith('/moved')) return response.writeHead(302, { location: '/elsewhere?PassPhrase=hush' }).end('gone');
    if (request.url?.startsWith('/long')) return response.end(Buffer.alloc(4_100_000));
    if (request.url?.startsWith('/broken')) {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      return response.destroy();
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.closeAllConnections() ?? server.close());

test('a redirect is an answer and is not followed', async () => {
  const { status, text } = await callProvider(new URL('/moved?PassPhrase=hush', base));
  assert.deepEqual([status, text, requests], [302, 'gone', ['/moved?PassPhrase=hush']]);
});

test('a missing, broken or endless answer counts as none, and the error names no path', async () => {
  for (const path of ['/broken', '/long', '/silent']) {
    const call = callProvider(new URL(`${path}?PassPhrase=hush`, base), { form: { secret: 'hush' }, timeoutMs: 500 });
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof Unreachable, path);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /hush|silent|broken|long/);
      return true;
    });
  }
  await assert.rejects(callProvider(new URL('http://127.0.0.1:1/?PassPhrase=hush')), Unreachable);
});
