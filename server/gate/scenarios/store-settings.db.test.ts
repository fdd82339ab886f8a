// Settings of stores that invoices use: the usual ones, changes, bounds, callers, pictures, and rows that SQL changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORE_SCOPES } from '@kurs/contract';
import { useRails } from '../../payments/index.ts';
import { putSetting, watchSettings } from '../../platform/index.ts';
import { dropMark, readMark, setMark } from '../stores/marks.ts';
import { openStore } from '../stores/store-rows.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { setReversible } from '../businesses/decide.ts';
import { NOT_REVERSIBLE } from '../businesses/reversible.ts';
import { type GateWorld, NEW_STORE, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
before(async () => {
  world = await openGateWorld();
});
after(() => world.close());

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Rails of the desk in these tests, by their names, with their currency. */
const RAILS = { bitcoin: 'BTC', evm: 'USDT_ERC20' };

/** Gives the desk rails that receive and send a currency each. `more`: further parts of a rail. */
function offer(rails: Readonly<Record<string, string>>, more: Readonly<Record<string, object>> = {}): void {
  const each = Object.entries(rails).map(([id, code]) => {
    const currencies = [{ code, unit: code === 'USDT_ERC20' ? 'USDT' : code, fields: [], network: code }];
    return [id, { id, kind: 'chain', currencies, payout: {}, ...more[id] } as never] as const;
  });
  useRails(new Map(each));
}

/** A value for each setting that differs from the usual one. */
const OTHERS = {
  ...{ tolerance: '1.25', life_minutes: 90, costs_bearer: 'store', short_preset: 'accept', colour: '#ffd400', letters: true },
  ...{ return_url: 'https://shop.example.com/thanks', methods: ['BTC'] },
} as const;

const settingsOf = async (store: string, by: Person) => {
  const { data } = await world.call('store', { store }, by);
  const { tolerance, life_minutes, costs_bearer, short_preset, return_url, methods, colour, letters } = data;
  return { tolerance, life_minutes, costs_bearer, short_preset, return_url, methods, colour, letters };
};
const change = (store: string, by: Person, more: object) => world.call('storeChange', { store, ...more }, by);

const USUAL = {
  ...{ tolerance: '0.5', life_minutes: 1_440, costs_bearer: 'buyer', short_preset: 'give_back', letters: false },
  ...{ return_url: undefined, methods: undefined, colour: undefined },
};

test('a store begins with the desk’s settings, changes each, and puts optional ones back', async () => {
  const ann = await world.person();
  for (const kind of ['business', 'personal', 'test'] as const) {
    const store = await world.store(ann, kind);
    assert.deepEqual(await settingsOf(store, ann), USUAL, kind);
    const { return_url, ...plain } = OTHERS;
    // A personal store has no web site to return to.
    const others = kind === 'personal' ? { ...plain, return_url: undefined } : { ...plain, return_url };
    for (const [name, value] of Object.entries(others)) {
      const { code, data } = await change(store, ann, { [name]: value });
      assert.equal(code, 'ok', name);
      assert.deepEqual(data[name as 'colour'], value, name);
    }
    assert.deepEqual(await settingsOf(store, ann), others, kind);
    assert.equal((await change(store, ann, { return_url: null, methods: null, colour: null })).code, 'ok');
    const { return_url: url, methods, colour, tolerance } = await settingsOf(store, ann);
    assert.deepEqual([url, methods, colour, tolerance], [undefined, undefined, undefined, '1.25']);
  }
  assert.deepEqual(await world.accused(), []);
});

test('a new store may be given its settings, and begins with those that the desk has changed', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const made = await world.call('storeMake', { ...NEW_STORE, kind: 'test', ...OTHERS }, ann);
  assert.deepEqual(await settingsOf(made.data.id, ann), OTHERS);
  const refused = await world.call('storeMake', { ...NEW_STORE, kind: 'test', life_minutes: 14 }, ann);
  assert.deepEqual(refused.fields, { life_minutes: fieldWords('life_bounds', { least: '15', most: '10080' }) });
  const watch = await watchSettings(world.db);
  const put = (key: string, value: unknown) => world.db.tx((tx) => putSetting(tx, key, value, 'olga'));
  await put('gate.tolerance', '2');
  await put('gate.life', 10_080);
  await put('gate.life_most', 2_880);
  await watch.refresh();
  const store = await world.store(bob);
  assert.deepEqual(await settingsOf(store, bob), { ...USUAL, tolerance: '2', life_minutes: 2_880 });
  assert.deepEqual((await world.call('stores', {}, bob)).data.life_minutes, { least: 15, most: 2_880 });
  assert.equal((await change(store, bob, { life_minutes: 2_881 })).code, 'validation');
  await put('gate.life_least', 1_440);
  await watch.refresh();
  assert.equal((await change(store, bob, { life_minutes: 1_439 })).code, 'validation');
  await put('gate.life_least', 15);
  await put('gate.life_most', 10_080);
  await put('gate.life', 1_440);
  await put('gate.tolerance', '0.5');
  await watch.refresh();
  await watch.stop();
});

