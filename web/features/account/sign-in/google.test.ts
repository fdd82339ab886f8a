import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGoogle } from './google.ts';

test('without a client id, and outside a browser, there is no sign-in with Google', async () => {
  const script = 'https://accounts.google.com/gsi/client';
  const begin = { nonce: 'n', onToken: () => assert.fail('nobody signed in') };
  const required = { name: 'Error', message: 'clientId is required' };
  await assert.rejects(openGoogle({ clientId: 'kurs.apps.example', script }, begin), required, 'this is no browser');
  Object.assign(globalThis, { document: { createElement: () => assert.fail('nothing is loaded') } });
  for (const clientId of [undefined, '']) await assert.rejects(openGoogle({ clientId, script }, begin), required);
});
