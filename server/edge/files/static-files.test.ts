import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { openStatic } from './static-files.ts';

let folder: string;
let app: FastifyInstance;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurs-static-'));
  const files: Record<string, string | Buffer> = {
    'client/assets/app-new.js': 'new',
    'client/assets/app-new.js.gz': gzipSync('new'),
    'client/assets/shared-same.js': 'same',
    'client/builds/latest.json': '{"id":"new"}',
    'former/1795000000000/assets/app-older.js': 'older',
    'former/1795000000001/assets/app-old.js': 'old',
    'former/1795000000001/assets/shared-same.js': 'same',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const serve = await openStatic(folder);
  app = Fastify();
  app.setNotFoundHandler((request, reply) => (serve(request, reply) ? reply : reply.code(404).send('no')));
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') =>
  app.inject({ url, method, headers: { 'accept-encoding': 'identity', ...headers } });

test('serves files of earlier builds beside those of this one', async () => {
  for (const [url, text] of [
    ['/assets/app-new.js', 'new'],
    ['/assets/app-old.js?x', 'old'],
    ['/assets/app-older.js', 'older'],
    ['/assets/shared-same.js', 'same'],
    ['/builds/latest.json', '{"id":"new"}'],
  ] as const)
    assert.deepEqual([(await ask(url)).statusCode, (await ask(url)).body], [200, text], url);
  assert.match(String((await ask('/assets/app-old.js')).headers['cache-control']), /immutable/);
  for (const url of ['/assets/app-new.js.gz', '/assets/none.js', '/assets', '/former/1795000000001/assets/app-old.js'])
    assert.equal((await ask(url)).statusCode, 404, url);
});

test('each encoding of a file has its own tag for a browser’s cache', async () => {
  const [plain, gzip] = [await ask('/assets/app-new.js'), await ask('/assets/app-new.js', { 'accept-encoding': 'gzip' })];
  assert.equal(gunzipSync(gzip.rawPayload).toString(), 'new');
  const [tag, other] = [plain, gzip].map(({ headers }) => String(headers['etag'])) as [string, string];
  assert.notEqual(tag, other);
  for (const known of [tag, `W/${tag}`, `"x",${tag}`, '*']) {
    const again = await ask('/assets/app-new.js', { 'if-none-match': known });
    assert.deepEqual(
      [again.statusCode, again.body, again.headers['etag'], again.headers['vary']],
      [304, '', tag, 'accept-encoding'],
    );
  }
  assert.equal((await ask('/assets/app-new.js', { 'if-none-match': other })).statusCode, 200);
});

test('a file accepts GET and HEAD only', async () => {
  const refused = await ask('/assets/app-new.js', {}, 'POST');
  assert.deepEqual(
    [refused.statusCode, refused.headers['allow'], refused.headers['cache-control']],
    [405, 'GET, HEAD', 'no-store'],
  );
});
