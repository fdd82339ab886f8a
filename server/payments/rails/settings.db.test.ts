import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Db, putSetting, watchSettings } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { finalityOf } from './settings.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

it('a rail that an operator’s older table lacks has its initial figures', async () => {
  const [own, tier] = [finalityOf('bsc'), { tiers: [], above: 2, deep: 2, finalisedAfter: 2, follow: 9 }];
  await db.tx(async (tx) => {
    await putSetting(tx, 'payments.finality', { evm: tier, default: tier }, 'test');
  });
  const watch = await watchSettings(db);
  try {
    assert.deepEqual([finalityOf('evm'), finalityOf('bsc'), finalityOf('unheard-of')], [tier, own, tier]);
  } finally {
    await watch.stop();
  }
});
