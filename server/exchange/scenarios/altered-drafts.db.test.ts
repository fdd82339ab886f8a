// A calculation that somebody changes by SQL becomes no order, so nobody's money goes elsewhere.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configureLog } from '../../platform/index.ts';
import { alteredCalculations } from '../calculation/calculation-store.ts';
import { type CalculationDeps, showCalculation, step3 } from '../calculation/calculate.ts';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
const alarms: string[] = [];
before(async () => {
  world = await openWorld();
  configureLog({ onAlarm: (words) => void alarms.push(words) });
});
after(async () => {
  configureLog({ onAlarm: () => {} });
  await world.close();
});

/** Changes of a calculation after its review was shown, as SQL by a description. `$1`: another calculation. */
const CHANGES: Readonly<Record<string, string>> = {
  'the receiving account': `receive = jsonb_set(receive, '{fields,address}', '"thief"')`,
  'the refund account': `refund = jsonb_set(refund, '{fields,address}', '"thief"')`,
  'its price': `held = jsonb_set(held, '{terms,feePercent}', '"0"', true)`,
  'its amount': `amount = '9'`,
  'the end of its price': `held = jsonb_set(held, '{expiresAt}', '9999999999999')`,
  'its expiry': `expires_at = expires_at + interval '1 day'`,
  'its contact': `email = 'thief@example.org'`,
  'its discount': 'loyalty = 10',
  'the confirmed mailbox': `mailbox = 'thief@example.org'`,
  'its coupon': `coupon = 'THIEF'`,
  'its affiliate': `reference = '{"affiliate": "0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a22", "campaign": "", "sub": "", "at": "2026-11-01T00:00:00Z"}'`,
  'whose wallet pays': `wallet = 'give', holder_id = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a22'`,
  'the passed bot check': 'is_bot_checked = not is_bot_checked',
  'its device': `device = 'other'`,
  'no MAC': 'mac = null',
  'the MAC of another draft': 'mac = (select mac from calculation where id = $1)',
  'the review of another draft': 'held = (select held from calculation where id = $1)',
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`places no order from a calculation changed by SQL:  ${what}`, async () => {
    const [draft, other] = [await world.calculate(), await world.calculate({ amount: '0.009' })];
    const sql = `update calculation set ${change} where id = $2 and $1::uuid is not null`;
    assert.equal(await world.db.run(sql, [other.id, draft.id]), 1);
    alarms.length = 0;
    const unknown = { code: 'calculation_not_found' };
    await assert.rejects(placeOrder(world.deps, draft), unknown);
    const deps = { db: world.db, tokens: world.deps.sender.tokens } as CalculationDeps;
    await assert.rejects(showCalculation(deps, draft), unknown);
    await assert.rejects(step3(deps, { ...draft, bot_token: 'sandbox' }, { locale: 'en' }), unknown);
    assert.deepEqual(alarms, ['a calculation’s row was changed outside the product: it can’t be placed']);
    assert.deepEqual(await alteredCalculations(world.db), [draft.id]);
    await world.db.run('delete from calculation where id = $1', [draft.id]);
  });
}

test('an unchanged calculation is placed, without a fault', async () => {
  const draft = await world.calculate();
  assert.deepEqual(await alteredCalculations(world.db), []);
  await placeOrder(world.deps, draft);
  assert.deepEqual(await alteredCalculations(world.db), []);
});
