import assert from 'node:assert/strict';
import { type Server as HttpServer, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type FeedItem, feedJson, feedText, feedXml } from '../../pricing/index.ts';
import { mountFeeds } from './feeds.ts';

const ITEM: FeedItem = {
  from: 'BTC',
  to: 'USDTERC20',
  in: '1',
  out: '89000.12',
  amount: '1900000.00',
  min: '0.00060000',
  max: '0.01100000',
  fixedMinutes: 15,
  isManual: false,
  isReversible: false,
};
let items: readonly FeedItem[] = [ITEM];
let http: HttpServer;

before(async () => {
  const answers: ((question: IncomingMessage, response: ServerResponse) => boolean)[] = [];
  mountFeeds({ answerFirst: (one) => void answers.push(one), headers: {} }, () => items);
  http = createServer((question, response) => {
    if (!answers.some((one) => one(question, response))) response.writeHead(404).end();
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
});
after(() => http.close());

interface FeedAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<FeedAnswer> {
  const { port } = http.address() as AddressInfo;
  return new Promise((done, fail) => {
    request({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }));
    })
      .on('error', fail)
      .end();
  });
}

test('serves the feed in three formats, whatever a monitor adds to the address', async () => {
  for (const [path, type, text] of [
    ['/rates.xml', 'application/xml; charset=utf-8', feedXml(items)],
    ['/rates.json?hcron=1&lang=ru', 'application/json; charset=utf-8', feedJson(items)],
    ['/rates.txt?', 'text/plain; charset=utf-8', feedText(items)],
  ] as const) {
    const { status, headers, body } = await ask(path);
    assert.deepEqual([status, headers['content-type'], body.toString()], [200, type, text]);
    assert.deepEqual([headers['cache-control'], headers['access-control-allow-origin']], ['no-cache', '*']);
  }
  for (const path of ['/rates.csv', '/rates', '/rates.xml/x', '/']) assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask('/rates.xml', {}, 'POST')).status, 404);
});

test('compresses for clients that accept it, with a strong tag for each encoding', async () => {
  const plain = await ask('/rates.xml');
  const br = await ask('/rates.xml', { 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await ask('/rates.xml', { 'accept-encoding': 'gzip' });
  assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip']);
  assert.deepEqual([brotliDecompressSync(br.body), gunzipSync(gzip.body)], [plain.body, plain.body]);
  const tags = [plain, br, gzip].map(({ headers }) => headers.etag as string);
  assert.equal(new Set(tags).size, 3);
  for (const tag of tags) assert.match(tag, /^"[\w-]+"$/);
  for (const { headers } of [plain, br]) assert.equal(headers.vary, 'accept-encoding');
});

test('answers 304 to a client that has the feed, until something changes', async () => {
  const { headers } = await ask('/rates.txt');
  const tag = headers.etag as string;
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await ask('/rates.txt', { 'if-none-match': known });
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, tag]);
  }
  items = [{ ...ITEM }];
  assert.equal((await ask('/rates.txt', { 'if-none-match': tag })).status, 304);
  items = [{ ...ITEM, out: '88000' }];
  const changed = await ask('/rates.txt', { 'if-none-match': tag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.etag, tag);
});

test('HEAD has the same headers without the body; a closed desk is an empty list', async () => {
  const [head, get] = [await ask('/rates.xml', {}, 'HEAD'), await ask('/rates.xml')];
  assert.deepEqual([head.status, head.body.length, head.headers.etag], [200, 0, get.headers.etag]);
  assert.equal(head.headers['content-length'], String(get.body.length));
  items = [];
  const closed = await ask('/rates.xml');
  assert.equal(closed.status, 200);
  assert.doesNotMatch(closed.body.toString(), /<item>/);
});
