import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeWebhook } from '../payins/webhook.ts';
import { type Desk, openDesk } from './world.testing.ts';

const PARTS = 100_000n;

async function withProvider(work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false, by: 'redirect' } }, { callMs: 5_000 });
  try {
    await work(desk);
  } finally {
    await desk.close();
  }
}

const message = (about: object): { raw: Uint8Array; headers: Record<string, string> } => ({
  raw: new TextEncoder().encode(JSON.stringify(about)),
  headers: {},
});

describe('a payment that is taken back in part', () => {
  it('keeps the rest: each part is published as it leaves and returns, so that custody can follow', () =>
    withProvider(async (desk) => {
      const { order, to } = await desk.open();
      const id = desk.world.pay(to, PARTS);
      desk.world.mine();
      const before = desk.world.held('BTC', 'hot') - PARTS;
      let reported = 0;
      const news = async (taken: bigint): Promise<string[]> => {
        desk.world.takeInPart(id, taken);
        assert.equal(desk.world.held('BTC', 'hot') - before, PARTS - taken);
        await takeWebhook(desk.db, 'provider', message({ isProven: true, to, taken: String(taken) }));
        await desk.turn();
        const fresh = (await desk.payins(order)).slice(reported);
        reported += fresh.length;
        return fresh.map(({ event, part, isBack, parts }) => [event, part, isBack && 'again', parts].filter(Boolean).join(' '));
      };
      assert.deepEqual(await news(0n), [`final ${PARTS}`]);
      assert.deepEqual(await news(30_000n), [`reversed 30000 ${PARTS}`]);
      assert.deepEqual(await news(30_000n), [], 'told once');
      assert.deepEqual(await news(70_000n), [`reversed 40000 ${PARTS}`]);
      assert.deepEqual(await news(50_000n), [`final 20000 again ${PARTS}`]);
      assert.deepEqual(await news(0n), [`final 50000 again ${PARTS}`]);
    }));
});