test('a wrong value is refused at its field, and changes nothing', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const bounds = { least: '15', most: '10080' };
  const wrong: readonly (readonly [field: string, value: unknown, words: string])[] = [
    ...['5.01', '-1', '0.555', '1,5', '', 'x', '1e1'].map(
      (value) => ['tolerance', value, fieldWords('tolerance_format')] as const,
    ),
    ...[14, 10_081].map((value) => ['life_minutes', value, fieldWords('life_bounds', bounds)] as const),
    ...[0, -5, 1.5, 1e9].map((value) => ['life_minutes', value, fieldWords('minutes_format')] as const),
    ['costs_bearer', 'desk', fieldWords('wrong_value')],
    ['short_preset', 'keep', fieldWords('wrong_value')],
    ...['red', '#fff', '#12345g', '#1234567', 'url(x)'].map((value) => ['colour', value, fieldWords('colour_format')] as const),
    ...[
      'http://shop.example.com/',
      'shop.example.com',
      'https://ann:secret@shop.example.com/',
      'https://shop.example.com:8443/',
      'javascript:alert(1)',
      'https://',
      '//shop.example.com',
      'https:shop.example.com',
      'https:///shop.example.com',
      'https://shop.example.com/\\@evil.example',
      'https://shop.example.com\\@evil.example',
    ].map((value) => ['return_url', value, fieldWords('url_format')] as const),
    ['return_url', `https://shop.example.com/${'x'.repeat(500)}`, fieldWords('too_long')],
    ['methods', [], fieldWords('methods_none')],
    ['methods', ['BTC', 'XXX'], fieldWords('method_unknown', { code: 'XXX' })],
    ['methods.0', ['btc'], fieldWords('currency_unknown')],
  ];
  for (const [at, value, words] of wrong) {
    const field = at.split('.')[0] ?? '';
    const { code, fields } = await change(store, ann, { [field]: value, name: 'Never' });
    assert.deepEqual([code, fields], ['validation', { [at]: words }], `${at} ${String(value)}`);
  }
  assert.equal((await change(store, ann, { mark: 'x' })).code, 'validation');
  assert.equal((await change(store, ann, { sites: [] })).code, 'validation');
  assert.deepEqual(await settingsOf(store, ann), USUAL);
  assert.equal((await world.call('store', { store }, ann)).data.name, NEW_STORE.name);
  assert.equal((await change(store, ann, { colour: '#ABCDEF', methods: ['BTC', 'USDT_ERC20', 'BTC'] })).code, 'ok');
  const { colour, methods } = await settingsOf(store, ann);
  assert.deepEqual([colour, methods], ['#abcdef', ['BTC', 'USDT_ERC20']]);
});

test('a present method and life stay when the desk no longer offers them', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  assert.equal((await change(store, ann, { methods: ['BTC', 'USDT_ERC20'], life_minutes: 60 })).code, 'ok');
  offer({ bitcoin: 'BTC' });
  try {
    assert.equal((await change(store, ann, { methods: ['USDT_ERC20'], letters: true })).code, 'ok');
    assert.equal((await change(store, ann, { methods: ['BTC'] })).code, 'ok');
    assert.equal((await change(store, ann, { methods: ['USDT_ERC20'] })).code, 'validation');
  } finally {
    offer(RAILS);
  }
});

test('no store is paid in vouchers or by them, nor by a currency that can’t be sent back', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const odd = { vouchers: { payin: { redeem: true } }, nebulox: { payout: undefined } };
  offer({ ...RAILS, vouchers: 'PMV_USD', nebulox: 'DOGE' }, odd);
  try {
    const { data } = await world.call('stores', {}, ann);
    assert.ok(!data.settlement_currencies.includes('PMV_USD') && !data.methods.includes('PMV_USD'));
    assert.ok(data.methods.includes('BTC') && !data.methods.includes('DOGE'));
    const { fields } = await change(store, ann, { settlement_currency: 'PMV_USD' });
    assert.deepEqual(fields, { settlement_currency: fieldWords('currency_unknown') });
    for (const code of ['PMV_USD', 'DOGE'])
      assert.deepEqual((await change(store, ann, { methods: [code] })).fields, {
        methods: fieldWords('method_unknown', { code }),
      });
  } finally {
    offer(RAILS);
  }
});

