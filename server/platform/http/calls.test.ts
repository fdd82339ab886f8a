import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Context, answerWithin, bind } from './calls.ts';
import { asPrincipal } from './principal.ts';

const route = {
  method: 'GET',
  path: '/x',
  allows: 'public',
  summary: '',
  tag: '',
  input: z.object({}),
  output: z.object({}),
  problems: [],
} as const;
const ann = { id: '1', email: 'ann@example.org', isEmailVerified: true, sessionId: '2' };
const access = { mode: 'sandbox' as const, user: async (bearer: string) => (bearer === 'good' ? ann : undefined) };
const requested = (bearer?: string): Context => ({ bearer }) as Context;

test('a public call that knows account holders receives one with a valid session, and refuses an ended session', async () => {
  const known = { ...route, mayKnowUser: true } as const;
  assert.deepEqual((await asPrincipal(known, requested('good'), access)).user, ann);
  await assert.rejects(async () => asPrincipal(known, requested('over'), access), { code: 'unauthorised' });
  assert.equal((await asPrincipal(known, requested(), access)).user, undefined);
});

test('a public call that does not know account holders looks up no session', () => {
  const context = requested('good');
  assert.equal(asPrincipal(route, context, access), context);
});

test('answers to the desk contain no characters that turn or hide figures', async () => {
  const reported = { who: 'Ann\u202E 9', rows: [{ why: 'a\u0001b\nc' }] };
  const desk = { ...route, allows: 'operator: orders.read', output: z.looseObject({}) } as const;
  const call = bind(desk, async () => reported);
  const { data } = await answerWithin({ call, raw: {}, input: {}, context: requested('good') }, () => assert.fail('not kept'));
  assert.deepEqual(data, { who: 'Ann 9', rows: [{ why: 'a b\nc' }] });
});
