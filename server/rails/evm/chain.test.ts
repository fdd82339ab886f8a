import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { openChain } from './chain.ts';
import { Unreachable } from './client.ts';
import { ethereum, evmPublicKeys } from './index.ts';

const keys = evmPublicKeys(
  mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'),
);
const hex = (value: number): string => `0x${value.toString(16)}`;
const block = (height: number, time = height * 12) => ({
  number: hex(height),
  hash: `block ${height} of ${time}`,
  timestamp: hex(time),
});

let server: Server;
/** Functions that answer the waiting requests, in the order of arrival. */
const waiting: ((height: number, time?: number) => void)[] = [];
let arrived: () => void = () => {};

before(async () => {
  server = createServer((_request, response) => {
    waiting.push((height, time) => {
      const results = ['0x1', block(height, time), block(height - 2)];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(results.map((result, id) => ({ jsonrpc: '2.0', id, result }))));
    });
    arrived();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
after(() => server.close());

const open = () => openChain(ethereum({ rpc: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, chainId: 1 }), keys);

/** Requests the head and waits until the node has the request. Returns a function that answers it and returns the head. */
async function requestHead(chain: ReturnType<typeof open>) {
  const there = new Promise<void>((done) => {
    arrived = done;
  });
  const head = chain.head();
  await there;
  const answer = waiting.pop() ?? assert.fail('no request came');
  return (height: number, time?: number) => {
    answer(height, time);
    return head;
  };
}

test('accepts an older block as a late answer to a concurrent request, and refuses it to a later request', async () => {
  const chain = open();
  await (
    await requestHead(chain)
  )(9);
  const [slow, quick] = [await requestHead(chain), await requestHead(chain)];
  assert.equal((await quick(11)).height, 11);
  assert.equal((await slow(10)).height, 10, 'it was the newest when it was requested');
  const old = await requestHead(chain);
  await assert.rejects(old(10), Unreachable, 'a later request gets no older block');
  const [late, early] = [await requestHead(chain), await requestHead(chain)];
  await early(12, 150);
  await late(12, 144);
  const reorged = await requestHead(chain);
  await assert.rejects(reorged(11, 150), Unreachable, 'a later block of the same height is the newer one');
  assert.equal((await (await requestHead(chain))(11, 151)).height, 11, 'a reorg to a lower block has a later time');
});
