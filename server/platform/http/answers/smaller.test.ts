import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { smaller } from './smaller.ts';

const long = JSON.stringify(
  Array.from({ length: 200 }, (_, n) => ({ from: 'BTC', to: 'USDT_ERC20', min: `0.${n}`, name: 'Счёт' })),
);

test('compresses a long text with an encoding that its reader accepts', () => {
  const brotli = smaller(long, 'gzip, deflate, br, zstd');
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli.body).toString(), long);
  const gzip = smaller(long, 'GZIP;q=0.5, br;q=0');
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(gzip.body).toString(), long);
  assert.ok(brotli.body.length < long.length / 10 && gzip.body.length < long.length / 8);
  for (const { headers } of [brotli, gzip]) assert.equal(headers['vary'], 'accept-encoding');
});

test('leaves a short text, and one for a reader without a known encoding, uncompressed', () => {
  assert.deepEqual(smaller('{"data":"Счёт"}', 'br'), { body: '{"data":"Счёт"}', headers: {} });
  for (const accepted of [undefined, '', 'identity', 'deflate, br;q=0, gzip;q=0.000', 'brotli']) {
    const { body, headers } = smaller(long, accepted);
    assert.equal(body, long);
    assert.equal(headers['content-encoding'], undefined);
  }
});
