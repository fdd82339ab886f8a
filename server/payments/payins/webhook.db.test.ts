import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { configureLog } from '../../platform/index.ts';
import { applyWebhooks, receiveWebhook, takeWebhook } from './webhook.ts';
import { type Desk, events, openDesk } from '../scenarios/world.testing.ts';

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
  headers: { 'content-type': 'application/json' },
});

describe('messages of a provider', () => {
  it('without proof don’t displace those of others: they are counted by network, and the fullest network makes room', () =>
    withProvider(async (desk) => {
      let sent = 0;
      const send = (ip: string, isProven = false) =>
        receiveWebhook(desk.db, 'provider', message({ sent: (sent += 1) }), { isProven }, ip, { network: 5, all: 8 });
      for (let at = 0; at < 9; at += 1) await send(`203.0.113.${at}`);
      assert.deepEqual(await storedBy(desk), ['203.0.113.0/24 5'], 'a network has its maximum');
      await send('198.51.100.7');
      await send('2001:db8::7');
      await send('203.0.113.1', true);
      assert.deepEqual(await storedBy(desk), ['198.51.100.0/24 1', '2001:db8:0::/48 1', '203.0.113.0/24 5', 'proven 1']);
      await send('192.0.2.1');
      await send('192.0.2.2');
      const after = ['192.0.2.0/24 2', '198.51.100.0/24 1', '2001:db8:0::/48 1', '203.0.113.0/24 4', 'proven 1'];
      assert.deepEqual(await storedBy(desk), after, 'the fullest network made room');
      const oldest = await desk.db.row<{ text: string }>(
        `select convert_from(raw, 'UTF8') as text from callback where network = '203.0.113.0/24' and not proven order by received_at limit 1`,
      );
      assert.equal(oldest?.text, '{"sent":2}', 'with its oldest');
      for (let at = 0; at < 9; at += 1) await send('203.0.113.9', true);
      assert.equal((await storedBy(desk)).at(-1), 'proven 10', 'proven messages are always stored');
    }));

  it('that are forged, however many, don’t prevent a later proof of the same bytes, or messages of others', () =>
    withProvider(async (desk) => {
      const { order, to } = await desk.open();
      desk.world.pay(to, PARTS);
      desk.world.mine();
      for (let at = 0; at < 210; at += 1) await takeWebhook(desk.db, 'provider', message({ isProven: false, at }), '203.0.113.9');
      await takeWebhook(desk.db, 'provider', message({ isProven: false, whose: 'another' }), '198.51.100.9');
      assert.deepEqual(await storedBy(desk), ['198.51.100.0/24 1', '203.0.113.0/24 200']);
      const duplicates = { ...message({}), raw: new TextEncoder().encode(`{"proven":false,"to":"${to}","\\u0070roven":true}`) };
      const refused = await takeWebhook(desk.db, 'provider', duplicates, '192.0.2.9');
      assert.equal(typeof refused === 'object' && refused.status, 400, 'a field is repeated: it is unclear which one was signed');
      assert.equal(
        (await storedBy(desk)).some((stored) => stored.startsWith('proven')),
        false,
      );
      await takeWebhook(desk.db, 'provider', message({ isProven: true, to }), '203.0.113.9');
      await desk.turn();
      assert.deepEqual(events(await desk.payins(order)), ['final']);
    }));

  it('about several addresses lock them in the order in which polls do, so that neither waits for the other', (t) =>
    withProvider(async (desk) => {
      const lines: string[] = [];
      configureLog({ sink: (line) => lines.push(line) });
      t.after(() => configureLog({ sink: () => {} }));
      const [first, second] = [await desk.open(), await desk.open()];
      for (const { to } of [second, first])
        await takeWebhook(desk.db, 'provider', message({ isProven: true, to }), '203.0.113.9');
      let applied: Promise<number> | undefined;
      await desk.db.tx(async (tx) => {
        const lock = (to: string) => tx.row('select from receiving_address where to_text = $1 for update', [to]);
        await lock(first.to);
        applied ??= applyWebhooks(desk.db);
        await untilWaiting(desk);
        await lock(second.to);
      });
      assert.equal(await applied, 2);
      assert.deepEqual(
        lines.filter((line) => line.includes('conflicts')),
        [],
      );
    }));
});

/** Waits until a transaction waits for the lock of a row. */
async function untilWaiting({ db }: Desk): Promise<void> {
  const waiting = `select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  while ((await db.rows(waiting)).length === 0) await pause(10);
}

/** Returns the number of stored messages: those without proof by network, and the proven ones. */
async function storedBy(desk: Desk): Promise<string[]> {
  const rows = await desk.db.rows<{ whose: string; count: string }>(
    `select case when proven then 'proven' else network end as whose, count(*) from callback group by 1 order by 1`,
  );
  return rows.map(({ whose, count }) => `${whose} ${count}`);
}
