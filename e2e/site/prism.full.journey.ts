// Sends calls through an external validating proxy: over an exchange, an account and hundreds of bad calls no response may
// deviate from the document.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient, httpTransport } from '@kurs/contract/client';
import { type Prism, installPrism, startPrism } from '../../tools/prism.ts';
import { SELL_BTC, freshEmail, mining, pay, place, reaches } from '../customers/customer.ts';
import { codeFor } from '../harness/mailbox.ts';
import { type System, startSystem } from '../harness/system.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const missing = await installPrism();
let system: System;
let prism: Prism;
let document: Document;
before(async () => {
  if (missing !== undefined) return;
  system = await startSystem();
  document = (await (await fetch(`${system.url}/api/v1/openapi.json`)).json()) as Document;
  prism = await startPrism(document, system.url);
});
after(async () => {
  await prism?.stop();
  await system?.stop();
});

/** Longest wait for a response, in ms. The proxy is slow on a busy machine. */
const WAIT_MS = 60_000;
const request = { count: 0 };
const violations = new Set<string>();

/** Sends a request through the proxy and records the deviations of the response. Deviations of the request are ignored. */
async function through(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(address, { signal: AbortSignal.timeout(WAIT_MS), ...init }).catch((error: unknown) => {
    throw new Error(`${init?.method ?? 'GET'} ${String(address)} ${String(init?.body).slice(0, 50)}: ${String(error)}`, {
      cause: error,
    });
  });
  await response.clone().arrayBuffer();
  request.count += 1;
  const found = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
  const { pathname } = new URL(String(address));
  for (const { location, message } of found)
    if (location[0] === 'response')
      violations.add(`${init?.method ?? 'GET'} ${pathname} ${response.status} ${location.join('.')}: ${message}`);
  return response;
}

const nothingFound = (): void => assert.deepEqual([...violations].sort(), []);

test('an exchange and an account violate no schema', { skip: missing ?? false }, async () => {
  let token: string | null = null;
  const transport = httpTransport({ base: prism.url, clientId: 'web', locale: () => 'en', token: () => token, fetch: through });
  const client = createClient(transport);
  const exchange = await place(client, SELL_BTC);
  await pay(client, exchange.order);
  await mining(system.client(), reaches(client, exchange.order, 'done', 120_000));
  const email = freshEmail();
  const { handle } = await client.signUpGetOtp({ email, bot_token: 'sandbox' });
  const otp = await codeFor(system, email);
  token = (await client.signUpConfirm({ email, otp, handle })).access_token;
  await client.walletStore({ currency: 'BTC' });
  // Call each GET that requires at most a session and has no required parameter.
  for (const [path, { get }] of Object.entries(document.paths))
    if (get && !get.parameters?.some(({ required }) => required) && !path.endsWith('/logout'))
      await through(prism.url + path, { headers: { authorization: `Bearer ${token}` } });
  await client.logout({});
  nothingFound();
});

test('hundreds of bad calls are refused as the document says', { skip: missing ?? false }, async () => {
  const before = request.count;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const url = prism.url + path.replace(/\{[^}]+\}/g, 'x');
      if (method === 'get') {
        await through(`${url}?id=x&token=y&currency=no&page=-1&ticket=z`);
        await through(url, { headers: { authorization: 'Bearer over', 'client-id': 'nobody' } });
        continue;
      }
      const type = Object.keys(requestBody?.content ?? {})[0] ?? 'application/json';
      const sent = (body: string, headers: Record<string, string> = {}) =>
        through(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
      await sent('{}');
      await sent('{"from":1,"nothing":null}', { authorization: 'Bearer over' });
      // Don't send invalid JSON, because the proxy never answers it.
      await sent('{"id":[[1]],"amount":{"x":"y"}}', { 'accept-language': 'ru' });
      await sent('x'.repeat(70_000), { 'content-type': 'text/plain' });
    }
  assert.ok(request.count - before > 300, String(request.count - before));
  nothingFound();
});
