// Every call with every kind of caller, over HTTP: only the callers that the call allows get in.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  PERMISSIONS,
  Problem,
  type Route,
  STORE_PERMISSIONS,
  STORE_SCOPES,
  type StorePermission,
  type StoreRole,
  isFor,
  routes,
  takesBody,
} from '@kurs/contract';
import { writeDeskMacs } from '../../operator/testing.ts';
import { writeHolderMacs, keepOpeners } from '../../auth/testing.ts';
import { grantRole, grantsOf, setResourceRole, whoIs, whoseKey } from '../../auth/index.ts';
import { seedStoreRoles } from '../../gate/index.ts';
import { addOperator, leave, whoActs } from '../../operator/index.ts';
import { API_PREFIX, type Db, type Mode, type Server, buildServer, newId, secretHash } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import {
  OF_ANY_KEY,
  OF_BOTH,
  OF_COMPLIANCE,
  OF_HOLDERS,
  OF_KEYS,
  OF_OPERATORS,
  OF_PEOPLE,
  OF_STORES,
} from './callers.testing.ts';

/** A store, another one, and a test store. */
const [STORE, OTHER, TRIAL] = [newId(), newId(), newId()];

const all = Object.entries<Route>(routes);
let db: Db;
let owner: Db;
let drop: () => Promise<void>;
const bearers: Record<string, string> = {};
const servers: Partial<Record<Mode, Server>> = {};

before(async () => {
  ({ db, owner, drop } = await testDb());
  for (const [name, role] of [
    ['operator', 'operator'],
    ['compliance', 'compliance'],
    ['gone', 'operator'],
  ] as const)
    bearers[name] = (await db.tx((tx) => addOperator(tx, name, role))).key;
  bearers['operator’s session'] = await atDesk('operator');
  bearers['compliance’s session'] = await atDesk('compliance');
  bearers['session of who is gone'] = await atDesk('gone');
  bearers['desk session over'] = await atDesk('operator', '0 hours');
  await db.tx((tx) => leave(tx, 'gone'));
  bearers['user'] = await signedIn('ann@example.org');
  bearers['signed out'] = await signedIn('bob@example.org', '91 days');
  bearers['key: orders.read'] = await keyOf('ann@example.org', ['orders.read']);
  bearers['key: wallets.read'] = await keyOf('ann@example.org', ['wallets.read']);
  bearers['key: partner.read'] = await keyOf('ann@example.org', ['partner.read']);
  bearers['key: partner.orders'] = await keyOf('ann@example.org', ['partner.orders']);
  bearers['key revoked'] = await keyOf('ann@example.org', ['orders.read', 'wallets.read'], 'revoked_at = clock_now()');
  bearers['key expired'] = await keyOf('ann@example.org', ['orders.read', 'wallets.read'], 'expires_at = clock_now()');
  bearers['key of real money'] = await keyOf('ann@example.org', ['orders.read', 'wallets.read'], '', 'live');
  bearers['key from elsewhere'] = await keyOf(
    'ann@example.org',
    ['orders.read', 'wallets.read'],
    `networks = '{203.0.113.0/24}'`,
  );
  bearers['key of a store'] = await keyOf('ann@example.org', ['orders.read', 'wallets.read'], boundTo(STORE));
  await openStores();
  bearers['stranger'] = 'kurs_op_nobody';
  for (const mode of ['sandbox', 'live'] as const) servers[mode] = serverOf(mode);
});
after(async () => {
  for (const server of Object.values(servers)) await server.close();
  await drop();
});

/** Opens a session of a person of the desk with a given duration. */
async function atDesk(name: string, lasts = '12 hours'): Promise<string> {
  const token = `kurs_os_${createHash('sha256').update(`${name} ${lasts}`).digest('base64url')}`;
  await db.run(
    `insert into operator_session (id, operator_id, token_hash, created_at, expires_at)
     select $1, id, $2, clock_now(), clock_now() + $4::interval from operator where name = $3`,
    [newId(), secretHash('desk session', token), name, lasts],
  );
  await writeDeskMacs(db);
  return token;
}

