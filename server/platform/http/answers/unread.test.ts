// Refusals past Node's own answers are sent only if the caller waits for an answer to that request. Otherwise the caller would
// take one for the answer to another request.

import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { watchBody } from '../slow-bodies.ts';
import { answerEarly, openRefusals, refuseBroken } from './unread.ts';

const QUICK = { withinMs: 150, stepMs: 150, stepBytes: 0 };
/** Answers at once without reading the body, after it, or late. */
const server: Server = createServer((request, response) => {
  if (request.url === '/late') setTimeout(() => response.end('late'), 400);
  else if (request.url === '/begun') response.write('begun');
  else request.resume().on('end', () => response.end('read'));
});
before(() => {
  const refusals = openRefusals({});
  server.on('clientError', refuseBroken(refusals));
  const early = answerEarly(server, {}, (request, response) => {
    refusals.note(request, response);
    watchBody(request, QUICK, (socket) => refusals.end(socket, 408));
  });
  early(({ url }, response) => {
    if (url === '/early') response.end('early');
    return url === '/early';
  });
  return new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => server.close());

const head = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const BODY = 'Content-Length: 100\r\n';
const CHUNKS = 'Transfer-Encoding: chunked\r\n';

/** Sends parts, each once an answer to those before it arrived; returns the statuses that came until the connection ended. */
function statuses(...parts: readonly string[]): Promise<string[]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const left = [...parts];
  socket.write(left.shift() ?? '');
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (part) => {
      answer += part.toString();
      const next = left.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '')));
  });
}

describe('a body that does not come', () => {
  test('is refused if nothing was answered yet', async () => {
    assert.deepEqual(await statuses(head('/', BODY)), ['408']);
  });
  test('ends the connection after an answer without it, and sends nothing more', async () => {
    assert.deepEqual(await statuses(head('/early', BODY)), ['200']);
    assert.deepEqual(await statuses(head('/early', CHUNKS)), ['200']);
    assert.deepEqual(await statuses(head('/begun', BODY)), ['200']);
    assert.deepEqual(await statuses(head('/', `${BODY}Expect: 200-maybe\r\n`)), ['417']);
  });
  test('is not refused before the answer to an earlier request', async () => {
    assert.deepEqual(await statuses(head('/late') + head('/', BODY)), []);
  });
});

describe('bytes that are no request', () => {
  test('are refused if they came first, or after an answered request', async () => {
    assert.deepEqual(await statuses('no request\r\n\r\n'), ['400']);
    assert.deepEqual(await statuses(head('/early'), 'no request\r\n\r\n'), ['200', '400']);
  });
  test('in the body of an answered request end the connection', async () => {
    assert.deepEqual(await statuses(head('/early', CHUNKS), 'no chunk\r\n'), ['200']);
  });
  test('are refused in a body that is still read', async () => {
    assert.deepEqual(await statuses(`${head('/', CHUNKS)}no chunk\r\n`), ['400']);
  });
  test('after a request whose answer is unfinished end the connection', async () => {
    assert.deepEqual(await statuses(`${head('/late')}no request\r\n\r\n`), []);
  });
});
