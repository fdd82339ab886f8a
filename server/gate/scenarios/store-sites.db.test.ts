// Web sites of stores: those of the application, added and removed ones, return addresses, decisions of the desk, and rows that SQL
// changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { acceptSite, strikeSite } from '../stores/change-sites.ts';
import { isOnSites, requireOnSites } from '../stores/require-on-sites.ts';
import { sitesOf } from '../stores/site-rows.ts';
import { isUndecided } from '../stores/site.ts';
import { openStore } from '../stores/store-rows.ts';
import { type GateWorld, NEW_STORE, type Person, fieldWords, openGateWorld } from './gate-world.testing.ts';

let world: GateWorld;
before(async () => {
  world = await openGateWorld();
});
after(() => world.close());

/** Web site of each application in tests. */
const FIRST = 'https://shop.example.com';
const add = (store: string, by: Person, site: string) => world.call('storeSiteAdd', { store, site }, by);
const remove = (store: string, by: Person, site: string) => world.call('storeSiteRemove', { store, site }, by);
const sites = async (store: string, by: Person): Promise<string[]> =>
  (await world.call('store', { store }, by)).data.sites.map(({ site, struck }) => `${site}${struck ? ' struck' : ''}`);
const returnTo = async (store: string, by: Person, url: string | null) => {
  const { code, fields } = await world.call('storeChange', { store, return_url: url }, by);
  return code === 'ok' ? 'ok' : fields['return_url'];
};

/** Decides about a site in the desk's name. */
async function decide(store: string, action: 'strike' | 'accept', origin: string): Promise<void> {
  await world.db.tx(async (tx) => {
    const { businessId = '' } = await openStore(tx, store);
    const business = (await lockBusiness(tx, businessId)) ?? assert.fail('the business is missing');
    if (action === 'accept') await acceptSite(tx, business, { origin, by: ['kim', 'lee'] });
    else await strikeSite(tx, SENDER, business, { origin, by: ['kim'] });
  });
}

test('a store of a business begins with the sites of the application; other stores have none', async () => {
  const ann = await world.person();
  const store = await world.store(ann, 'business');
  assert.deepEqual(await sites(store, ann), [FIRST]);
  const [site = assert.fail()] = await sitesOf(world.db, { id: store });
  assert.equal(isUndecided(site), false);
  for (const kind of ['personal', 'test'] as const) {
    const other = await world.store(ann, kind);
    assert.deepEqual(await sites(other, ann), []);
    for (const call of [add, remove]) assert.equal((await call(other, ann, 'a.example')).code, 'store_without_sites', kind);
    const returned = await returnTo(other, ann, 'https://anywhere.example/x');
    assert.equal(returned, kind === 'test' ? 'ok' : fieldWords('url_of_personal'), kind);
    assert.equal(await returnTo(other, ann, 'https://ann:x@anywhere.example/'), fieldWords('url_format'), kind);
  }
});

test('members add and remove sites, and buyers return to them and their subdomains alone', async () => {
  const ann = await world.person();
  const store = await world.store(ann, 'business');
  const elsewhere = fieldWords('url_not_on_sites');
  assert.equal(await returnTo(store, ann, 'https://tea.example.org/thanks'), elsewhere);
  assert.equal((await add(store, ann, ' Tea.example.org ')).code, 'ok');
  assert.deepEqual(await sites(store, ann), [FIRST, 'https://tea.example.org']);
  const [, added = assert.fail()] = await sitesOf(world.db, { id: store });
  assert.deepEqual([added.addedBy, isUndecided(added)], [ann.id, true]);
  for (const url of ['https://tea.example.org/thanks', 'https://pay.tea.example.org/', `${FIRST}/x?y=1`])
    assert.equal(await returnTo(store, ann, url), 'ok', url);
  for (const url of ['https://example.org/', 'https://eviltea.example.org/', 'https://tea.example.org.evil.example/'])
    assert.equal(await returnTo(store, ann, url), elsewhere, url);
  assert.deepEqual((await add(store, ann, 'https://tea.example.org/')).fields, { site: fieldWords('site_added') });
  for (const wrong of [
    `${'ж.'.repeat(60)}example`,
    'http://tea.example.org',
    'https://*.tea.example.org',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://[::1]',
    'https://tea.example.org:8443',
    'https://a@tea.example.org',
    'tea',
    'a.example/x',
    '',
  ])
    assert.deepEqual((await add(store, ann, wrong)).fields, { site: fieldWords('site_format') }, wrong);
  assert.equal(await returnTo(store, ann, 'https://tea.example.org/'), 'ok');
  assert.deepEqual((await remove(store, ann, 'tea.example.org')).fields, { site: fieldWords('site_in_use') });
  assert.equal(await returnTo(store, ann, null), 'ok');
  assert.equal((await remove(store, ann, 'tea.example.org')).code, 'ok');
  assert.equal((await remove(store, ann, 'tea.example.org')).code, 'not_found');
  assert.deepEqual(await sites(store, ann), [FIRST]);
  assert.deepEqual(await world.accused(), []);
});

