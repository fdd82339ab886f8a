// One POST to an address of others: accepted answers, time limits, and forbidden addresses.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, type Socket, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isPublicAddress } from './address.ts';
import { type Posted, type Poster, isTaken, openPost } from './post.ts';

/** Text that the server received, for each connection. */
const heard: string[] = [];
/** Answer of each path; each handler may hold the connection. */
const ANSWERS: Record<string, (socket: Socket) => void> = {
  '/taken': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok\0!'),
  '/empty': (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
  '/gone': (socket) => socket.end('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n'),
  '/broken': (socket) => socket.end('HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\noh'),
  '/moved': (socket) => socket.end('HTTP/1.1 307 Moved\r\nLocation: /taken\r\nContent-Length: 0\r\n\r\n'),
  '/closed': (socket) => socket.destroy(),
  '/noise': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/silent': () => {},
  '/drip': (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', 'x'),
  '/open': (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'),
  '/cut': (socket) => cutOff(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'),
  '/short': (socket) => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nok'),
  '/broken-and-cut': (socket) => cutOff(socket, 'HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\noh'),
  '/announced': (socket) => announced(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  '/hinted': (socket) => announced(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  '/only-hinted': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  '/switched': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  '/no-length': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nok'),
  '/two-lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nok'),
  '/both-lengths': (socket) =>
    socket.end('HTTP/1.1 202 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'),
  '/bad-chunk': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok'),
  '/bad-line': (socket) => socket.end('HTTP/1.1 500 Oh\r\nX Y: 1\r\nContent-Length: 2\r\n\r\noh'),
  '/long-head': (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\nContent-Length: 2\r\n\r\nok`),
  '/cut-head': (socket) => socket.end('HTTP/1.1 200 OK\r\nX: '),
  '/packed': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone'),
  '/unchanged': (socket) => socket.end('HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n'),
  '/dripping-head': (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\nX-Long: ', 'x'),
  '/huge': (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n', 'y'.repeat(5_000)),
};
/** Short limits for answers that never come. All others have the usual limits, so that a busy machine fails no test. */
const SHORT = { connectMs: 400, firstByteMs: 400, wholeMs: 1_200 };

/** Begins an answer and breaks the connection. */
function cutOff(socket: Socket, begun: string): void {
  socket.write(begun, () => setTimeout(() => socket.resetAndDestroy(), 50));
}

/** Sends an interim answer, and the final one a moment later. */
function announced(socket: Socket, announcement: string): void {
  socket.write(announcement);
  setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 50);
}

function dripping(socket: Socket, head: string, drop: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), 50);
  socket.on('close', () => clearInterval(timer));
}

let server: Server;
let port: number;
let names: Record<string, string[][]> = {};
let resolved: string[] = [];
let poster: Poster;
let hasty: Poster;
before(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      heard.push(data.toString('latin1'));
      ANSWERS[/^POST (\/[\w-]*)/.exec(heard.at(-1)!)?.[1] ?? '']?.(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  poster = openPost({ privateOrigin: `http://hook.example:${port}`, resolve });
  hasty = openPost({ limits: SHORT, resolve });
});
after(async () => {
  await Promise.all([poster.close(), hasty.close()]);
  server.close();
});

/** Answers of look-ups of a name, used in turn. */
async function resolve(name: string): Promise<string[]> {
  resolved.push(name);
  return names[name]?.shift() ?? [];
}

const post = (url: string, more: Partial<Posted> = {}, by = poster) =>
  by.post({ url, headers: { 'x-sign': 'abc' }, body: '{"a":1}', mayBePrivate: false, ...more });

const rows: [path: string, outcome: { status?: number; answer: string | RegExp; error?: RegExp }, taken: boolean][] = [
  ['/taken', { status: 200, answer: 'ok!' }, true],
  ['/empty', { status: 204, answer: '' }, true],
  ['/gone', { status: 410, answer: '' }, false],
  ['/broken', { status: 500, answer: 'oh' }, false],
  ['/moved', { status: 307, answer: '' }, false],
  ['/huge', { status: 200, answer: 'y'.repeat(1_024) }, true],
  ['/closed', { answer: '', error: /closed/ }, false],
  ['/noise', { answer: '', error: /./ }, false],
  ['/silent', { answer: '', error: /Timeout/ }, false],
  ['/drip', { status: 200, answer: /^x+$/, error: /in time|Timeout/ }, true],
  ['/open', { status: 200, answer: 'ok', error: /in time|Timeout/ }, true],
  ['/cut', { status: 200, answer: /^(ok)?$/, error: /./ }, true],
  ['/short', { status: 202, answer: /^(ok)?$/, error: /./ }, true],
  ['/broken-and-cut', { status: 503, answer: /^(oh)?$/, error: /./ }, false],
  ['/announced', { status: 200, answer: 'ok' }, true],
  ['/hinted', { status: 200, answer: 'ok' }, true],
  ['/only-hinted', { answer: '', error: /in time|Timeout/ }, false],
  ['/switched', { answer: '', error: /./ }, false],
  ['/no-length', { status: 200, answer: /^(ok)?$/, error: /./ }, true],
  ['/two-lengths', { status: 200, answer: /^(ok)?$/, error: /./ }, true],
  ['/both-lengths', { status: 202, answer: '', error: /./ }, true],
  ['/bad-chunk', { status: 200, answer: '', error: /./ }, true],
  ['/bad-line', { status: 500, answer: '', error: /./ }, false],
  ['/long-head', { status: 200, answer: 'ok' }, true],
  ['/cut-head', { answer: '', error: /./ }, false],
  ['/packed', { status: 200, answer: 'none' }, true],
  ['/unchanged', { status: 304, answer: '' }, false],
  ['/dripping-head', { answer: '', error: /in time|Timeout/ }, false],
];

for (const [path, expected, taken] of rows)
  test(`an endpoint that answers ${path.slice(1)} is ${taken ? 'taken' : 'refused'}, within the time`, async () => {
    heard.length = 0;
    const by = expected.error ? hasty : poster;
    const outcome = await post(`http://127.0.0.1:${port}${path}`, { mayBePrivate: true }, by);
    assert.equal(outcome.status, expected.status);
    if (typeof expected.answer === 'string') assert.equal(outcome.answer, expected.answer);
    else assert.match(outcome.answer, expected.answer);
    if (expected.error) assert.match(outcome.error ?? '', expected.error);
    assert.equal(isTaken(outcome), taken);
    assert.ok(outcome.latencyMs < 9_000, `${outcome.latencyMs} ms`);
    assert.equal(heard.length, 1, 'a redirect is not followed');
  });

test('posts the content type, the headers and the body', async () => {
  heard.length = 0;
  await post(`http://127.0.0.1:${port}/taken?a=b`, { mayBePrivate: true });
  const [head = '', body] = (heard[0] ?? '').split('\r\n\r\n');
  assert.match(head, /^POST \/taken\?a=b HTTP\/1\.1/);
  assert.match(head, /content-type: application\/json/i);
  assert.match(head, /x-sign: abc/i);
  assert.equal(body, '{"a":1}');
});

const PRIVATE = [
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0x7f000001', '017700000001', '0177.0.0.1', '0.0.0.0', '0'],
  ...['169.254.169.254', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '192.0.0.1', '198.18.0.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[fe80::1]', '[fec0::1]', '[fd00::1]', '[ff02::1]', '[2002:7f00:1::]', '[2001::1]', '[2001:db8::1]', '[100::1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::7f00:1]'],
];

test('refuses private addresses in any spelling, and names that resolve to one', async () => {
  heard.length = 0;
  for (const host of PRIVATE) {
    const outcome = await post(`http://${host}:${port}/taken`);
    assert.deepEqual([outcome.status, outcome.error], [undefined, 'the address is not public'], host);
  }
  names = {
    'inside.example': [['10.0.0.5']],
    'both.example': [['93.184.216.34', '127.0.0.1']],
    'six.example': [['::ffff:7f00:1']],
  };
  for (const name of Object.keys(names)) {
    const outcome = await post(`http://${name}:${port}/taken`);
    assert.deepEqual([outcome.status, outcome.error], [undefined, 'the address is not public'], name);
  }
  assert.equal((await post(`http://nowhere.example:${port}/taken`)).error, 'the name has no address');
  assert.equal((await post(`ftp://127.0.0.1:${port}/`, { mayBePrivate: true })).error, 'the address is neither http nor https');
  assert.equal((await post(`http://a:b@127.0.0.1:${port}/`, { mayBePrivate: true })).error, 'the address contains a password');
  assert.ok((await post('http://[')).error, 'no address at all');
  assert.deepEqual(heard, []);
});

test('addresses of the internet are public, also IPv4 addresses in NAT64', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34', '64:ff9b::5db8:d822'])
    assert.ok(isPublicAddress(address), address);
  assert.equal(isPublicAddress('no address'), false);
});

test('resolves a name once for an attempt, and connects to the checked address', async () => {
  [heard.length, resolved] = [0, []];
  // A second look-up would get another answer.
  names = { 'hook.example': [['127.0.0.1'], ['10.9.9.9']] };
  assert.equal((await post(`http://hook.example:${port}/taken`)).status, 200);
  assert.deepEqual(resolved, ['hook.example']);
  assert.match(heard[0] ?? '', new RegExp(`^host: hook\\.example:${port}\r$`, 'im'));
});

test('only the origin that the sandbox names may be private: no other port, name or scheme of the same machine', async () => {
  heard.length = 0;
  names = { 'hook.example': [['127.0.0.1'], ['127.0.0.1']], 'other.example': [['127.0.0.1']] };
  for (const url of [`http://hook.example:${port + 1}/`, `https://hook.example:${port}/`, `http://other.example:${port}/`])
    assert.equal((await post(url)).error, 'the address is not public', url);
  assert.deepEqual(heard, []);
});

test('checks the certificate for the name, not for the address', async () => {
  heard.length = 0;
  names = { 'hook.example': [['127.0.0.1']] };
  const outcome = await post(`https://hook.example:${port}/`, { mayBePrivate: true });
  assert.equal(outcome.status, undefined, 'it is no server of TLS');
  assert.match(heard[0] ?? '', /hook\.example/, 'SNI stands in the first message of TLS');
});
