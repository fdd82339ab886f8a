// Tests a process that dies after signing and before storing, on the chains whose signer runs in this process here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignedEntry } from '../../rails/index.ts';
import type { Rail, Signer } from '../../rails/rail.ts';
import { SEED, bitcoinWorld, tronPublicKeys, tronRail, tronWorld } from '../../rails/testing.ts';
import { type CopyWorld, openDeskOf } from './older-copy.testing.ts';

type ChainWorld = Pick<Awaited<ReturnType<typeof tronWorld>>, 'signing' | 'signer'>;

/** A signer with a journal, as the real one. */
function journalled({ signing, signer }: ChainWorld): { readonly signer: Signer; readonly lines: readonly SignedEntry[] } {
  const lines: SignedEntry[] = [];
  const sign: Signer['sign'] = async (request) => {
    const { spends, fee } = signing.read(request);
    const answer = await signer.sign(request);
    const about = { at: new Date().toISOString(), rail: request.rail, payouts: request.payouts, spends, leaves: {}, pays: [] };
    if (answer.ok)
      lines.push({ ...about, txid: answer.txid, raw: answer.raw, fee: { currency: fee.currency, parts: `${fee.parts}` } });
    return answer;
  };
  return {
    lines,
    signer: { sign, signed: async (_rail, payouts) => lines.filter((line) => line.payouts.some((id) => payouts.includes(id))) },
  };
}

/** A rail whose process dies with each signature while `isDying`. */
function mortal(rail: Rail, isDying: () => boolean): Rail {
  const { payout } = rail;
  assert.ok(payout);
  const prepare: typeof payout.prepare = async (items, state) => {
    const made = await payout.prepare(items, state);
    if (isDying()) throw new Error('killed');
    return made;
  };
  return { ...rail, payout: { ...payout, prepare } };
}

const COIN = 100_000_000n;

async function bitcoin(): Promise<
  readonly [Omit<CopyWorld, 'open'> & ChainWorld & { expire?(): Promise<void> }, (signer: Signer) => Rail]
> {
  const world = await bitcoinWorld('1');
  await world.blocks(6);
  return [{ ...world, holds: [{ currency: 'BTC', place: 'hot', parts: COIN }] }, (signer) => world.railWith(signer)];
}

async function tron(): Promise<
  readonly [Omit<CopyWorld, 'open'> & ChainWorld & { expire?(): Promise<void> }, (signer: Signer) => Rail]
> {
  const world = await tronWorld();
  const holds = [
    { currency: 'USDT_TRC20', place: 'hot', parts: 1_000n * COIN },
    { currency: 'TRX', place: 'fuel', parts: 1_000n * COIN },
  ] as const;
  return [{ ...world, holds }, (signer) => tronRail(world.config, tronPublicKeys(SEED), signer)];
}

for (const [name, makeWorld] of [
  ['bitcoin', bitcoin],
  ['TRON', tron],
] as const)
  test(`${name}: the same bytes are stored and sent after a crash, besides later requests`, async () => {
    const [world, openRail] = await makeWorld();
    const { signer, lines } = journalled(world);
    let isDying = false;
    const desk = await openDeskOf({ ...world, open: () => mortal(openRail(signer), () => isDying) });
    try {
      const [to, late] = [await world.receiver(), await world.receiver()];
      const id = await desk.original.request(to);
      isDying = true;
      await desk.original.turn();
      assert.deepEqual([await desk.original.status(id), lines.length], ['preparing', 1]);
      isDying = false;
      // Blocks and fees go on, and others request payouts meanwhile.
      await world.blocks(2);
      const process = desk.original.restart();
      const next = await process.request(late);
      for (let turn = 0; turn < 3; turn += 1) {
        await process.turn(true);
        await world.blocks(turn === 0 ? 1 : world.finalBlocks);
      }
      await process.turn();
      assert.deepEqual([await world.received(to), await world.received(late)], [world.parts, world.parts]);
      assert.deepEqual([await process.status(id), await process.status(next)], ['final', 'final']);
      assert.equal(lines.filter(({ payouts }) => payouts.includes(id)).length, 1, 'it was not signed anew');
      const [attempt] = await process.db.rows('select reference, raw from payment_attempt where $1 = any (items)', [id]);
      assert.deepEqual(attempt, { reference: lines[0]?.txid, raw: lines[0]?.raw });
      assert.deepEqual(await process.unrecorded(), []);
    } finally {
      await desk.close();
    }
  });

for (const isProved of [true, false])
  test(`TRON: a transaction signed before a crash that has expired ${isProved ? 'is signed anew once its chain proves that' : 'fails by that proof where it was stored before'}`, async () => {
    const [world, openRail] = await tron();
    const { signer, lines } = journalled(world);
    let isDying = true;
    const desk = await openDeskOf({ ...world, open: () => mortal(openRail(signer), () => isDying) });
    try {
      const to = await world.receiver();
      const id = await desk.original.request(to);
      await desk.original.turn();
      isDying = false;
      await world.expire?.();
      if (isProved) await world.blocks(3 * world.finalBlocks);
      const process = desk.original.restart();
      for (let turn = 0; turn < 4; turn += 1) {
        await process.turn(true);
        await world.blocks(world.finalBlocks + 1);
      }
      const paid = isProved ? [world.parts, 'final', 2] : [0n, 'failed', 1];
      assert.deepEqual([await world.received(to), await process.status(id), lines.length], paid);
      assert.deepEqual(await process.unrecorded(), []);
    } finally {
      await desk.close();
    }
  });
