// Links of stores: members make and change them over HTTP, and a buyer who opens one makes an invoice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type GateWorld, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
let owner: Person;
let store: string;
before(async () => {
  world = await openGateWorld();
  owner = await world.person();
  store = await world.store(owner, 'personal');
});
after(() => world.close());

const call: GateWorld['call'] = (name, input, by) => world.call(name, input, by);
const fixed = async (more: Readonly<Record<string, unknown>> = {}) =>
  (await call('storeLinkMake', { store, title: 'Lesson', amount: '12.50', ...more }, owner)).data;
const open = async () => (await call('storeLinkMake', { store, title: 'Gift', least: '1', most: '500' }, owner)).data;

test('a holder makes links of a personal store, and buyers read them without the store’s secrets', async () => {
  const link = await fixed({ max_uses: 3 });
  assert.match(link.url, new RegExp(`/En/pay/link/${link.id}$`));
  assert.deepEqual(
    [link.title, link.amount, link.currency, link.max_uses, link.uses, link.on],
    ['Lesson', '12.50', 'USD', 3, 0, true],
  );
  const gift = await open();
  assert.deepEqual([gift.amount, gift.least, gift.most], [undefined, '1.00', '500.00']);
  assert.deepEqual(
    (await call('storeLinks', { store }, owner)).data.map(({ title }) => title),
    ['Gift', 'Lesson'],
  );
  const { data } = await call('paymentLink', { id: link.id }, undefined as never);
  assert.deepEqual(data, {
    ...{ id: link.id, title: 'Lesson', currency: 'USD', amount: '12.50', store: { name: 'Maps & more' }, test: false },
  });
});

test('wrong fields of a link are refused by name', async () => {
  const cases: [more: Record<string, unknown>, field: string, words: string][] = [
    [{ title: '' }, 'title', fieldWords('required')],
    [{ title: 'x'.repeat(101) }, 'title', fieldWords('too_long')],
    [{}, 'amount', fieldWords('required')],
    [{ amount: '0' }, 'amount', fieldWords('amount_format')],
    [{ amount: '1.001' }, 'amount', fieldWords('amount_decimals', { currency: 'USD', decimals: '2' })],
    [{ amount: '1', least: '1' }, 'amount', fieldWords('link_sum_twice')],
    [{ least: '1' }, 'most', fieldWords('required')],
    [{ least: '2', most: '1' }, 'most', fieldWords('most_below_least')],
    [{ amount: '1', max_uses: 0 }, 'max_uses', fieldWords('uses_format')],
    [{ amount: '1', currency: 'XAU' }, 'currency', fieldWords('currency_without_price')],
  ];
  for (const [more, field, words] of cases) {
    const { code, fields } = await call('storeLinkMake', { store, title: 'Tea', ...more }, owner);
    assert.deepEqual([code, fields], ['validation', { [field]: words }], JSON.stringify(more).slice(0, 80));
  }
});

test('a buyer makes the invoice of a fixed link, with the title and amount of the link', async () => {
  const link = await fixed();
  const made = await call('paymentLinkPay', { id: link.id }, undefined as never);
  assert.equal(made.code, 'ok');
  const invoice = (await call('storeInvoice', { store, id: made.data.id }, owner)).data;
  assert.deepEqual([invoice.amount, invoice.description, invoice.number], ['12.50', 'Lesson', made.data.number]);
});

test('a sum that the buyer states makes a top-up that asks for it, within the bounds of the link', async () => {
  const { id } = await open();
  const pay = (amount?: string) => call('paymentLinkPay', { id, ...(amount !== undefined && { amount }) }, undefined as never);
  const refusals = [
    [undefined, fieldWords('required')],
    ['0.99', fieldWords('amount_below_min', { min: '1.00', currency: 'USD' })],
    ['500.01', fieldWords('amount_above_max', { max: '500.00', currency: 'USD' })],
  ] as const;
  for (const [amount, words] of refusals) assert.deepEqual((await pay(amount)).fields, { amount: words }, amount);
  const made = await pay('20');
  const { data } = await call('paymentInvoice', { id: made.data.id }, undefined as never);
  assert.deepEqual([data.amount, data.due, data.stated], [undefined, undefined, '20.00']);
  assert.ok(data.methods.length > 0);
});

test('a link that is off, removed or unknown makes no invoice, and comes back on', async () => {
  const link = await fixed();
  const pay = async () => (await call('paymentLinkPay', { id: link.id }, undefined as never)).code;
  await call('storeLinkChange', { store, id: link.id, on: false }, owner);
  assert.equal((await call('paymentLink', { id: link.id }, undefined as never)).data.closed, 'off');
  assert.equal(await pay(), 'link_off');
  await call('storeLinkChange', { store, id: link.id, on: true, title: 'Two lessons', amount: '25', max_uses: 2 }, owner);
  const { data } = await call('paymentLink', { id: link.id }, undefined as never);
  assert.deepEqual([data.title, data.amount, data.closed], ['Two lessons', '25.00', undefined]);
  assert.equal(await pay(), 'ok');
  assert.equal((await call('storeLinkRemove', { store, id: link.id }, owner)).code, 'ok');
  assert.equal(await pay(), 'link_unknown');
  assert.equal((await call('storeLinkRemove', { store, id: link.id }, owner)).code, 'link_unknown');
});

test('another store’s member changes no link, and a store has at most a hundred', async () => {
  const stranger = await world.person();
  const other = await world.store(stranger, 'personal');
  const link = await fixed();
  assert.equal((await call('storeLinkChange', { store, id: link.id, on: false }, stranger)).code, 'forbidden');
  assert.equal((await call('storeLinkChange', { store: other, id: link.id, on: false }, stranger)).code, 'link_unknown');
  const { code } = await call('storeLinkMake', { store: other, title: 'Tea', amount: '1' }, stranger);
  assert.equal(code, 'ok');
  await world.db.run(
    `insert into store_link (id, store_id, title, currency, amount, is_on, created_at)
     select gen_random_uuid(), $1, 'x', 'USD', 1, true, clock_now() from generate_series(1, 99)`,
    [other],
  );
  assert.equal((await call('storeLinkMake', { store: other, title: 'Tea', amount: '1' }, stranger)).code, 'links_too_many');
  await world.db.run('delete from store_link where store_id = $1 and mac is null', [other]);
});

test('a link of a holder who closed their account makes no invoice', async () => {
  const gone = await world.person();
  const own = await world.store(gone, 'personal');
  const { data } = await call('storeLinkMake', { store: own, title: 'Tea', amount: '1' }, gone);
  // The closing of an account leaves such a row.
  const closed = 'update account_holder set closed_at = clock_now(), email_verified_at = null where id = $1';
  await world.db.run(closed, [gone.id]);
  await writeHolderMacs(world.db);
  assert.equal((await call('paymentLinkPay', { id: data.id }, undefined as never)).code, 'store_closed');
});

test('a link that SQL changed makes no invoice, and the proof accuses it', async () => {
  const link = await fixed();
  await world.tamper(`update store_link set amount = 1 where id = '${link.id}'`);
  assert.equal((await call('paymentLinkPay', { id: link.id }, undefined as never)).code, 'record_altered');
  assert.ok((await world.accused()).some((account) => account.includes(link.id)));
});
