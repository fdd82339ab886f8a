// Tests payments that people take back because their rail reports nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Problem } from '@kurs/contract';
import { newId } from '../../platform/index.ts';
import { type PayinWord, decidePayin } from '../payins/decide-payin.ts';
import { type Desk, events, openDesk } from './world.testing.ts';

const PARTS = 100_000n;
const SAID = { evidence: 'statement of the 25th', by: ['ann', 'bob'] } as const;

for (const options of [{ id: 'bitcoin' }, { id: 'silent', provider: { hasDedupe: false, by: 'redirect' as const } }]) {
  describe(`a payment on a rail that reports nothing (${options.id})`, () => {
    async function withDesk(work: (desk: Desk, paid: { order: string; to: string }) => Promise<void>): Promise<void> {
      const desk = await openDesk(options, { callMs: 5_000 });
      try {
        const { order, to } = await desk.open();
        desk.world.pay(to, PARTS);
        await work(desk, { order, to });
      } finally {
        await desk.close();
      }
    }
    /** Polls everything for an hour. */
    async function poll(desk: Desk): Promise<void> {
      desk.world.mine(8);
      for (let turn = 0; turn < 3; turn += 1) {
        await desk.pass(20 * 60_000);
        await desk.turn();
      }
    }
    async function say(desk: Desk, order: string, word: PayinWord['word'], parts?: bigint): Promise<void> {
      const row = await desk.db.row<{ id: string }>('select id from payin where owner_id = $1', [order]);
      await desk.db.tx((tx) => decidePayin(tx, { id: newId(), payinId: row?.id ?? newId(), word, parts, ...SAID }));
    }
    const isClosed = (error: Problem): boolean => error.code === 'action_not_open';

    it('is taken back, though its rail goes on showing it, until people withdraw their decision', () =>
      withDesk(async (desk, { order }) => {
        await poll(desk);
        assert.deepEqual(events(await desk.payins(order)).at(-1), 'final');
        await assert.rejects(say(desk, order, 'restore'), isClosed);
        await say(desk, order, 'take_back');
        await poll(desk);
        const published = await desk.payins(order);
        assert.deepEqual(
          [published.at(-1)?.event, published.at(-1)?.reason, published.at(-1)?.part],
          ['reversed', 'chargeback', undefined],
        );
        await assert.rejects(say(desk, order, 'take_back'), isClosed, 'once');
        const words = await desk.db.rows<{ word: string; evidence: string; by: string[] }>(
          'select word, evidence, by from payin_word',
        );
        assert.deepEqual(words, [{ word: 'take_back', ...SAID, by: [...SAID.by] }]);
        await say(desk, order, 'restore');
        await poll(desk);
        const last = (await desk.payins(order)).at(-1);
        assert.deepEqual([last?.event, last?.isBack], ['final', true]);
      }));

    it('is taken back in part, which the rail’s whole amount doesn’t undo; then the rest', () =>
      withDesk(async (desk, { order }) => {
        await poll(desk);
        await assert.rejects(say(desk, order, 'take_back', PARTS + 1n), isClosed);
        await say(desk, order, 'take_back', 30_000n);
        await poll(desk);
        const part = (await desk.payins(order)).at(-1);
        assert.deepEqual([part?.event, part?.part], ['reversed', '30000']);
        await assert.rejects(say(desk, order, 'take_back', 70_001n), isClosed);
        await say(desk, order, 'take_back');
        await poll(desk);
        const rest = (await desk.payins(order)).at(-1);
        assert.deepEqual([rest?.event, rest?.part], ['reversed', undefined]);
      }));

    // A payment that a provider shows is final at once.
    if (options.provider) return;
    it('is dropped if it was only seen, as if it never was', () =>
      withDesk(async (desk, { order }) => {
        await desk.turn();
        assert.equal(events(await desk.payins(order)).at(-1), 'seen');
        await assert.rejects(say(desk, order, 'take_back', 1n), isClosed);
        await say(desk, order, 'take_back');
        await poll(desk);
        assert.equal(events(await desk.payins(order)).at(-1), 'dropped');
      }));
  });
}
