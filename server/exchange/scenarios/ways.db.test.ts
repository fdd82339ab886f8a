// docs/ways.md draws the way of a typed amount to the ledger. This test takes that way and compares.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { format, money, readTyped } from '@kurs/money';
import { KINDS } from '../../ledger/index.ts';
import { openWorld } from './world.testing.ts';

const PAGE = new URL('../../../docs/ways.md', import.meta.url);

test('docs/ways.md draws a typed amount’s actual way to the ledger', async () => {
  const world = await openWorld();
  try {
    const typed = '0,005';
    const amount = readTyped(typed, 'ru', 8) ?? assert.fail('the amount is read');
    const placed = await world.place({ amount });
    world.pay(placed);
    await world.mine(1);
    await world.mine(70);
    await world.mine(70);
    const { view } = await world.order(placed);
    assert.equal(view.state, 'completed');
    const { give, get } = view;
    assert.ok(get);
    const picture = [
      line('typed, in Russian', typed),
      line('on the wire', `"${amount}"`),
      line('in minor units', `${give.parts}n of ${give.unit}`),
      line('priced', `${shown(give)} → ${shown(get)}`),
      ...(await postings(world.db, view.id)),
    ].join('\n');
    assert.equal(/```text\n([\s\S]*?)\n```/.exec(readFileSync(PAGE, 'utf8'))?.[1], picture);
  } finally {
    await world.close();
  }
});

const shown = ({ unit, parts }: { unit: string; parts: bigint }): string => `${format(money(unit as 'BTC', parts))} ${unit}`;
const nameOf = (code: number): string => Object.entries(KINDS).find(([, one]) => one === code)?.[0] ?? assert.fail(String(code));
const line = (title: string, words: string): string => `${title.padEnd(20)} ${words}`;

/** Returns each leg that was posted for the order, oldest first. */
async function postings(db: Awaited<ReturnType<typeof openWorld>>['db'], id: string): Promise<string[]> {
  const rows = await db.rows<{ kind: number; source: string; target: string; parts: string; unit: string }>(
    `select kind, source.name as source, target.name as target, parts::text as parts, source.unit as unit
     from posting join account source on source.id = from_id join account target on target.id = to_id
     where cause = $1 order by posting.at, journal, leg`,
    [id],
  );
  return rows.map(({ kind, source, target, parts, unit }) =>
    line(
      nameOf(kind),
      `${source} → ${target}  ${parts} ${unit}`.replaceAll(id, '<order>').replace(/payout:[\w-]{36}/, 'payout:<intent>'),
    ),
  );
}
