import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ReceivingAddress } from '../rail.ts';
import { toHex } from './address.ts';
import { openProxy } from './node-proxy.testing.ts';
import { type TronWorld, tronWorld } from './world.testing.ts';

const TRX = 1_000_000n;
let world: TronWorld;
before(async () => {
  world = await tronWorld({ funds: '0', fuel: '0', config: { traces: 'on' } });
});
after(() => world.close());

async function address(): Promise<ReceivingAddress> {
  const { height } = await world.rail.payin.tip();
  return { currency: 'TRX', to: world.rail.payin.instruct('TRX', world.nextIndex()).to, sinceHeight: height };
}

test('a poll misses TRX that a contract hands on, and the balance shows it once it is solid', async () => {
  const watched = await address();
  await world.chain.customer.payThrough(toHex(watched.to), 7n * TRX);
  await world.blocks(1);
  assert.deepEqual(await world.rail.payin.observe([watched]), []);
  assert.equal((await world.rail.payin.lies?.([watched.to]))?.parts.get(watched.to), 0n);
  await world.blocks(20);
  assert.equal((await world.rail.payin.lies?.([watched.to]))?.parts.get(watched.to), 7n * TRX);
});

test('an unreadable internal transfer hides no other', async () => {
  const proxy = await openProxy(world);
  const [odd, good] = [await address(), await address()];
  const [first, second] = [
    await world.chain.customer.payThrough(toHex(odd.to), 7n * TRX),
    await world.chain.customer.payThrough(toHex(good.to), 5n * TRX),
  ];
  await world.blocks(2);
  proxy.lie = (path, request, answer) =>
    path.includes('gettransactioninfobyid') && request['value'] === first ? { ...answer, blockNumber: '5.5' } : undefined;
  const handed = [
    { ...odd, handedOn: [{ txid: first, parts: 7n * TRX }] },
    { ...good, handedOn: [{ txid: second, parts: 5n * TRX }] },
  ];
  const seen = await proxy.rail().payin.observe(handed, () => {});
  await proxy.close();
  assert.deepEqual(
    seen.map(({ to }) => to),
    [good.to],
  );
});

test('finds TRX that was handed on by the node’s record of internal transactions, and shows it as a payment', async () => {
  const watched = await address();
  const { height: from } = await world.rail.payin.tip();
  const txid = await world.chain.customer.payThrough(toHex(watched.to), 7n * TRX);
  await world.chain.pay({ currency: 'TRX', to: watched.to, amount: '3', fee: 'normal', isReplaceable: false });
  await world.blocks(20);
  const { height: to } = await world.rail.payin.tip();
  const handedOn = (await world.rail.payin.traced?.(watched.to, { from: from + 1, to })) ?? [];
  assert.deepEqual(handedOn, [{ txid, parts: 7n * TRX }]);
  assert.deepEqual(await world.rail.payin.traced?.(watched.to, { from: 0, to: from }), []);
  const seen = await world.rail.payin.observe([{ ...watched, handedOn }]);
  assert.deepEqual(seen.map(({ parts }) => parts).toSorted(), [3n * TRX, 7n * TRX]);
  const one = seen.find((observedPayment) => observedPayment.txid === txid);
  assert.ok(one?.status.at === 'block' && one.status.isFinalised);
  const { status, ...payment } = one;
  const missing = { ...payment, inputs: [], block: { height: status.height, hash: status.hash } };
  assert.deepEqual(await world.rail.payin.seek?.([missing]), [{ is: 'there', sighting: one }]);
});
