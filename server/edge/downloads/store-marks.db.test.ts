// Pictures of stores over HTTP: uploaded by members who manage the store, and served to everybody as pictures only.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { StoreRole } from '@kurs/contract';
import { grantRole, grantsOf, whoIs } from '../../auth/index.ts';
import { keepOpeners, newHolder } from '../../auth/testing.ts';
import { storeFor } from '../../gate/testing.ts';
import { type Db, type Server, buildServer, newId, secretHash } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { mountStoreMarks } from './store-marks.ts';

let db: Db;
let drop: () => Promise<void>;
let server: Server;
let picture: Buffer;
/** Ids of two stores. */
let store: string;
let other: string;

before(async () => {
  ({ db, drop } = await testDb());
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: {
      grants: (holderId, kind) => grantsOf(db, holderId, kind),
      async user(bearer) {
        const found = await whoIs(db, bearer);
        return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
      },
    },
  });
  mountStoreMarks(server, db);
  store = (await storeFor(db, await newHolder(db))).id;
  other = (await storeFor(db, await newHolder(db))).id;
  picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
});
after(async () => {
  await server.close();
  await drop();
});

/** Opens a session of an account holder with a role on the store. Returns its token. */
async function memberAs(role: StoreRole): Promise<string> {
  const id = await newHolder(db);
  const token = `kurs_s_${randomBytes(32).toString('base64url')}`;
  await db.tx((tx) => grantRole(tx, { holderId: id, on: { kind: 'store', id: store }, role, by: 'test' }));
  await db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, $3, 'x', '127.0.0.1', clock_now(), clock_now())`,
    [newId(), id, secretHash('session', token)],
  );
  await keepOpeners(db);
  return token;
}

const send = (to: string, token: string | undefined, payload: Buffer | string = picture, type = 'image/png') =>
  server.app.inject({
    method: 'POST',
    url: `/api/v1/store/${to}/mark`,
    payload,
    headers: { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });

test('a manager uploads a picture, and everybody reads it as a small square picture', async () => {
  const sent = await send(store, await memberAs('manager'));
  assert.equal(sent.statusCode, 200, sent.payload);
  const { id, mark } = sent.json().data as { id: string; mark: string };
  assert.equal(id, store);
  const { statusCode, headers, rawPayload } = await server.app.inject({ url: mark });
  assert.deepEqual([statusCode, headers['content-type']], [200, 'image/webp']);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.match(String(headers['content-disposition']), /^attachment/);
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
  const { width, height } = await sharp(rawPayload).metadata();
  assert.deepEqual([width, height], [256, 256]);
  for (const wrong of [`${mark.slice(0, -1)}-`, '/api/v1/store-mark/..%2f..%2fetc%2fpasswd', '/api/v1/store-mark/x'])
    assert.equal((await server.app.inject({ url: wrong })).statusCode, 404, wrong);
});

test('refuses other callers and other stores before the picture is read', async () => {
  const manager = await memberAs('manager');
  const large = Buffer.alloc(2 * 1024 * 1024 + 1);
  for (const payload of [picture, large]) {
    assert.equal((await send(store, undefined, payload)).statusCode, 401);
    for (const role of ['developer', 'accountant'] as const)
      assert.equal((await send(store, await memberAs(role), payload)).statusCode, 403, role);
    for (const to of [other, newId(), 'x', '%00']) assert.equal((await send(to, manager, payload)).statusCode, 403, to);
  }
  assert.equal((await send(store, manager, large)).statusCode, 413);
});

test('refuses files that are no pictures, at the field of the picture', async () => {
  const manager = await memberAs('manager');
  assert.equal((await send(store, manager, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')).statusCode, 415);
  assert.equal((await send(store, manager, '{}', 'application/json')).statusCode, 415);
  const lying = await send(store, manager, '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  assert.deepEqual([lying.statusCode, Object.keys(lying.json().errors)], [422, ['mark']]);
});