/** Opens a session of an account holder that began some time ago. */
async function signedIn(email: string, ago = '0 days'): Promise<string> {
  const token = `kurs_s_${createHash('sha256').update(email).digest('base64url')}`;
  const id = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(db);
  await db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, $3, 'x', '127.0.0.1', clock_now() - $4::interval, clock_now())`,
    [newId(), id, secretHash('session', token), ago],
  );
  await keepOpeners(db);
  return token;
}

/** Creates a key of an account holder, with a change of its row. */
async function keyOf(email: string, scopes: readonly string[], change = '', mode = 'test'): Promise<string> {
  const key = `kurs_${mode}_${createHash('sha256').update(`${scopes.join()} ${change} ${mode}`).digest('base64url')}`;
  const id = newId();
  await db.run(
    `insert into api_key (id, holder_id, name, token_hash, hint, scopes, networks, created_at, expires_at)
     select $1, id, 'x', $2, 'kurs', $3, '{}', clock_now(), clock_now() + interval '1 day' from account_holder where email = $4`,
    [id, secretHash('API key', key), scopes, email],
  );
  if (change !== '') await db.run(`update api_key set ${change} where id = $1`, [id]);
  await keepOpeners(db);
  return key;
}

/** SQL: binds a key to a store. */
const boundTo = (store: string): string => `resource_kind = 'store', resource_id = '${store}'`;

/** Opens accounts with roles on stores, and keys of stores. */
async function openStores(): Promise<void> {
  await db.tx(seedStoreRoles);
  for (const role of ['owner', 'manager', 'developer', 'accountant'] as const) {
    bearers[role] = await signedIn(`${role}@example.org`);
    await grant(`${role}@example.org`, STORE, role);
    bearers[`${role} of another store`] = await signedIn(`${role}.other@example.org`);
    await grant(`${role}.other@example.org`, OTHER, role);
  }
  bearers['removed owner'] = await signedIn('removed@example.org');
  await grant('removed@example.org', STORE, 'owner');
  await grant('removed@example.org', STORE);
  const keyFor = (store: string, mode: string, more = '') =>
    keyOf('owner@example.org', STORE_SCOPES, `${boundTo(store)}${more}`, mode);
  bearers['live key'] = await keyFor(STORE, 'live');
  bearers['sandbox key'] = await keyFor(STORE, 'test');
  bearers['live key of another store'] = await keyFor(OTHER, 'live');
  bearers['test key'] = await keyFor(TRIAL, 'test', ', is_test = true');
}

/** Gives an account a role on a store; without a role takes it away. */
async function grant(email: string, id: string, role?: string): Promise<void> {
  const holder = await db.row<{ id: string }>('select id from account_holder where email = $1', [email]);
  await db.tx((tx) => grantRole(tx, { holderId: holder?.id ?? '', on: { kind: 'store', id }, role, by: 'installation' }));
}

/** Mounts every call of the contract with a handler that throws a fixed problem: it shows who gets in. */
function serverOf(mode: Mode): Server {
  const server = buildServer({
    config: { KURS_MODE: mode, KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: ['127.0.0.1'] },
    db,
    sealer: testSealer,
    authenticate: {
      operator: (bearer) => whoActs(db, bearer, mode),
      grants: (holderId, kind) => grantsOf(db, holderId, kind),
      key: (key, ip) => whoseKey(db, key, { mode, ip }),
      async user(bearer) {
        const found = await whoIs(db, bearer);
        return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
      },
    },
  });
  for (const [, route] of all)
    server.mount(route, async () => {
      throw new Problem('payload_too_large');
    });
  return server;
}

let request = 0;

/** Returns what a caller gets: `let in`, `unauthorised`, `forbidden`, or `not_found` if there is no such call. */
async function met(
  mode: Mode,
  route: Route,
  bearer: string | undefined,
  { store = 'x', input = {} }: { readonly store?: string; readonly input?: object } = {},
): Promise<string> {
  const { method, path } = route;
  request += 1;
  const answer = await servers[mode]!.app.inject({
    method,
    url: API_PREFIX + path.replace(':store', store).replace(/:[a-z_]+/g, 'x'),
    // Each call comes from another network and a known client, so that no limit is used up.
    headers: {
      'client-id': 'web',
      'x-forwarded-for': `10.${request >> 16}.${(request >> 8) & 255}.${request & 255}`,
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(takesBody({ method }) && { 'content-type': 'application/json' }),
    },
    ...(takesBody({ method }) ? { payload: JSON.stringify(input) } : { query: input as Record<string, string> }),
  });
  mustBeExposedAs(route, answer.headers);
  const { code } = answer.json() as { code: string };
  return code === 'payload_too_large' || code === 'validation' ? 'let in' : code;
}

/** Checks framing and referrer policy: those of the route if it answers, else none. */
function mustBeExposedAs({ path, framing, referrer }: Route, headers: Readonly<Record<string, unknown>>): void {
  const rule = /frame-ancestors (\S+)$/.exec(String(headers['content-security-policy']))?.[1];
  assert.ok(rule === "'none'" || (rule === '*' && framing === 'anyone'), `${path} may be framed by ${rule}`);
  const reported = headers['referrer-policy'];
  assert.ok(reported === 'no-referrer' || reported === referrer, `${path} tells its address: ${String(reported)}`);
}

/** Returns what a caller must get, by the tables above. */
function wanted(name: string, route: Route, caller: string): string {
  if (isFor(route, 'operator')) {
    const role = /^(operator|compliance)(’s session)?$/.exec(caller)?.[1];
    if (role === undefined) return 'unauthorised';
    const theirs = [...OF_BOTH, ...OF_ANY_KEY, ...(role === 'operator' ? OF_OPERATORS : OF_COMPLIANCE)];
    return theirs.includes(name) ? 'let in' : 'forbidden';
  }
  if (caller === 'key of a store' && OF_KEYS[name]) return 'forbidden';
  if (caller.startsWith('key: ') && OF_KEYS[name]) return caller === `key: ${OF_KEYS[name]}` ? 'let in' : 'forbidden';
  // A program with a good key would take `unauthorised` for the end of its key.
  const isGoodKey = caller.startsWith('key: ') || caller === 'key of a store';
  if (OF_STORES[name]) return caller === 'user' || isGoodKey ? 'forbidden' : 'unauthorised';
  if (isFor(route, 'user') || (route.mayKnowUser && caller !== 'nobody')) return caller === 'user' ? 'let in' : 'unauthorised';
  return isFor(route, 'key') ? 'unauthorised' : 'let in';
}

test('the tables list every call of the desk, and the number of account holders’ calls', () => {
  const desk = all.filter(([, route]) => isFor(route, 'operator')).map(([name]) => name);
  assert.deepEqual(desk.toSorted(), [...OF_OPERATORS, ...OF_COMPLIANCE, ...OF_BOTH, ...OF_ANY_KEY].toSorted());
  assert.equal(all.filter(([, route]) => isFor(route, 'user')).length, OF_HOLDERS);
  const keyed = all.filter(([, route]) => isFor(route, 'key')).map(([name]) => name);
  assert.deepEqual(keyed.toSorted(), Object.keys(OF_KEYS).toSorted());
  const ofStores = all.filter(([, { path }]) => path.includes(':store'));
  assert.deepEqual(ofStores.map(([name]) => name).toSorted(), Object.keys(OF_STORES).toSorted());
  for (const [name, { about }] of ofStores) assert.deepEqual(about, { kind: 'store', field: 'store' }, name);
});

test('each permission belongs to a role, and roles have no others', async () => {
  const rows = await db.rows<{ permissions: string[] }>(
    'select distinct on (role) permissions from desk_role order by role, seq desc',
  );
  assert.deepEqual([...new Set(rows.flatMap(({ permissions }) => permissions))].toSorted(), [...PERMISSIONS]);
});

const CALLERS = [
  ...['nobody', 'stranger', 'user', 'signed out', 'operator', 'compliance', 'gone'],
  ...['operator’s session', 'compliance’s session', 'session of who is gone', 'desk session over'],
  ...[
    'key: orders.read',
    'key: wallets.read',
    'key: partner.read',
    'key: partner.orders',
    'key revoked',
    'key expired',
    'key of real money',
    'key from elsewhere',
    'key of a store',
  ],
];
for (const caller of CALLERS)
  test(`${caller}: let in where the call allows it, and nowhere else`, async () => {
    const wrong: string[] = [];
    for (const [name, route] of all) {
      const found = await met('sandbox', route, bearers[caller]);
      if (found !== wanted(name, route, caller)) wrong.push(`${name}: ${found} in place of ${wanted(name, route, caller)}`);
    }
    assert.deepEqual(wrong, []);
  });

test('live mode has no calls of the sandbox', async () => {
  for (const [name, route] of all)
    if (isFor(route, 'sandbox')) assert.equal(await met('live', route, bearers['operator']), 'not_found', name);
});

test('in live mode a desk key begins a session and makes no other call', async () => {
  const wrong: string[] = [];
  for (const [name, route] of all) {
    if (!isFor(route, 'operator')) continue;
    const found = await met('live', route, bearers['operator']);
    if (found !== (OF_ANY_KEY.includes(name) ? 'let in' : 'forbidden')) wrong.push(`${name}: ${found}`);
  }
  assert.deepEqual(wrong, []);
});

test('in live mode a session of the desk makes the calls of its person’s role', async () => {
  const wrong: string[] = [];
  for (const [name, route] of all) {
    if (!isFor(route, 'operator')) continue;
    const caller = 'operator’s session';
    const found = await met('live', route, bearers[caller]);
    if (found !== wanted(name, route, caller)) wrong.push(`${name}: ${found}`);
  }
  assert.deepEqual(wrong, []);
});

/** Callers of calls about stores: the store at which they are let in, and their role or the mode of their key. */
const OF_STORE: Readonly<Record<string, readonly [store: string, as: StoreRole | 'key', ...modes: Mode[]]>> = {
  owner: [STORE, 'owner', 'sandbox', 'live'],
  manager: [STORE, 'manager', 'sandbox', 'live'],
  developer: [STORE, 'developer', 'sandbox', 'live'],
  accountant: [STORE, 'accountant', 'sandbox', 'live'],
  'owner of another store': [OTHER, 'owner', 'sandbox', 'live'],
  'manager of another store': [OTHER, 'manager', 'sandbox', 'live'],
  'developer of another store': [OTHER, 'developer', 'sandbox', 'live'],
  'accountant of another store': [OTHER, 'accountant', 'sandbox', 'live'],
  'live key': [STORE, 'key', 'live'],
  'live key of another store': [OTHER, 'key', 'live'],
  'sandbox key': [STORE, 'key', 'sandbox'],
  'test key': [TRIAL, 'key', 'sandbox', 'live'],
};

/** Returns what a caller must get of a call about a store. */
function wantedAt(name: string, caller: string, mode: Mode, store: string): string {
  const isKey = caller.includes('key');
  if (caller === 'nobody') return 'unauthorised';
  const [own, as, ...modes]: readonly (string | undefined)[] = OF_STORE[caller] ?? [];
  if (isKey && !modes.includes(mode)) return 'unauthorised';
  if (own !== store || (isKey && !OF_KEYS[name])) return 'forbidden';
  return isKey || OF_STORES[name]?.[0].split(' ').includes(as ?? '') ? 'let in' : 'forbidden';
}

for (const mode of ['sandbox', 'live'] as const)
  test(`${mode} mode lets members and keys of a store in at their own store, as far as role and key permit`, async () => {
    const wrong: string[] = [];
    for (const store of [STORE, OTHER, TRIAL]) {
      // A new server has no counts. At one store, a session makes fewer calls than it may.
      servers[mode] = serverOf(mode);
      for (const caller of [...Object.keys(OF_STORE), 'removed owner', 'user', 'nobody'])
        for (const [name, [, input]] of Object.entries(OF_STORES)) {
          const found = await met(mode, routes[name as keyof typeof routes], bearers[caller], { store, input });
          const expected = wantedAt(name, caller, mode, store);
          if (found !== expected) wrong.push(`${caller}, ${name} at ${store}: ${found} in place of ${expected}`);
        }
    }
    assert.deepEqual(wrong, []);
  });

test('an account with roles on several stores may do in each what its role there permits, from the next call on', async () => {
  const stores = [newId(), newId(), newId()];
  const [first = '', second = ''] = stores;
  const seen = (): Promise<string[]> =>
    Promise.all(stores.map((store) => met('sandbox', routes.store, bearers['user'], { store })));
  assert.deepEqual(await seen(), ['forbidden', 'forbidden', 'forbidden']);
  await db.tx((tx) => setResourceRole(tx, { kind: 'store', role: 'cashier', permissions: ['reports.read'], by: 'installation' }));
  await grant('ann@example.org', first, 'accountant');
  await grant('ann@example.org', second, 'cashier');
  assert.deepEqual(await seen(), ['let in', 'forbidden', 'forbidden']);
  await grant('ann@example.org', second, 'accountant');
  await grant('ann@example.org', first);
  assert.deepEqual(await seen(), ['forbidden', 'let in', 'forbidden']);
});

/** Returns true if permissions are enough for a call about a store. */
function isEnough(name: string, permissions: readonly string[], isKey: boolean): boolean {
  if (isKey && name === 'refundMake' && permissions.includes('refunds.propose')) return true;
  const needed = OF_KEYS[name] ?? (isKey ? 'no permission' : (OF_PEOPLE[name] ?? 'members.manage'));
  return permissions.includes(needed);
}
const drawn = (of: readonly StorePermission[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1 });

test('a member or an API key with any set of permissions makes the calls of these alone, and none at another store', async () => {
  /** Asserts that a caller is let in where these permissions allow it, at their own store. */
  const check = async (bearer: string, own: string, permissions: readonly string[], isKey: boolean): Promise<void> => {
    const wrong: string[] = [];
    for (const [name, [, input]] of Object.entries(OF_STORES))
      for (const store of [own, OTHER]) {
        const found = await met('sandbox', routes[name as keyof typeof routes], bearer, { store, input });
        const isIn = store === own && isEnough(name, permissions, isKey);
        if ((found === 'let in') !== isIn) wrong.push(`${permissions.join()}: ${name} ${found}`);
      }
    assert.deepEqual(wrong, []);
  };
  await fc.assert(
    fc.asyncProperty(drawn(STORE_PERMISSIONS), drawn(STORE_SCOPES), async (permissions, scopes) => {
      const [own, email] = [newId(), `${newId()}@example.org`];
      const bearer = await signedIn(email);
      await db.tx((tx) => setResourceRole(tx, { kind: 'store', role: own, permissions, by: 'installation' }));
      await grant(email, own, own);
      await check(bearer, own, permissions, false);
      await check(await keyOf('ann@example.org', scopes, boundTo(own)), own, scopes, true);
    }),
    { numRuns: 20 },
  );
});

test('calls by a key are counted by the key, wherever they come from', async () => {
  const left = async (ip: string): Promise<number> => {
    const answer = await servers.sandbox!.app.inject({
      url: `${API_PREFIX}${routes.wallets.path}`,
      headers: { 'x-forwarded-for': ip, authorization: `Bearer ${bearers['key: wallets.read']}` },
    });
    return Number(answer.headers['ratelimit-remaining']);
  };
  const before = await left('198.51.100.1');
  assert.equal(await left('198.51.100.2'), before - 1);
});

test('permissions of a role are read at each call, and the owner may change them', async () => {
  const change = `insert into desk_role (role, permissions, by)
    select role, array_remove(permissions, 'rails.read'), 'a test' from desk_role where role = 'operator' order by seq desc limit 1`;
  await assert.rejects(db.run(change), /by an action of the desk/);
  assert.equal(await met('sandbox', routes.operatorRails, bearers['operator']), 'let in');
  await owner.run(change);
  assert.equal(await met('sandbox', routes.operatorRails, bearers['operator']), 'forbidden');
  await assert.rejects(owner.run(`update desk_role set permissions = '{}'`), /never changed/);
});
