// Every call of the client: method, headers, place of its fields, and number of attempts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError, type Transport, httpTransport } from './client.ts';
import type { Method } from './route.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];
const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

interface SentCall {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns a transport that answers with these statuses, repeating the last, and the list of its requests. */
function answered(...statuses: readonly number[]): { readonly send: Transport; readonly requests: SentCall[] } {
  const requests: SentCall[] = [];
  const reply = async (url: string, { method, headers, body }: RequestInit = {}): Promise<Response> => {
    requests.push({ url, method, headers: headers as SentCall['headers'], body: body as string | undefined });
    const status = statuses[Math.min(requests.length, statuses.length) - 1] ?? 200;
    return new Response(JSON.stringify({ data: { n: requests.length }, code: 'test' }), { status });
  };
  const send = httpTransport({
    base: 'https://api.example',
    clientId: 'shop',
    locale: () => 'ru',
    token: () => 'token',
    fetch: reply as typeof fetch,
  });
  return { send, requests };
}

const call = (method: Method, input: Readonly<Record<string, unknown>> = {}): Parameters<Transport>[0] => ({
  ...{ name: 'test', method, path: '/things/:id', input: { id: 'a/b', ...input }, options: {} },
});

test('every call sends JSON, its client id and its language', async () => {
  for (const method of METHODS) {
    const { send, requests } = answered();
    await send(call(method));
    assert.equal(requests[0]?.method, method);
    const { accept, 'content-type': type, 'client-id': client, authorization, 'accept-language': locale } = requests[0].headers;
    const json = 'application/json';
    assert.deepEqual([accept, type, client, authorization, locale], [json, json, 'shop', 'Bearer token', 'ru'], method);
  }
});

test('fields of POST, PUT and PATCH go as JSON, those of others as a query with lists as name[]', async () => {
  for (const method of METHODS) {
    const { send, requests } = answered();
    await send(call(method, { status: ['open', 'done'], page: 2, q: undefined }));
    const { url, body } = requests[0] as SentCall;
    const path = 'https://api.example/api/v1/things/a%2Fb';
    if (WITH_BODY.has(method)) assert.deepEqual([url, body], [path, '{"status":["open","done"],"page":2}'], method);
    else assert.deepEqual([url, body], [`${path}?status%5B%5D=open&status%5B%5D=done&page=2`, undefined], method);
  }
});

const PASSING = [408, 409, 425, 429, 500, 502, 503, 504];

test('repeats a call without a body once on a transient status, one with a body never', async () => {
  for (const status of PASSING)
    for (const method of METHODS) {
      const once = answered(status, 200);
      if (WITH_BODY.has(method)) {
        await assert.rejects(once.send(call(method)), { name: 'CallError', status });
        assert.equal(once.requests.length, 1, `${method} ${status}`);
        continue;
      }
      assert.deepEqual(await once.send(call(method)), { n: 2 }, `${method} ${status}`);
      const always = answered(status);
      await assert.rejects(always.send(call(method)), { name: 'CallError', status });
      assert.equal(always.requests.length, 2, `${method} ${status}`);
    }
});

test('any other status from 400 to 599 is an error at once', async () => {
  for (const status of [400, 401, 403, 404, 410, 422, 451, 499, 501, 505, 599]) {
    const { send, requests } = answered(status);
    await assert.rejects(send(call('GET')), (error) => error instanceof CallError && error.status === status);
    assert.equal(requests.length, 1, String(status));
  }
});
