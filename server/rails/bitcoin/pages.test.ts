import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import type { Fate, ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';
import { type BitcoinWorld, bitcoinWorld } from './world.testing.ts';

// Polls of a real chain through a server whose pages are short, shared, stale or false.

let world: BitcoinWorld;
before(async () => {
  world = await bitcoinWorld('1');
});
after(() => world?.close());
afterEach(() => pages({}));

const pages = (tricks: object): Promise<unknown> => world.sandbox.control('/bitcoin/pages', tricks);
const address = (): ReceivingAddress => ({
  currency: 'BTC',
  to: world.rail.payin.instruct('BTC', world.nextIndex()).to,
  sinceHeight: 0,
});

/** Polls until every address is read to its end. Returns the payments by key, and the number of polls. */
async function lookOut(addresses: readonly ReceivingAddress[]): Promise<{ seen: Map<string, ObservedPayment>; polls: number }> {
  const seen = new Map<string, ObservedPayment>();
  let left: readonly ReceivingAddress[] = addresses;
  for (let polls = 1; polls <= 12; polls += 1) {
    const unread = new Map<string, Unread>();
    for (const one of await world.rail.payin.observe(left, (reported) => void unread.set(reported.to, reported)))
      seen.set(one.key, one);
    left = left.flatMap((one) => {
      const reported = unread.get(one.to);
      return reported ? [{ ...one, ...(reported.readOn !== undefined && { readOn: reported.readOn }) }] : [];
    });
    if (left.length === 0) return { seen, polls };
  }
  return { seen, polls: Infinity };
}

async function seek({ status, inputs = [], ...payment }: ObservedPayment): Promise<Fate | undefined> {
  const block = status.at === 'block' && { block: { height: status.height, hash: status.hash } };
  return (await world.rail.payin.seek?.([{ ...payment, inputs, ...block }]))?.[0];
}

it('shows a mined payment beside fifty waiting ones, though they share a page', async () => {
  const at = address();
  const txid = await world.payment(at.to, 5_000_000n);
  await world.blocks(6);
  for (let dust = 0; dust < 51; dust += 1) await world.payment(at.to, 1_000n);
  await pages({ isShared: true });
  const { seen } = await lookOut([at]);
  const mined = [...seen.values()].find((one) => one.txid === txid);
  assert.ok(mined?.status.at === 'block' && mined.status.confirmations === 6);
  await world.blocks(1);
});

it('continues through short pages over several polls, and reads the other addresses meanwhile', async () => {
  const [dusty, other] = [address(), address()];
  for (let payment = 0; payment < 24; payment += 1) {
    await world.payment(dusty.to, 10_000n);
    if (payment % 6 === 5) await world.blocks(1);
  }
  await world.payment(other.to, 20_000n);
  await world.blocks(1);
  await pages({ rows: 2 });
  const first = await world.rail.payin.observe([dusty, other]);
  assert.equal(first.filter(({ to }) => to === other.to).length, 1);
  const { seen, polls } = await lookOut([dusty]);
  assert.equal(seen.size, 24);
  assert.ok(polls > 1);
});

it('calls a hidden payment unknown until the server shows it again', async () => {
  const at = address();
  const txid = await world.payment(at.to, 5_000_000n);
  const [waiting] = await world.rail.payin.observe([at]);
  assert.ok(waiting);
  await pages({ hidden: [txid], isUnspent: true });
  assert.deepEqual(await world.rail.payin.observe([at]), []);
  assert.equal((await seek(waiting))?.is, 'unknown');
  await pages({});
  await world.blocks(3);
  const [mined] = await world.rail.payin.observe([at]);
  assert.ok(mined);
  await pages({ hidden: [txid], isUnspent: true });
  assert.equal((await seek(mined))?.is, 'unknown', 'its block stands');
  await pages({});
  assert.equal((await seek(mined))?.is, 'there');
});

it('calls no payment replaceable because an index lags', async () => {
  const at = address();
  await world.payment(at.to, 5_000_000n);
  await pages({ isUnspent: true });
  const [seen] = await world.rail.payin.observe([at]);
  assert.deepEqual(seen?.status, { at: 'mempool', isReplaceable: false, isFeeOk: true });
  await world.blocks(1);
});

it('calls a payment gone once a mined transaction spends its coin, and not while that one waits', async () => {
  const at = address();
  const txid = await world.payment(at.to, 3_000_000n, { isReplaceable: true });
  const [waiting] = await world.rail.payin.observe([at]);
  assert.ok(waiting);
  await world.sandbox.control('/bitcoin/replace', { txid, fee_rate: 50 });
  assert.equal((await seek(waiting))?.is, 'unknown');
  await world.blocks(1);
  const gone = await seek(waiting);
  assert.ok(gone?.is === 'gone' && gone.by.kind === 'spent' && waiting.inputs?.includes(gone.by.input));
  await pages({ hidden: [gone.by.txid] });
  assert.equal((await seek(waiting))?.is, 'unknown', 'what nobody shows proves nothing');
});

it('reads the other payments despite an impossible time, height or estimate', async () => {
  const [waits, stands] = [address(), address()];
  await world.payment(stands.to, 5_000_000n);
  await world.blocks(1);
  await world.payment(waits.to, 5_000_000n);
  const poll = () => world.rail.payin.observe([waits, stands]);
  const [truth] = (await poll()).filter(({ to }) => to === stands.to);
  assert.ok(truth?.status.at === 'block');
  for (const time of [null, 0, -1, 'soon']) {
    await pages({ status: { block_time: time } });
    const mined = (await poll()).find(({ to }) => to === stands.to)?.status;
    assert.deepEqual(mined, truth.status, `${time}: its block says when`);
  }
  await pages({ status: { block_height: 1_000_000 } });
  assert.deepEqual(
    (await poll()).map(({ to }) => to),
    [waits.to],
  );
  for (const odd of [0, -1, '5.5', null]) {
    await pages({ estimates: { 6: odd } });
    assert.deepEqual((await poll()).find(({ to }) => to === waits.to)?.status, {
      at: 'mempool',
      isReplaceable: false,
      isFeeOk: true,
    });
  }
  await world.blocks(1);
});
