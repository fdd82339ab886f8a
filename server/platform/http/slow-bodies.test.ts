import assert from 'node:assert/strict';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { LARGE_BODY, PLAIN_BODY, type Pace, watchBody } from './slow-bodies.ts';

const QUICK: Pace = { withinMs: 200, stepMs: 200, stepBytes: 0 };
const PACED: Pace = { withinMs: 3000, stepMs: 200, stepBytes: 20 };

const TAKEN = 'HTTP/1.1 200 OK';
const TOO_SLOW = 'HTTP/1.1 408 Request Timeout';

const refuse = (socket: Socket): void => void socket.end(`${TOO_SLOW}\r\n\r\n`, () => socket.destroy());

const server = createServer((request, response) => {
  // The pace of a call, until it is known that files come.
  const stop = watchBody(request, QUICK, refuse);
  if (request.url === '/files') {
    stop?.();
    watchBody(request, PACED, refuse);
  }
  request.resume().on('end', () => setTimeout(() => response.end('taken'), request.url === '/late' ? 400 : 0));
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());

/** Sends a head that announces 100 bytes, then some bytes every 50 ms; returns the first line of the answer. */
function send(path: string, bytes: number): Promise<string> {
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100\r\n\r\n`);
  let sent = 0;
  const drip = setInterval(() => {
    const next = Math.min(bytes, 100 - sent);
    sent += next;
    if (next > 0 && socket.writable) socket.write('x'.repeat(next));
  }, 50);
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      resolve(answer.split('\r\n')[0] ?? '');
    });
  });
}

test('accepts a body that comes in time, however long its answer takes, and cuts off one that drips in', async () => {
  assert.deepEqual(await Promise.all([send('/', 100), send('/late', 100), send('/', 5)]), [TAKEN, TAKEN, TOO_SLOW]);
});

test('gives files more time while they keep coming', async () => {
  // 10 bytes a step of 50 ms are 40 in 200 ms: 100 take half a second.
  assert.deepEqual(await Promise.all([send('/files', 10), send('/files', 2), send('/files', 0)]), [TAKEN, TOO_SLOW, TOO_SLOW]);
});

test('20 MB pass at 100 kB a second, and a connection below 4 kB a second is ended', () => {
  assert.ok((20 * 1024 * 1024) / 100_000 < LARGE_BODY.withinMs / 1000);
  assert.ok(LARGE_BODY.stepBytes / (LARGE_BODY.stepMs / 1000) >= 4096);
  assert.equal(PLAIN_BODY.withinMs, 15_000);
});
