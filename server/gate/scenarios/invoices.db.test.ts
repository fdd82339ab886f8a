// Members and API keys make, list, read and cancel invoices. Each call goes over HTTP.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { watchSettings } from '../../platform/index.ts';
import { gateChangeTokens } from '../change-tokens.ts';
import { settings } from '../settings.ts';
import { type GateWorld, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
let owner: Person;
let store: string;
before(async () => {
  world = await openGateWorld();
  owner = await world.person();
  store = await world.store(owner, 'business');
});
after(() => world.close());

const make = (more: Readonly<Record<string, unknown>> = {}, by: { readonly bearer: string } | undefined = owner) =>
  world.call('invoiceMake', { store, amount: '100.00', ...more }, by);

test('a member makes an invoice with the store’s terms, and reads it as it was made', async () => {
  const stated = {
    lines: [
      { name: 'Map', quantity: '2', unit_price: '40.00' },
      { name: 'Shipping', quantity: '1', unit_price: '20.00' },
    ],
    ...{ tax: '16.00', order_id: 'A-7', description: 'Two maps', email: 'buyer@example.org' },
    metadata: { a: '000000161', b: '1e5', c: 161, d: null, e: { f: ['Ж'] } },
  };
  const made = await make(stated);
  assert.equal(made.code, 'ok', JSON.stringify(made.fields));
  const { data } = made;
  assert.deepEqual(
    [data.state, data.amount, data.due, data.credited, data.pending],
    ['open', '100.00', '100.00', '0.00', '0.00'],
  );
  assert.match(data.number, /^KI-/);
  assert.match(data.url, new RegExp(`/En/pay/${data.id}$`));
  assert.deepEqual([data.tolerance, data.costs_bearer, data.currency, data.settlement_currency], ['0.5', 'buyer', 'USD', 'BTC']);
  assert.equal(Date.parse(data.expires_at) - Date.parse(data.created_at), 86_400_000);
  const read = await world.call('storeInvoice', { store, id: data.id }, owner);
  assert.deepEqual(read.data, data);
  for (const [key, value] of Object.entries(stated)) assert.deepEqual(data[key as keyof typeof data], value, key);
  assert.deepEqual(
    data.events.map(({ version, event }) => [version, event]),
    [[1, 'created']],
  );
});

test('wrong fields are refused by name, and nothing is made', async () => {
  const line = (unit_price: string, quantity = '1') => ({ name: 'Map', quantity, unit_price });
  const cases: [more: Record<string, unknown>, field: string, words: string][] = [
    [{ amount: '1e-7' }, 'amount', fieldWords('amount_format')],
    [{ amount: '-5' }, 'amount', fieldWords('amount_format')],
    [{ amount: 5 }, 'amount', fieldWords('amount_is_text')],
    [{ amount: '0' }, 'amount', fieldWords('amount_format')],
    [{ amount: '100.001' }, 'amount', fieldWords('amount_decimals', { currency: 'USD', decimals: '2' })],
    [{ currency: 'XAU' }, 'currency', fieldWords('currency_without_price')],
    [{ lines: [line('99.99')] }, 'lines', fieldWords('lines_do_not_sum', { sum: '99.99', amount: '100.00' })],
    [{ lines: [line('33.33', '3')] }, 'lines', fieldWords('lines_do_not_sum', { sum: '99.99', amount: '100.00' })],
    [{ amount: undefined, lines: [line('1')] }, 'lines', fieldWords('lines_do_not_sum', { sum: '1.00', amount: '–' })],
    [{ tax: '100.01' }, 'tax', fieldWords('tax_too_large')],
    [{ methods: ['NOPE'] }, 'methods', fieldWords('currency_unknown')],
    [{ tolerance: '5.01' }, 'tolerance', fieldWords('tolerance_format')],
    [{ life_minutes: 14 }, 'life_minutes', fieldWords('life_bounds', { least: '15', most: '10080' })],
    [{ life_minutes: 1.5 }, 'life_minutes', fieldWords('minutes_format')],
    [{ metadata: { a: 'x'.repeat(8 * 1_024 - 7) } }, 'metadata', fieldWords('metadata_too_large', { max: '8' })],
    [{ return_url: 'http://shop.example.org' }, 'return_url', fieldWords('url_format')],
    [{ return_url: 'https://other.example.org/back' }, 'return_url', fieldWords('url_not_on_sites')],
    [{ return_url: 'https://a:b@shop.example.org' }, 'return_url', fieldWords('url_format')],
  ];
  const before = await world.call('invoices', { store }, owner);
  for (const [more, field, words] of cases) {
    const { code, fields } = await make(more);
    assert.deepEqual([code, fields], ['validation', { [field]: words }], JSON.stringify(more).slice(0, 80));
  }
  assert.equal((await world.call('invoices', { store }, owner)).data.length, before.data.length);
});

test('only who may change the store’s settings makes an invoice of which more may be missing', async () => {
  const keyWith = async (...permissions: string[]) => {
    const { data } = await world.call('storeKeyMake', { store, name: 'shop', permissions }, owner);
    return { bearer: data.key };
  };
  const may = [owner, await world.member(store, 'manager'), await keyWith('invoices.create', 'store.manage')];
  const mayNot = [await world.member(store, 'developer'), await keyWith('invoices.create')];
  const more = { tolerance: '0.51' };
  for (const by of may) assert.equal((await make(more, by)).data.tolerance, '0.51');
  for (const by of mayNot) {
    const { code, fields } = await make(more, by);
    assert.deepEqual([code, fields], ['validation', { tolerance: fieldWords('tolerance_of_store', { max: '0.5' }) }]);
    for (const tolerance of ['0.5', '0', undefined]) assert.equal((await make({ tolerance }, by)).code, 'ok', tolerance);
  }
});

test('an invoice lives as long as the desk lets stores choose, and a store’s own time stays', async (t) => {
  const watch = await watchSettings(world.db);
  t.after(() => watch.stop());
  const bounds = async (least: number, most: number): Promise<void> => {
    await world.db.tx((tx) => settings.put(tx, 'gate.life_least', least, 'test'));
    await world.db.tx((tx) => settings.put(tx, 'gate.life_most', most, 'test'));
    await watch.refresh();
  };
  await bounds(60, 600);
  for (const minutes of [59, 601]) {
    const { code, fields } = await make({ life_minutes: minutes });
    assert.deepEqual([code, fields], ['validation', { life_minutes: fieldWords('life_bounds', { least: '60', most: '600' }) }]);
  }
  assert.equal((await make({ life_minutes: 60 })).code, 'ok');
  assert.equal((await make()).code, 'ok');
  await bounds(15, 10_080);
});

test('an invoice has the store’s return address, another, or none', async () => {
  await world.call('storeChange', { store, return_url: 'https://shop.example.com/thanks' }, owner);
  const urls = [];
  for (const more of [{}, { return_url: 'https://shop.example.com/other' }, { return_url: null }])
    urls.push((await make(more)).data.return_url);
  assert.deepEqual(urls, ['https://shop.example.com/thanks', 'https://shop.example.com/other', undefined]);
  await world.call('storeChange', { store, return_url: null }, owner);
});

test('data of the shop fits up to the last byte, and keys that programs treat specially do no harm', async () => {
  const full = await make({ metadata: { a: 'x'.repeat(8 * 1_024 - 8) } });
  assert.equal(full.code, 'ok');
  const odd = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
  assert.deepEqual(Object.keys((await make({ metadata: odd })).fields), ['body'], 'a key that changes objects is no JSON here');
  const { data } = await make({ metadata: { toString: 'a', hasOwnProperty: 'b' } });
  assert.deepEqual(data.metadata, { toString: 'a', hasOwnProperty: 'b' });
});

test('calls at once for one order make one invoice with one Idempotency-Key, and one each without', async () => {
  const once = { ...owner, idempotencyKey: 'order-A-161-of-the-shop' };
  const idsBy = async (by: typeof once | Person): Promise<Set<string | undefined>> => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => make({ order_id: 'A-161' }, by)));
    assert.ok(
      answers.every(({ code }) => code === 'ok' || code === 'idempotency_in_flight'),
      answers.map(({ code }) => code).join(),
    );
    return new Set(answers.flatMap(({ code, data }) => (code === 'ok' ? [data.id] : [])));
  };
  assert.equal((await idsBy(once)).size, 1);
  assert.equal((await idsBy(owner)).size, 4);
  assert.equal((await world.call('invoices', { store, q: 'A-161' }, owner)).data.length, 5);
  assert.equal((await make({ order_id: 'A-162' }, once)).code, 'idempotency_mismatch');
});

