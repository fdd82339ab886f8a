import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDesk } from './world.testing.ts';

it('a payout whose row was altered after its request never reaches its provider; the others do', async () => {
  const desk = await openDesk();
  await desk.turn();
  const changes = [
    'parts = parts * 10',
    `to_fields = '{"address": "thief"}'`,
    `owner_id = 'another'`,
    `currency = 'USDT_MEM'`,
    'mac = null',
  ];
  for (const change of changes) {
    const [right, altered] = [await desk.request(1_000n), await desk.request(1_000n)];
    await desk.db.run(`update payout set ${change} where id = $1`, [altered]);
    await desk.turn();
    const rows = await desk.db.rows<{ id: string; status: string; reason: string | null }>(
      'select id, status, reason from payout where id = any ($1)',
      [[right, altered]],
    );
    const of = (id: string) => rows.find((row) => row.id === id);
    assert.deepEqual([of(altered)?.status, of(altered)?.reason], ['queued', 'altered'], change);
    assert.ok(of(right)?.status === 'sent' || of(right)?.status === 'sending', `${change}: ${of(right)?.status}`);
  }
  await desk.close();
});
