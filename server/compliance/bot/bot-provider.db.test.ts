import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { Problem, type ProblemCode } from '@kurs/contract';
import { fraction } from '@kurs/money';
import type { Db } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { botChallenge, proveBot } from './bot.ts';
import { openBotProvider } from './bot-provider.ts';
import { solutionOf } from './bot.testing.ts';
import { configureCompliance } from '../configure.ts';
import { complianceRoutes } from '../routes.ts';

let db: Db;
let drop: () => Promise<void>;
let provider: Server;
/** The provider's answer to a token, and the requests it received. */
let answer: { status?: number; body?: unknown; isSilent?: boolean };
let requests: Record<string, string>[];
let now = 0;

before(async () => {
  ({ db, drop } = await testDb());
  provider = createServer(async (request, response) => {
    const body = await new Response(request as never).text();
    requests.push(Object.fromEntries(new URLSearchParams(body)));
    if (answer.isSilent) return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
after(async () => {
  provider.closeAllConnections();
  provider.close();
  await drop();
});
beforeEach(() => {
  requests = [];
  answer = { body: { success: true, hostname: 'desk.example' } };
  now += 3_600_000;
  const verifyUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/siteverify`;
  const options = { name: 'turnstile', siteKey: 'public', secret: 'secret', verifyUrl, host: 'desk.example' } as const;
  configureCompliance({
    botKey: 'key',
    isLoopbackCounted: true,
    provider: openBotProvider(options, { now: () => now, timeoutMs: 1_500 }),
  });
});

const check = async (token: string | undefined): Promise<void> => db.tx(await proveBot(token, { ip: '203.0.113.7' }));
const refused = (run: Promise<unknown>, code: ProblemCode): Promise<void> =>
  assert.rejects(run, (error) => error instanceof Problem && error.code === code);
const shown = async () => {
  const handlers = complianceRoutes(async () => fraction(0n, 1n));
  return (await handlers.botChallenge({}, { db } as never)).provider;
};
/** Returns a solved proof of work. */
const solved = async (): Promise<string> =>
  solutionOf(await botChallenge({ now: await db.now(), held: fraction(0n, 1n), load: fraction(0n, 1n) }));

test('a token that the provider accepts passes once; the request has our secret and the caller’s address', async () => {
  await check('token');
  assert.deepEqual(requests, [{ secret: 'secret', response: 'token', remoteip: '203.0.113.7' }]);
  // Refused even if the provider would accept the token again.
  await refused(check('token'), 'bot_check_failed');
  const tries = await Promise.allSettled([check('twice'), check('twice'), check('twice')]);
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a token that the provider refuses, one of another site, or none at all does not pass', async () => {
  answer = { body: { success: false, 'error-codes': ['timeout-or-duplicate'] } };
  await refused(check('old'), 'bot_check_failed');
  answer = { body: { success: true, hostname: 'elsewhere.example' } };
  await refused(check('foreign'), 'bot_check_failed');
  answer = { body: { success: true } };
  await refused(check('homeless'), 'bot_check_failed');
  await refused(check(undefined), 'bot_check_required');
  assert.equal((await shown())?.site_key, 'public', 'it has answered: nothing changes');
});

test('a proof of work does not pass while the provider answers', async () => {
  await refused(check(await solved()), 'bot_check_failed');
  assert.deepEqual(requests, []);
});

for (const [what, broken] of Object.entries({
  'does not answer': { isSilent: true },
  'answers with an error': { status: 503, body: 'Service Unavailable' },
  'answers with a page': { body: '<html></html>' },
  'answers with something else': { body: { ok: true } },
  'does not know our secret': { body: { success: false, 'error-codes': ['invalid-input-secret'] } },
}))
  test(`nothing passes unchecked when the provider ${what}; a proof of work does, for a minute`, async () => {
    answer = broken;
    await refused(check(`token ${what}`), 'bot_check_unavailable');
    assert.equal(await shown(), null);
    await check(await solved());
    answer = { body: { success: true, hostname: 'desk.example' } };
    now += 60_001;
    assert.equal((await shown())?.name, 'turnstile');
    await refused(check(await solved()), 'bot_check_failed');
    await check(`token after ${what}`);
  });
