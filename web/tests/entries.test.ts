// Pages of a store's report and preview with the stub of the API.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, merchant, storeAs } from '../testing/gate/answers.ts';
import { PREFIXES, type ShowRequest, type Shown, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';
import { entryAnswers } from '../testing/gate/store-entries.ts';
import { invoiceAnswers, sampleId } from '../testing/gate/store-invoices.ts';

const now = new Date('2026-11-20T14:05:12Z');
const answers: Answers = { ...merchant(now), ...invoiceAnswers(now), ...entryAnswers(now) };
type Role = Parameters<typeof storeAs>[1];
const idAs = (role: Role): string => storeAs('business', role, now).id;
const store = idAs('owner');
const show = (path: string, request: ShowRequest & { answers?: Answers } = {}): Promise<Shown> =>
  showBusiness(now, request.answers ?? answers, `/store/${path}`, request);

describe('the report of a store', () => {
  for (const prefix of PREFIXES)
    test(`shows opening, sums and closing of each unit, and the entries (${prefix})`, async () => {
      const { status, text, body } = await show(`entries?store=${store}`, { prefix });
      const words = WORDS[prefix];
      assert.equal(status, 200);
      for (const word of ['entries_opening', 'entries_closing', 'entries_reserve', 'entries_sale', 'entries_settlement'] as const)
        assert.ok(text.includes(plain(words[word])), word);
      assert.ok(text.includes(prefix === 'En' ? 'November 2026' : 'Ноябрь 2026'));
      assert.ok(text.includes(prefix === 'En' ? '−41.92' : '−41,92'));
      assert.ok(text.includes(prefix === 'En' ? 'Nov 13, 13:03' : '13 нояб., 13:03'), 'times are those of the store');
      assert.ok(body.includes(`invoice?store=${store}&amp;id=${sampleId('settled')}`));
      assert.ok(!body.includes('Order <1184>') && body.includes('Order &lt;1184&gt;'), 'the shop’s text is no markup');
    });

  test('asks for the month, the unit and the group in the address, and keeps them in the links', async () => {
    const made: [string, unknown][] = [];
    const { body } = await show(`entries?store=${store}&month=2026-11&currency=USDT&group=reversals`, { made });
    assert.deepEqual(made.find(([name]) => name === 'storeEntries')?.[1], {
      ...{ store, per_page: 50, month: '2026-11', currency: 'USDT' },
      kind: ['reversal', 'reversal_undone', 'debt_repaid'],
    });
    assert.deepEqual(made.find(([name]) => name === 'storeReport')?.[1], { store, month: '2026-11' });
    assert.ok(body.includes(`?store=${store}&amp;month=2026-10&amp;currency=USDT&amp;group=reversals`));
    assert.ok(!body.includes('month=2026-12'), 'no later month than the current one');
  });

  test('ignores what is no filter', async () => {
    const made: [string, unknown][] = [];
    const { status } = await show(`entries?store=${store}&month=2026-13&currency=x&group=all`, { made });
    assert.equal(status, 200);
    assert.deepEqual(made.find(([name]) => name === 'storeEntries')?.[1], { store, per_page: 50 });
  });

  test('says that a month, a store without sales and a test store have no entries', async () => {
    assert.ok((await show(`entries?store=${store}&month=2026-10`)).text.includes(plain(en.entries_none)));
    const trial = storeAs('test', 'owner', now).id;
    const empty = { ...answers, storeReport: () => ({ ...reportOf(), units: [] }) };
    assert.ok((await show(`entries?store=${trial}`, { answers: empty })).text.includes(plain(en.entries_none_test)));
    const none = await show(`entries?store=${store}&group=refunds`);
    assert.ok(none.text.includes(plain(en.entries_nothing)));
  });

  test('is a part of a store for each role', async () => {
    for (const role of ['owner', 'manager', 'developer', 'accountant'] as const) {
      const { body } = await show(`entries?store=${idAs(role)}`);
      assert.ok(body.includes(`href="/En/dashboard/business/store/entries?store=${idAs(role)}"`), role);
    }
  });

  test('goes on to older entries, and searches a rare group by several calls', async () => {
    const asked: { after?: string }[] = [];
    const storeEntries = (input: { after?: string }) => {
      asked.push(input);
      return { month: '2026-11', timezone: 'UTC', entries: [], next: `USDT.${9 - asked.length}.0` };
    };
    const { text, body } = await show(`entries?store=${store}&group=refunds`, { answers: { ...answers, storeEntries } });
    assert.deepEqual(
      asked.map(({ after }) => after),
      [undefined, 'USDT.8.0', 'USDT.7.0', 'USDT.6.0', 'USDT.5.0'],
    );
    assert.ok(text.includes(plain(en.entries_nothing_yet)));
    assert.ok(body.includes('after=USDT.4.0'));
  });
});

const reportOf = () => (entryAnswers(now).storeReport as (input: object) => object)({});

describe('the preview of a store', () => {
  for (const prefix of PREFIXES)
    test(`shows what a buyer sends by each method, and what the store receives (${prefix})`, async () => {
      const made: [string, unknown][] = [];
      const amount = prefix === 'En' ? '100.00' : '100,00';
      const { text, body } = await show(`preview?store=${store}&amount=${amount}&currency=USDT`, { prefix, made });
      assert.deepEqual(made.find(([name]) => name === 'storePreview')?.[1], { store, amount: '100.00', currency: 'USDT' });
      assert.ok(text.includes(prefix === 'En' ? '100.15' : '100,15'));
      assert.ok(text.includes(plain(WORDS[prefix].checkout_closed_off)));
      const count = plain(WORDS[prefix].checkout_unavailable.split('{')[0] ?? '').trim();
      assert.ok(text.includes(count), 'closed methods are folded up');
      assert.match(body, /PayPal<\/b><small>USD/, 'methods of one name are told apart by their currency');
    });

  test('says at its field what can’t be read, and asks for nothing', async () => {
    const made: [string, unknown][] = [];
    const { body } = await show(`preview?store=${store}&amount=ten`, { made });
    assert.match(body, /aria-invalid="true"/);
    assert.ok(made.every(([name]) => name !== 'storePreview'));
    const refused = await show(`preview?store=${store}&amount=10&currency=XYZ`);
    assert.ok(refused.text.includes('This currency has no price now'));
  });
});