test('an invoice that no method can pay is refused, and a top-up has no amount', async () => {
  assert.equal((await make({ amount: '0.01' })).code, 'invoice_too_small');
  const { data } = await make({ amount: undefined });
  assert.deepEqual([data.amount, data.due], [undefined, undefined]);
});

test('lists are filtered by state, day and exact text, and paged by cursor', async () => {
  const mine = await world.store(owner, 'business');
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const { data } = await world.call(
      'invoiceMake',
      { store: mine, amount: '50', order_id: `A-${at}`, email: 'b@example.org' },
      owner,
    );
    ids.unshift(data.id);
  }
  const shown = async (more: Readonly<Record<string, unknown>> = {}): Promise<string[]> => {
    const { code, data, fields } = await world.call('invoices', { store: mine, ...more }, owner);
    assert.equal(code, 'ok', JSON.stringify([more, fields]));
    return data.map(({ id }) => id);
  };
  assert.deepEqual(await shown(), ids);
  assert.deepEqual(await shown({ q: 'A-4' }), ids.slice(0, 1));
  assert.deepEqual(await shown({ q: 'B@Example.org' }), ids);
  assert.deepEqual(await shown({ q: 'A-' }), []);
  await world.call('invoiceCancel', { store: mine, id: ids[0] }, owner);
  assert.deepEqual(await shown({ 'state[]': 'cancelled' }), ids.slice(0, 1));
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(await shown({ from: today, to: today }), ids);
  assert.deepEqual(await shown({ from: '2020-01-01', to: '2020-01-02' }), []);
  assert.deepEqual(await shown({ per_page: '2', page: '2' }), ids.slice(2, 4));
});