test('a return address of another store’s site is refused, and no store has more than twenty sites', async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const [own, others] = [await world.store(ann, 'business'), await world.store(bob, 'business')];
  assert.equal((await add(others, bob, 'bob.example')).code, 'ok');
  assert.equal(await returnTo(own, ann, 'https://bob.example/'), fieldWords('url_not_on_sites'));
  assert.equal((await add(others, ann, 'ann.example')).code, 'forbidden');
  assert.equal((await remove(others, ann, 'bob.example')).code, 'forbidden');
  const names = Array.from({ length: 21 }, (_, at) => `s${at}.ann.example`);
  const codes = await Promise.all(names.map(async (name) => (await add(own, ann, name)).code));
  assert.equal(codes.filter((code) => code === 'ok').length, 19);
  assert.deepEqual((await add(own, ann, 'one-more.example')).fields, { site: fieldWords('sites_too_many', { max: '20' }) });
});

test('only members who manage the store change its sites, and no key does', async () => {
  const ann = await world.person();
  const store = await world.store(ann, 'business');
  for (const [role, code] of [
    ['manager', 'ok'],
    ['developer', 'forbidden'],
    ['accountant', 'forbidden'],
  ] as const) {
    const member = await world.member(store, role);
    assert.equal((await add(store, member, `${role}.example`)).code, code, role);
    assert.equal((await remove(store, member, `${role}.example`)).code, code, role);
  }
  const permissions = ['invoices.read', 'store.manage'];
  const { key } = (await world.call('storeKeyMake', { store, name: 'shop', permissions }, ann)).data;
  assert.equal((await add(store, { ...ann, bearer: key }, 'key.example')).code, 'forbidden');
  assert.equal(await returnTo(store, { ...ann, bearer: key }, 'https://key.example/'), fieldWords('url_not_on_sites'));
  assert.equal(await returnTo(store, { ...ann, bearer: key }, `${FIRST}/key`), 'ok');
});

test('a struck site takes no buyer back in any store of its business, and its owner is notified by letter', async () => {
  const ann = await world.person();
  const [store, second] = [await world.store(ann, 'business'), await world.store(ann, 'business')];
  for (const one of [store, second]) assert.equal((await add(one, ann, 'bad.example')).code, 'ok');
  assert.equal(await returnTo(store, ann, 'https://bad.example/x'), 'ok');
  assert.equal(await returnTo(second, ann, `${FIRST}/x`), 'ok');
  await decide(store, 'strike', 'https://bad.example');
  for (const one of [store, second]) {
    assert.deepEqual(await sites(one, ann), [FIRST, 'https://bad.example struck']);
    assert.equal(await returnTo(one, ann, 'https://pay.bad.example/'), fieldWords('url_not_on_sites'));
    for (const site of ['bad.example', 'pay.bad.example'])
      assert.deepEqual((await add(one, ann, site)).fields, { site: fieldWords('site_struck') }, site);
    assert.deepEqual((await remove(one, ann, 'bad.example')).fields, { site: fieldWords('site_struck') });
  }
  assert.equal((await world.call('store', { store }, ann)).data.return_url, undefined);
  assert.equal((await world.call('store', { store: second }, ann)).data.return_url, `${FIRST}/x`);
  const letters = (await queuedLetters(world.db, { to: ann.email })).filter(({ subject }) => subject.includes('bad.example'));
  assert.equal(letters.length, 1);
  assert.match(letters[0]?.text ?? '', /https:\/\/bad\.example[^]*Example Shop Ltd[^]*\/En\/dashboard\/business/);

  await decide(store, 'strike', FIRST);
  const third = await world.store(ann, 'business');
  assert.deepEqual(await sites(third, ann), [], 'a new store doesn’t begin with a struck site');
  assert.equal(await returnTo(third, ann, FIRST), fieldWords('url_not_on_sites'));
  const refused = await world.call('storeMake', { ...NEW_STORE, kind: 'business', return_url: FIRST }, ann);
  assert.deepEqual(refused.fields, { return_url: fieldWords('url_not_on_sites') });

  await decide(store, 'accept', 'https://bad.example');
  assert.equal(await returnTo(store, ann, 'https://bad.example/x'), 'ok');
  assert.deepEqual(await world.accused(), []);
});

