import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sendTogether } from './send-together.ts';

test('sends the answers of one turn together, each with its own body; a gone reader disturbs no other', async (context) => {
  const answers: (() => void)[] = [];
  const server = createServer(({ url, socket }, response) => {
    answers.push(() => {
      if (url === '/gone') socket.destroy();
      sendTogether(response, `for ${url}`);
    });
    if (answers.length < 3) return;
    for (const answer of answers) answer();
    assert.equal(response.writableEnded, false, 'not before the others of its turn');
    void turn().then(() => assert.equal(response.writableEnded, true));
  });
  context.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const [one, gone, other] = await Promise.allSettled(['/one', '/gone', '/other'].map(ask));
  assert.deepEqual(
    [one, other],
    [
      { status: 'fulfilled', value: 'for /one' },
      { status: 'fulfilled', value: 'for /other' },
    ],
  );
  assert.equal(gone?.status, 'rejected');
});