test('an open invoice is cancelled once, and never by another store', async () => {
  const { data } = await make();
  const other = await world.person();
  const theirs = await world.store(other, 'business');
  assert.equal((await world.call('invoiceCancel', { store: theirs, id: data.id }, other)).code, 'invoice_unknown');
  assert.equal((await world.call('storeInvoice', { store: theirs, id: data.id }, other)).code, 'invoice_unknown');
  assert.equal((await world.call('storeInvoice', { store, id: data.id }, other)).code, 'forbidden');
  const cancelled = await world.call('invoiceCancel', { store, id: data.id }, owner);
  assert.deepEqual([cancelled.code, cancelled.data.state, cancelled.data.version], ['ok', 'cancelled', 2]);
  assert.equal((await world.call('invoiceCancel', { store, id: data.id }, owner)).code, 'invoice_not_open');
});

test('roles decide: an accountant reads, a developer makes', async () => {
  const [accountant, developer] = [await world.member(store, 'accountant'), await world.member(store, 'developer')];
  assert.equal((await make({}, accountant)).code, 'forbidden');
  const made = await make({}, developer);
  assert.equal(made.code, 'ok');
  assert.equal((await world.call('storeInvoice', { store, id: made.data.id }, accountant)).code, 'ok');
  assert.equal((await world.call('invoiceCancel', { store, id: made.data.id }, accountant)).code, 'forbidden');
});

test('a buyer sees what is to be paid, and nothing that is the shop’s alone', async () => {
  const { data } = await make({ email: 'buyer@example.org', metadata: { secret: 'margin' }, order_id: 'A-9' });
  const { code, data: seen } = await world.call('paymentInvoice', { id: data.id }, undefined);
  assert.equal(code, 'ok');
  const text = JSON.stringify(seen);
  for (const hidden of ['buyer@example.org', 'margin', owner.email, store]) assert.ok(!text.includes(hidden), hidden);
  assert.deepEqual([seen.due, seen.order_id, seen.has_email, seen.store.name], ['100.00', 'A-9', true, 'Maps & more']);
  const open = seen.methods.filter(({ closed }) => closed === undefined);
  assert.ok(open.length > 0 && open.every(({ amount, cost }) => amount !== undefined && cost !== undefined));
  const costs = open.map(({ cost }) => Number.parseFloat(cost ?? ''));
  assert.deepEqual(
    costs,
    costs.toSorted((a, b) => a - b),
  );
});

test('an unknown invoice is unknown to everybody', async () => {
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  assert.equal((await world.call('paymentInvoice', { id }, undefined)).code, 'invoice_unknown');
  assert.equal((await world.call('storeInvoice', { store, id }, owner)).code, 'invoice_unknown');
  assert.equal((await world.call('paymentInvoice', { id: 'x' }, undefined)).code, 'validation');
});

test('an invoice that SQL changed takes nothing, and the night accuses it', async () => {
  const { data } = await make();
  await world.tamper(`update invoice set terms = jsonb_set(terms, '{amount}', '"1n"') where id = '${data.id}'`);
  assert.equal((await world.call('paymentInvoice', { id: data.id }, undefined)).code, 'record_altered');
  assert.equal((await world.call('invoiceCancel', { store, id: data.id }, owner)).code, 'record_altered');
  assert.ok((await world.accused()).includes(data.id));
});

test('a suspended business makes no invoice', async () => {
  const suspended = await world.person();
  const own = await world.store(suspended, 'business');
  await world.tamper(`update business set state = 'suspended' where holder_id = '${suspended.id}'`);
  assert.equal((await world.call('invoiceMake', { store: own, amount: '10' }, suspended)).code, 'store_closed');
});

test('an invoice changes the token of each member of its store, so that their open lists load again, and of nobody else', async () => {
  const member = await world.member(store, 'accountant');
  const stranger = await world.person();
  const holders = [owner, member, stranger].map(({ id }) => ({ id, mailbox: undefined }));
  const tokens = async (): Promise<(string | undefined)[]> => {
    const found = await gateChangeTokens(world.db, holders);
    return holders.map(({ id }) => found.get(id));
  };
  const before = await tokens();
  assert.deepEqual(await tokens(), before);
  const { data } = await make();
  const made = await tokens();
  await world.call('invoiceCancel', { store, id: data.id }, owner);
  const cancelled = await tokens();
  assert.deepEqual(
    before.map((token, at) => new Set([token, made[at], cancelled[at]]).size),
    [3, 3, 1],
  );
});
