// Pictures over HTTP: uploaded by the signed-in holder, within limits, and served so that no browser interprets them as anything
// else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { authRoutes, whoIs } from '../../auth/index.ts';
import { type Db, type Server, buildServer, openDb } from '../../platform/index.ts';
import { testDb, testSealer } from '../../platform/testing.ts';
import { mountAvatars } from './avatars.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let db: Db;
let url: string;
let drop: () => Promise<void>;
let server: Server;
let token: string;

before(async () => {
  ({ db, drop, url } = await testDb());
  const known = async (bearer: string) => {
    const found = await whoIs(db, bearer);
    return found && { id: found.holder.id, email: found.holder.email, isEmailVerified: true, sessionId: found.session.id };
  };
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: { user: known },
  });
  const handlers = authRoutes({
    db,
    mode: 'sandbox',
    name: 'Kurs',
    sealer: testSealer,
    proveBot: async () => async () => {},
    levelOf: async () => 0,
    moveCustomer: async () => {},
    signedUp: async () => undefined,
    whatIsLeft: async () => undefined,
  });
  for (const name of ['userInfo', 'signUpGetOtp', 'signUpConfirm'] as const) server.mount(routes[name], handlers[name] as never);
  mountAvatars(server, db);
  const post = (url: string, payload: object) => server.app.inject({ method: 'POST', url: `/api/v1${url}`, payload });
  const { handle } = (await post('/sign-up/get-otp', { email: 'ann@example.org' })).json().data;
  const [letter] = await queuedLetters(db);
  const otp = /^\d{6}$/m.exec(letter?.text ?? '')?.[0];
  const signedIn = await post('/sign-up/confirm', { email: 'ann@example.org', otp, handle });
  token = signedIn.json().data.access_token;
});
after(async () => {
  await server.close();
  await drop();
});

const send = (
  payload: Buffer | string,
  type = 'image/png',
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
) =>
  server.app.inject({
    method: 'POST',
    url: '/api/v1/user/profile/avatar',
    payload,
    headers: { 'content-type': type, ...headers },
  });

test('a signed-in holder uploads a picture, and it is served as a picture only', async () => {
  const sent = await send(PIXEL);
  assert.equal(sent.statusCode, 200);
  const { avatar } = sent.json().data as { avatar: string };
  const shown = await server.app.inject({ url: avatar });
  assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/webp']);
  assert.equal(shown.headers['x-content-type-options'], 'nosniff');
  assert.match(String(shown.headers['content-disposition']), /^attachment/);
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'.*sandbox/);
  for (const other of [`${avatar.slice(0, -1)}-`, '/api/v1/avatar/..%2f..%2fetc%2fpasswd', '/api/v1/avatar/x'])
    assert.equal((await server.app.inject({ url: other })).statusCode, 404, other);
});

test('one process serves a picture that another one received', async () => {
  const { avatar } = (await send(PIXEL)).json().data as { avatar: string };
  const elsewhere = openDb({ url, name: 'another-process', max: 2 });
  const other = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: elsewhere,
    sealer: testSealer,
  });
  mountAvatars(other, elsewhere);
  const [here, there] = [await server.app.inject({ url: avatar }), await other.app.inject({ url: avatar })];
  assert.equal(there.statusCode, 200);
  assert.ok(there.rawPayload.equals(here.rawPayload));
  await other.close();
  await elsewhere.close();
});

test('refuses other callers, too large files, and files that only claim to be a picture', async () => {
  assert.equal((await send(PIXEL, 'image/png', {})).statusCode, 401);
  assert.equal((await send(PIXEL, 'image/png', { authorization: `Bearer ${token}`, 'client-id': 'who' })).statusCode, 403);
  const large = Buffer.alloc(2 * 1024 * 1024 + 1);
  assert.equal((await send(large)).statusCode, 413);
  assert.equal((await send(large, 'image/png', {})).statusCode, 401, 'a stranger’s is not even read');
  assert.equal((await send('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')).statusCode, 415);
  const lying = await send('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  assert.deepEqual([lying.statusCode, Object.keys(lying.json().errors)], [422, ['avatar']]);
  // Other calls accept JSON alone.
  const other = await server.app.inject({
    method: 'POST',
    url: '/api/v1/sign-up/get-otp',
    payload: PIXEL,
    headers: { 'content-type': 'image/png' },
  });
  assert.equal(other.statusCode, 415);
});
