// Files of a store over HTTP: for its members only, by a link that is valid once and no longer than their role.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { grantRole, grantsOf } from '../../auth/index.ts';
import { keepOpeners, newHolder } from '../../auth/testing.ts';
import { signedInUsers } from '../../accounts/index.ts';
import { storeFor } from '../../gate/testing.ts';
import { type Db, type Server, buildServer, newId, secretHash } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { mountExports } from './exports.ts';

let db: Db;
let drop: () => Promise<void>;
let server: Server;
let store: string;
let other: string;

before(async () => {
  ({ db, drop } = await testDb());
  const users = signedInUsers(db);
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: { user: users.byToken, grants: (holderId, kind) => grantsOf(db, holderId, kind) },
  });
  mountExports(server, db, users);
  store = (await storeFor(db, await newHolder(db))).id;
  other = (await storeFor(db, await newHolder(db))).id;
});
after(async () => {
  await server.close();
  await drop();
});

const grant = (holderId: string, role: string | undefined): Promise<void> =>
  db.tx(async (tx) => void (await grantRole(tx, { holderId, on: { kind: 'store', id: store }, role, by: 'test' })));

/** Opens a session of a new account holder, perhaps with a role on the store. */
async function person(role?: string): Promise<{ readonly id: string; readonly token: string }> {
  const id = await newHolder(db);
  const token = `kurs_s_${randomBytes(32).toString('base64url')}`;
  if (role !== undefined) await grant(id, role);
  await db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, $3, 'x', '127.0.0.1', clock_now(), clock_now())`,
    [newId(), id, secretHash('session', token)],
  );
  await keepOpeners(db);
  return { id, token };
}

const ask = (method: 'GET' | 'POST', url: string, token?: string, payload?: object) =>
  server.app.inject({
    method,
    url: url.startsWith('/api') ? url : `/api/v1${url}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

const FILES = ['entries', 'invoices', 'payments', 'refunds'] as const;

test('each member downloads each file, with a link and with a session', async () => {
  for (const role of ['owner', 'manager', 'developer', 'accountant']) {
    const { token } = await person(role);
    for (const of of FILES)
      for (const format of ['csv', 'xlsx']) {
        const begun = await ask('POST', `/store/${store}/${of}/export`, token, { format });
        assert.equal(begun.statusCode, 200, begun.body);
        const { url } = begun.json().data as { url: string };
        const file = await ask('GET', url);
        assert.equal(file.statusCode, 200, file.body);
        assert.match(String(file.headers['content-disposition']), new RegExp(`${of}\\.${format}`));
        assert.equal((await ask('GET', url)).statusCode, 401, 'once');
        assert.equal((await ask('GET', `/export/store-${of}?store=${store}&format=${format}`, token)).statusCode, 200);
      }
  }
});

test('refuses members of other stores, and strangers', async () => {
  const [member, stranger] = [await person('owner'), await person()];
  for (const of of FILES) {
    assert.equal((await ask('POST', `/store/${other}/${of}/export`, member.token, {})).statusCode, 403);
    assert.equal((await ask('GET', `/export/store-${of}?store=${other}`, member.token)).statusCode, 403);
    assert.equal((await ask('POST', `/store/${store}/${of}/export`, stranger.token, {})).statusCode, 403);
    assert.equal((await ask('GET', `/export/store-${of}?store=${store}`, stranger.token)).statusCode, 403);
    assert.equal((await ask('GET', `/export/store-${of}?store=${store}`)).statusCode, 401);
  }
});

test('a link is worth nothing once its member lost the role', async () => {
  const { id, token } = await person('accountant');
  const links = await Promise.all(
    FILES.map(async (of) => (await ask('POST', `/store/${store}/${of}/export`, token, {})).json().data as { url: string }),
  );
  await grant(id, undefined);
  for (const { url } of links) assert.equal((await ask('GET', url)).statusCode, 403);
});
