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
const ann = { id: '1', email: 'ann@example.org', emailVerified: true, sessionId: '2' };
const access = { mode: 'sandbox' as const, user: async (bearer: string) => (bearer === 'good' ? ann : undefined) };
const asked = (bearer?: string): Context => ({ bearer }) as Context;

test('a call for anybody that knows account holders is told of one whose session stands, and refuses one that is over', async () => {
  const known = { ...route, knowsUser: true } as const;
  assert.deepEqual((await asPrincipal(known, asked('good'), access)).user, ann);
  await assert.rejects(async () => asPrincipal(known, asked('over'), access), { code: 'unauthorised' });
  assert.equal((await asPrincipal(known, asked(), access)).user, undefined);
});

test('a call for anybody that does not ask for account holders looks no session up', () => {
  const context = asked('good');
  assert.equal(asPrincipal(route, context, access), context);
});

test('what the desk is told has nothing in it that turns or hides its figures', async () => {
  const told = { who: 'Ann\u202E 9', rows: [{ why: 'a\u0001b\nc' }] };
  const desk = { ...route, allows: 'operator: orders.read', output: z.looseObject({}) } as const;
  const call = bind(desk, async () => told);
  const { data } = await answerWithin({ call, raw: {}, input: {}, context: asked('good') }, () => assert.fail('not kept'));
  assert.deepEqual(data, { who: 'Ann 9', rows: [{ why: 'a b\nc' }] });
});