test('a site below a struck parent is refused, and a struck one below a parent too', async () => {
  const ann = await world.person();
  const [store, second] = [await world.store(ann, 'business'), await world.store(ann, 'business')];
  for (const [one, site] of [
    [store, 'example.net'],
    [second, 'bad.example.net'],
  ] as const)
    assert.equal((await add(one, ann, site)).code, 'ok');
  assert.equal(await returnTo(store, ann, 'https://bad.example.net/'), 'ok');
  await decide(store, 'strike', 'https://bad.example.net');
  assert.equal((await world.call('store', { store }, ann)).data.return_url, undefined, 'struck in the other store');
  assert.equal(await returnTo(store, ann, 'https://good.example.net/'), 'ok');
  assert.equal(await refusal(() => decide(store, 'strike', 'https://never.example')), 'not_found');
});

test('other rooms of the gate check an address at a field of their own, and read whether it holds', async () => {
  const ann = await world.person();
  const store = await openStore(world.db, await world.store(ann, 'business'));
  const trial = await openStore(world.db, await world.store(ann));
  const own = await openStore(world.db, await world.store(ann, 'personal'));
  const at = async (url: string, of = store) => refusal(() => requireOnSites(world.db, of, url, 'elsewhere'));
  assert.deepEqual([await at(`${FIRST}/x`), await at('https://a.example/', trial)], ['done', 'done']);
  assert.deepEqual([await at('https://a.example/'), await at('http://shop.example.com')], ['url_not_on_sites', 'url_format']);
  assert.deepEqual([await at('not an address', trial), await at('')], ['url_format', 'url_format']);
  assert.equal(await at('https://www.paypal.com/signin', own), 'url_of_personal');
  assert.equal(await isOnSites(world.db, own, 'https://a.example/'), false, 'of an invoice made before');
  await assert.rejects(requireOnSites(world.db, store, 'https://a.example/', 'elsewhere'), (error) => {
    assert.ok(error instanceof Problem);
    return Object.keys(error.details.errors ?? {}).join() === 'elsewhere';
  });
  assert.equal(await isOnSites(world.db, store, FIRST), true);
  await decide(store.id, 'strike', FIRST);
  assert.equal(await isOnSites(world.db, store, FIRST), false);
});

test('a site that SQL changed or inserted takes no buyer back, and is accused', async () => {
  const ann = await world.person();
  const store = await world.store(ann, 'business');
  await add(store, ann, 'tea.example');
  await decide(store, 'strike', 'https://tea.example');
  const [first = assert.fail(), tea = assert.fail()] = await sitesOf(world.db, { id: store });
  const accused: string[] = [];
  const changes: readonly [sql: string, id: string, url: string][] = [
    ['update store_site set struck_at = null, struck_by = null where id = $1', tea.id, 'https://tea.example/'],
    [`update store_site set origin = 'https://evil.example' where id = $1`, first.id, 'https://evil.example/'],
  ];
  for (const [sql, id, url] of changes) {
    await world.db.run(sql, [id]);
    accused.push(id);
    assert.deepEqual((await world.accused()).toSorted(), accused.toSorted());
    assert.equal(await returnTo(store, ann, url), fieldWords('url_not_on_sites'), sql);
  }
  const copy = newId();
  await world.db.run(
    `insert into store_site select $1, store_id, 'https://copy.example', added_at, added_by, accepted_at, accepted_by, struck_at,
       struck_by, mac from store_site where id = $2`,
    [copy, first.id],
  );
  assert.ok((await world.accused()).includes(copy));
  assert.equal(await returnTo(store, ann, 'https://copy.example/'), fieldWords('url_not_on_sites'));
  assert.equal(await refusal(() => decide(store, 'accept', 'https://copy.example')), 'record_altered');
  await world.tamper('delete from store_site');
});
