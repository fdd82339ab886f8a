// A database is brought up to date once no payout of an earlier version is under way; until then nothing of it is changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Db, newId } from '../platform/index.ts';
import { testDbBefore } from '../platform/testing.ts';
import { bringUpToDate } from './up-to-date.ts';

/** All of a database: its columns, rights and settings, and each row. */
async function whole(db: Db): Promise<unknown> {
  const columns = await db.rows(
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
  );
  const rights = await db.rows(
    `select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  );
  const tables = await db.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows = new Map<string, unknown>();
  for (const { name } of tables) rows.set(name, await db.rows(`select * from "${name}" order by 1`));
  return { columns, rights, rows };
}

test('payouts that are under way refuse it, or whose outcome their owner was to book; then all is brought up to date', async (t) => {
  const { owner, ownerUrl, drop } = await testDbBefore('0161');
  t.after(() => drop());
  const refused = async (waits: string): Promise<void> => {
    const before = await whole(owner);
    await assert.rejects(bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' }), ({ name, message }: Error) => {
      assert.equal(name, 'ConfigError');
      assert.match(message, /^Payouts of an earlier version are under way in this database \(1\)/);
      assert.match(message, /"Payouts under way" in\ndocs\/operations\.md/);
      assert.match(message, /прежней версии/);
      assert.ok(message.endsWith(`  ${id}  ${waits}  BTC  order ${id}`), message);
      return true;
    });
    assert.deepEqual(await whole(owner), before, 'tables, rights and rows are as they were');
  };
  const [id, event] = [newId(), newId()];
  await owner.run(
    `insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, created_at, status_at)
     values ($1::uuid, 'order', $1::text, 'payout', 'bitcoin', 'BTC', 'BTC', 1, '{}', '', 'queued', now(), now())`,
    [id],
  );
  for (const status of ['queued', 'preparing', 'sending', 'in_doubt']) {
    await owner.run('update payout set status = $1', [status]);
    await refused(status);
  }
  await owner.run(`update payout set status = 'failed'`);
  const body = JSON.stringify({ intentId: id, event: 'refused' });
  await owner.run(`insert into fact (id, kind, subject, body, at) values ($1, 'payments.payout', 'order:x', $2, now())`, [
    event,
    body,
  ]);
  await owner.run(`insert into fact_delivery (subscriber, fact_id, due_at) values ('exchange', $1, now())`, [event]);
  await refused('untold');
  assert.equal(await owner.row(`select from migration where name >= '0161'`), undefined);
  await owner.run('delete from fact_delivery');
  const applied = await bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' });
  assert.match(applied[0] ?? '', /^0161_/);
  assert.deepEqual(await bringUpToDate(ownerUrl, { KURS_MODE: 'sandbox' }), []);
});
