import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyWebhooks, receiveWebhook } from '../payins/webhook.ts';
import { withDesk } from './world.testing.ts';

describe('webhooks', () => {
  const raw = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('are stored unchanged, cause a poll, and credit nothing themselves', () =>
    withDesk({}, async (desk) => {
      const { order, to } = await desk.open();
      await desk.turn();
      desk.world.pay(to, 100_000n);
      const proof = { isProven: true, to };
      const webhook = { raw: raw('{"paid":"1000000"}'), headers: { signature: 'good' } };
      await Promise.all(Array.from({ length: 5 }, () => receiveWebhook(desk.db, 'bitcoin', webhook, proof)));
      const [stored] = await desk.db.rows<{ copies: number; raw: Buffer }>(`select copies, raw from callback`);
      assert.deepEqual([stored?.copies, stored?.raw.toString()], [5, '{"paid":"1000000"}']);
      assert.equal(await applyWebhooks(desk.db), 1);
      assert.equal(await applyWebhooks(desk.db), 0, 'once');
      assert.deepEqual(await desk.payins(order), []);
      await desk.turn();
      assert.deepEqual(
        (await desk.payins(order)).map(({ event, parts }) => [event, parts]),
        [['seen', '100000']],
        'the rail’s answer counts',
      );
    }));

  it('without proof do nothing; those before our own commit are tried for a day', () =>
    withDesk({}, async (desk) => {
      const early = desk.rail.payin.instruct('BTC', 1).to;
      assert.equal(
        await receiveWebhook(desk.db, 'bitcoin', { raw: new Uint8Array(70_000), headers: {} }, { isProven: true }),
        false,
      );
      await receiveWebhook(desk.db, 'bitcoin', { raw: raw('forged'), headers: {} }, { isProven: false, to: early });
      await receiveWebhook(desk.db, 'bitcoin', { raw: raw('early'), headers: {} }, { isProven: true, to: early });
      await receiveWebhook(desk.db, 'bitcoin', { raw: raw('unallocated'), headers: {} }, { isProven: true, to: 'nobody' });
      assert.equal(await applyWebhooks(desk.db), 0);
      assert.equal((await desk.open()).to, early);
      await desk.pass(3_000);
      assert.equal(await applyWebhooks(desk.db), 1);
      await desk.pass(25 * 3_600_000);
      await applyWebhooks(desk.db);
      const outcomes = await desk.db.rows<{ text: string; outcome: string }>(
        `select convert_from(raw, 'UTF8') as text, outcome from callback order by text`,
      );
      assert.deepEqual(
        outcomes.map(({ text, outcome }) => `${text} ${outcome}`),
        ['early applied', 'forged not_proven', 'unallocated unknown'],
      );
    }));

  it('under a wrong signature block nothing: the same bytes count once they are proven', () =>
    withDesk({}, async (desk) => {
      const { to } = await desk.open();
      await desk.turn();
      const webhook = { raw: raw('{"paid":"1"}'), headers: { 'x-hash': 'wrong' } };
      await receiveWebhook(desk.db, 'bitcoin', webhook, { isProven: false });
      assert.equal(await applyWebhooks(desk.db), 0);
      await receiveWebhook(desk.db, 'bitcoin', { ...webhook, headers: { 'x-hash': 'right' } }, { isProven: true, to });
      await desk.pass(10);
      assert.equal(await applyWebhooks(desk.db), 1);
      await receiveWebhook(desk.db, 'bitcoin', webhook, { isProven: false });
      const stored = await desk.db.rows(`select copies, proven, outcome, headers from callback`);
      assert.deepEqual(stored, [{ copies: 3, proven: true, outcome: 'applied', headers: { 'x-hash': 'right' } }]);
    }));
});
