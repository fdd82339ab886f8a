import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Db, putSetting, watchSettings } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { RAIL_NAMES } from '../rails/index.ts';
import { doubtOf, finalityOf } from './settings.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

const CHAINS = new Set(['bitcoin', 'evm', 'bsc', 'tron']);
/** Minutes for which each provider promises to know a reference again, by its documents; none promises it but these. */
const PROMISED: Readonly<Record<string, number>> = { paypal: 30 * 24 * 60, webmoney: 60 };

it('nothing is sent again for longer than its provider promises to know it, and "not there" is never believed at once', () => {
  for (const rail of [...RAIL_NAMES, 'one that comes later']) {
    const doubt = doubtOf(rail);
    // Signed bytes can happen only once; nothing else may be sent whenever it isn't there.
    assert.equal(doubt === 'always', CHAINS.has(rail), rail);
    if (doubt === 'always') continue;
    assert.ok(doubt.dedupeMinutes <= (PROMISED[rail] ?? 0), rail);
    assert.ok(doubt.settleMinutes >= (rail === 'paypal' ? 10 : 30), rail);
  }
});

it('a table that an operator wrote before there was a rail leaves it its own figures', async () => {
  const [own, tier] = [finalityOf('bsc'), { tiers: [], above: 2, deep: 2, finalisedAfter: 2, follow: 9 }];
  await db.tx(async (tx) => {
    await putSetting(tx, 'payments.finality', { evm: tier, default: tier }, 'test');
    await putSetting(tx, 'payments.doubt', { evm: 'always', default: { settleMinutes: 5, dedupeMinutes: 0 } }, 'test');
  });
  const watch = await watchSettings(db);
  try {
    assert.deepEqual([finalityOf('evm'), finalityOf('bsc'), finalityOf('unheard-of')], [tier, own, tier]);
    assert.deepEqual([doubtOf('bsc'), doubtOf('unheard-of')], ['always', { settleMinutes: 5, dedupeMinutes: 0 }]);
  } finally {
    await watch.stop();
  }
});
