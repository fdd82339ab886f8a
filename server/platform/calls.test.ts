import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Context, asWhom } from './calls.ts';

const route = {
  method: 'GET',
  path: '/x',
  who: 'public',
  summary: '',
  tag: '',
  input: z.object({}),
  output: z.object({}),
  problems: [],
} as const;
const ann = { id: '1', email: 'ann@example.org', emailVerified: true, sessionId: '2' };
const authenticate = { user: async (bearer: string) => (bearer === 'good' ? ann : undefined) };
const asked = (bearer?: string): Context => ({ bearer }) as Context;

test('a call for anybody that knows account holders is told of one whose session stands; one that is over is nobody’s', async () => {
  const known = { ...route, knowsUser: true } as const;
  assert.deepEqual((await asWhom(known, asked('good'), authenticate)).user, ann);
  assert.equal((await asWhom(known, asked('over'), authenticate)).user, undefined);
  assert.equal((await asWhom(known, asked(), authenticate)).user, undefined);
});

test('a call for anybody that does not ask for account holders looks no session up', () => {
  const context = asked('good');
  assert.equal(asWhom(route, context, authenticate), context);
});
