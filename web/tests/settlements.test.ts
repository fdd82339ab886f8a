// The page of a store's balance with the stub of the API: what can be moved, why the rest waits, the daily move, and the moves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, merchant, storeAs } from '../testing/gate/answers.ts';
import { balanceAs, settlementAnswers } from '../testing/gate/settlements.ts';
import { PREFIXES, type ShowRequest, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

const now = new Date('2026-11-20T14:05:12Z');
const answers = (more: Parameters<typeof settlementAnswers>[1] = {}): Answers => ({
  ...merchant(now),
  ...settlementAnswers(now, more),
});
type Role = Parameters<typeof storeAs>[1];
const idAs = (role: Role): string => storeAs('business', role, now).id;

const show = (role: Role, query = '', { given = answers(), ...request }: ShowRequest & { given?: Answers } = {}) =>
  showBusiness(now, given, `/store/settlements?id=${idAs(role)}${query}`, request);

describe('the balance of a store', () => {
  for (const prefix of PREFIXES)
    test(`shows what can be moved now, and why the rest waits (${prefix})`, async () => {
      const { status, text } = await show('owner', '', { prefix });
      assert.equal(status, 200);
      const words = WORDS[prefix];
      for (const key of ['settlements_movable', 'settlements_not_deep', 'settlements_not_deep_why', 'settlements_over'] as const)
        assert.ok(text.includes(plain(words[key])), key);
      assert.ok(!text.includes(plain(words.settlements_debt)), 'there is no debt');
      assert.ok(text.includes(prefix === 'En' ? '4,432.35' : '4 432,35'), text);
      assert.ok(text.includes(plain(words.settlements_to_store)));
      assert.ok(text.includes(plain(words.settlements_by_day_end)));
    });

  for (const prefix of PREFIXES)
    test(`shows the reserve beside the balance, and the days on which it comes to the balance (${prefix})`, async () => {
      const words = WORDS[prefix];
      const [first = assert.fail()] = balanceAs(now).balances;
      const day = (number: number) => new Date(now.getTime() + number * 86_400_000).toISOString().slice(0, 10);
      const sum = (amount: string) => ({ amount, currency: 'USDT' });
      const later = [3, 5, 8, 9, 10, 170].map((one) => ({ day: day(one), sum: sum('2.00') }));
      const releases = [{ sum: sum('41.20') }, { day: day(2), sum: sum('87.65') }, ...later];
      const balances = [{ ...first, reserve: '141.85' }];
      const { text, body } = await show('owner', '', { prefix, given: answers({ balances, releases }) });
      for (const key of ['settlements_reserve', 'reserve_lead', 'reserve_due', 'reserve_due_why'] as const)
        assert.ok(text.includes(plain(words[key])), key);
      for (const amount of ['141.85', '41.20', '87.65', '2.00'])
        assert.ok(text.includes(prefix === 'En' ? amount : amount.replace('.', ',')), amount);
      assert.ok(text.includes(prefix === 'En' ? 'Nov 22, 2026' : '22 нояб. 2026'));
      assert.ok(text.includes(plain(words.reserve_more).replace('{count}', '2')), 'the later days are folded');
      assert.equal(body.split('<time dateTime="2026').length + body.split('<time dateTime="2027').length - 2, 7 + 3);
    });

  test('says that nothing is in the reserve once such methods are on, and nothing about it before', async () => {
    assert.ok(!(await show('owner')).text.includes(en.reserve_title));
    const usual = answers() as { stores: () => { stores: object[] } };
    const stores = () => ({
      ...usual.stores(),
      stores: usual.stores().stores.map((one) => ({ ...one, takes_reversible: true })),
    });
    const { text } = await show('owner', '', { given: { ...(usual as Answers), stores } });
    assert.ok(text.includes(en.reserve_title) && text.includes(en.reserve_none));
  });

  test('only the owner switches the daily move', async () => {
    const made: [string, unknown][] = [];
    const { body } = await show('owner', '', { form: { intent: 'daily', on: 'yes' }, made });
    assert.deepEqual(made.find(([name]) => name === 'settlementDaily')?.[1], { store: idAs('owner'), on: true });
    assert.ok(body.includes(en.settlements_daily_start));
    assert.ok(!(await show('accountant')).body.includes(en.settlements_daily_start));
  });

  test('says what stops all moves', async () => {
    const given = answers({ stop: 'business_owes' });
    assert.ok((await show('owner', '', { given })).text.includes(plain(en.settlements_stop_owes)));
    const frozen = answers({ stop: 'withdrawals_frozen', frozen_until: '2026-11-23T10:00:00.000Z' });
    assert.ok((await show('owner', '', { given: frozen })).text.includes('Nov 23, 2026'));
  });

  test('asks for the moves that the address says', async () => {
    const made: [string, unknown][] = [];
    const { text } = await show('accountant', '&direction=to_store&from=11%2F01%2F2026', { made });
    assert.deepEqual(made.find(([name]) => name === 'settlements')?.[1], {
      ...{ store: idAs('accountant'), direction: 'to_store', from: '2026-11-01', page: 1, per_page: 20 },
    });
    assert.ok(!text.includes(en.settlements_by_day_end));
    assert.ok(!made.some(([name]) => name === 'wallets'), 'wallets are the owner’s');
  });

  test('says where money stays before the first move, and that nothing was settled', async () => {
    const none = { data: [], meta: { current_page: 1, per_page: 20, last_page: 1, total: 0 } };
    const given: Answers = { ...answers({ days: [] }), settlements: () => none };
    const { text } = await show('owner', '', { given });
    assert.ok(text.includes(en.settlements_none) && text.includes(en.settlements_quiet));
    assert.ok((await show('owner', '&direction=to_store', { given })).text.includes(en.orders_nothing));
  });
});