test('a store takes reversible methods once people switched them on for its business, and a test store plays them', async () => {
  const ann = await world.person();
  const [store, personal, played] = [
    await world.store(ann, 'business'),
    await world.store(ann, 'personal'),
    await world.store(ann, 'test'),
  ];
  const taken = async () => {
    const { stores } = (await world.call('stores', {}, ann)).data;
    return [store, personal, played].map((id) => stores.find((one) => one.id === id)?.takes_reversible);
  };
  offer({ ...RAILS, paypal: 'PAYPAL_USD' });
  try {
    assert.deepEqual((await world.call('stores', {}, ann)).data.reversible_methods, ['PAYPAL_USD']);
    assert.deepEqual(await taken(), [false, false, true]);
    const { businessId = '' } = await openStore(world.db, store);
    await world.db.tx(async (tx) => {
      const business = (await lockBusiness(tx, businessId)) ?? assert.fail();
      await setReversible(tx, business, { ...NOT_REVERSIBLE, isOn: true });
    });
    assert.deepEqual(await taken(), [true, false, true]);
    assert.equal((await world.call('store', { store }, ann)).data.takes_reversible, true);
    await world.db.run('update business set last_share = 5 where id = $1', [businessId]);
    assert.deepEqual(await taken(), [false, false, true], 'not with a row that SQL changed');
    await world.db.run('update business set last_share = null where id = $1', [businessId]);
  } finally {
    offer(RAILS);
  }
});

test('members who manage the store and keys with that permission change settings; others read them', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  for (const [role, code] of [
    ['manager', 'ok'],
    ['developer', 'forbidden'],
    ['accountant', 'forbidden'],
  ] as const) {
    const member = await world.member(store, role);
    assert.equal((await change(store, member, { letters: true })).code, code, role);
    assert.equal((await settingsOf(store, member)).tolerance, '0.5', role);
    assert.equal((await world.call('storeMarkRemove', { store }, member)).code, code, role);
  }
  const keyWith = async (permissions: readonly string[]) =>
    (await world.call('storeKeyMake', { store, name: 'shop', permissions }, ann)).data.key;
  const [all, reading] = [await keyWith(STORE_SCOPES), await keyWith(['invoices.read'])];
  assert.equal((await change(store, { ...ann, bearer: all }, { tolerance: '3' })).code, 'ok');
  assert.equal((await change(store, { ...ann, bearer: reading }, { tolerance: '4' })).code, 'forbidden');
  assert.equal((await settingsOf(store, { ...ann, bearer: reading })).tolerance, '3');
  assert.equal((await world.call('storeMarkRemove', { store }, { ...ann, bearer: all })).code, 'forbidden');
});

test('a picture has an address of its own that changes with it, and is gone with it', async () => {
  const ann = await world.person();
  const store = await world.store(ann);
  const markOf = async () => (await world.call('store', { store }, ann)).data.mark;
  assert.equal(await markOf(), undefined);
  await setMark(world.db, store, PIXEL);
  const first = (await markOf()) ?? '';
  assert.match(first, /^\/api\/v1\/store-mark\/[\w-]{43}$/);
  const keyOf = (url: string): string => url.split('/').at(-1) ?? '';
  assert.equal((await readMark(world.db, keyOf(first)))?.type, 'image/webp');
  await setMark(world.db, store, PIXEL);
  assert.notEqual(await markOf(), first);
  assert.equal(await readMark(world.db, keyOf(first)), undefined);
  await assert.rejects(setMark(world.db, store, Buffer.from('<svg/>')));
  assert.equal((await world.call('storeMarkRemove', { store }, ann)).data.mark, undefined);
  await dropMark(world.db, store);
  assert.equal((await world.db.rows('select from store_mark')).length, 0);
  assert.deepEqual(await world.accused(), []);
});

test('a store with a setting that SQL changed opens nothing, and is accused', async () => {
  const ann = await world.person();
  for (const change of [
    ...['tolerance = 500', 'life_minutes = 10080', `costs_bearer = 'store'`, `short_preset = 'accept'`, 'has_letters = true'],
    ...[`return_url = 'https://evil.example/'`, `methods = '{BTC}'`, `colour = '#ff0000'`, `mark = 'x'`],
  ]) {
    const store = await world.store(ann);
    const holds = async () => (await world.call('store', { store }, ann)).code;
    await world.db.run(`update store set ${change} where id = $1`, [store]);
    assert.equal(await holds(), 'record_altered', change);
    assert.deepEqual(await world.accused(), [store], change);
    await world.tamper(`delete from store where id = '${store}'`, 'delete from resource_grant');
  }
  const store = await world.store(ann);
  await world.call('storeChange', { store, ...OTHERS }, ann);
  assert.equal((await openStore(world.db, store)).lifeMinutes, 90);
  // Settings of an older store, in a row whose MAC covers others.
  await world.db.run(
    `update store set (tolerance, life_minutes, costs_bearer, short_preset, return_url, methods, colour, has_letters)
       = (50, 1440, 'buyer', 'give_back', null, null, null, false) where id = $1`,
    [store],
  );
  assert.deepEqual(await world.accused(), [store]);
  await world.tamper(`delete from store where id = '${store}'`, 'delete from resource_grant');
});
