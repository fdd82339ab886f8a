// Tests properties of every response at every address with every method: headers, methods, encodings and validators.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Address, METHODS, type Method, apiAddresses, siteAddresses } from '../customers/addresses.ts';
import { sharedStage } from '../harness/stage.ts';

let url: string;
let asset: string;
let all: Address[];
before(async () => {
  url = (await sharedStage()).system.url;
  asset = /\/assets\/[^" ]+\.js/.exec(await (await ask('/En')).text())?.[0] ?? '';
  const document = (await (await ask('/api/v1/openapi.json')).json()) as Parameters<typeof apiAddresses>[0];
  all = [...siteAddresses(asset), ...apiAddresses(document)];
});

const ask = (path: string, method: Method = 'GET', headers: Record<string, string> = {}, body?: string): Promise<Response> =>
  fetch(url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });

const isMissing = (path: string): boolean => /nope/.test(path);
/** Content type of forms, which must not be parsed as JSON. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Checks each address with each method, eight at once. Returns the faults. */
async function faultsOf(check: (address: Address, method: Method) => Promise<readonly string[]>): Promise<string[]> {
  const requests = all.flatMap((address) => METHODS.map((method) => [address, method] as const));
  assert.ok(requests.length > 1_000, String(requests.length));
  const faults: string[] = [];
  for (let at = 0; at < requests.length; at += 8) {
    const found = requests.slice(at, at + 8).map(async ([address, method]) => {
      return (await check(address, method)).map((fault) => `${method} ${address.path}: ${fault}`);
    });
    faults.push(...(await Promise.all(found)).flat());
  }
  return faults;
}

test('an unsupported method is 405 with the allowed ones; no refusal sets a cookie', async () => {
  const faults = await faultsOf(async ({ path, methods }, method) => {
    const isForm = method === 'POST' && !path.startsWith('/api/');
    const answer = await ask(path, method, isForm ? FORM : {}, isForm ? '' : undefined);
    await answer.arrayBuffer();
    const { status, headers } = answer;
    const found: string[] = [];
    const served = isMissing(path) ? status === 404 : methods.includes(method) ? status !== 405 : status === 405;
    if (!served) found.push(`answers ${status}`);
    const allowed = (headers.get('allow') ?? '').split(', ').filter(Boolean).sort();
    if (status === 405 && String(allowed) !== String([...methods].sort())) found.push(`allows ${String(allowed)}`);
    if ([403, 404, 405].includes(status) && headers.has('set-cookie')) found.push('sets a cookie');
    return found;
  });
  assert.deepEqual(faults, []);
});

test('every answer forbids sniffing, a 401 names its scheme, and no failure is cacheable', async () => {
  const faults = await faultsOf(async ({ path }, method) => {
    const { status, headers } = await ask(path, method);
    const found: string[] = [];
    if (headers.get('x-content-type-options') !== 'nosniff') found.push('may be sniffed');
    if (status === 401 && headers.get('www-authenticate') !== 'Bearer') found.push('names no way to sign in');
    if (status >= 500) found.push(`answers ${status}`);
    if (status >= 400 && headers.get('cache-control') !== 'no-store') found.push(`is kept: ${headers.get('cache-control')}`);
    const isShared = !/private|no-store/.test(headers.get('cache-control') ?? '');
    if (isShared && headers.has('content-encoding') && !/accept-encoding/i.test(headers.get('vary') ?? ''))
      found.push('differs by encoding and does not say so');
    return found;
  });
  assert.deepEqual(faults, []);
});

test('a compressed request body is refused', async () => {
  const faults: string[] = [];
  for (const { path, methods } of all.filter((one) => one.methods.includes('POST'))) {
    const json = path.startsWith('/api/') ? { 'content-type': 'application/json' } : FORM;
    const answer = await ask(path, 'POST', { ...json, 'content-encoding': 'gzip' }, 'x');
    if (answer.status !== 415 || answer.headers.get('accept-encoding') !== 'identity')
      faults.push(`${path} (${methods.join()}): ${answer.status}`);
    const plain = await ask(path, 'POST', { ...json, 'content-encoding': 'identity' }, path.startsWith('/api/') ? '{}' : '');
    if (plain.status === 415 && !path.includes('avatar')) faults.push(`${path}: 415 for what is in no encoding`);
  }
  assert.deepEqual(faults, []);
});

/** Returns the faults of an address's entity tags in each encoding. */
async function tagFaults(path: string): Promise<string[]> {
  const faults: string[] = [];
  const tags = new Map<string, string>();
  for (const encoding of ['identity', 'gzip', 'br']) {
    const { headers } = await ask(path, 'GET', { 'accept-encoding': encoding });
    const packed = headers.get('content-encoding') ?? 'identity';
    const tag = headers.get('etag') ?? '';
    if (!tag) faults.push(`${path}: no tag in ${encoding}`);
    if ([...tags].some(([other, known]) => other !== packed && known === tag))
      faults.push(`${path}: one tag for ${packed} and others`);
    tags.set(packed, tag);
    if (tags.size > 1 && !/accept-encoding/i.test(headers.get('vary') ?? '')) faults.push(`${path}: no vary`);
    for (const known of [tag, `"x", W/${tag}`, `W/${tag}`, '*', `"x" , ${tag},"y"`]) {
      const again = await ask(path, 'GET', { 'accept-encoding': encoding, 'if-none-match': known });
      if (again.status !== 304 || (await again.text()) !== '') faults.push(`${path} ${known}: ${again.status}`);
      if (again.headers.get('etag') !== tag) faults.push(`${path} ${known}: another tag with a 304`);
    }
    const other = await ask(path, 'GET', { 'accept-encoding': encoding, 'if-none-match': '"x", W/"y"' });
    if (other.status !== 200) faults.push(`${path}: ${other.status} for another tag`);
  }
  if (['/sitemap.xml', '/api/docs', '/api/v1/openapi.json'].includes(path) && tags.size < 3)
    faults.push(`${path} comes in ${tags.size} encodings`);
  return faults;
}

test('cacheable answers have an ETag for each encoding, and a 304 for lists, weak tags and *', async () => {
  const faults: string[] = [];
  const paths = [
    asset,
    '/favicon.ico',
    '/rates.xml',
    '/rates.json',
    '/rates.txt',
    '/api/docs',
    '/api/v1/openapi.json',
    '/sitemap.xml',
    '/robots.txt',
    '/llms.txt',
    '/manifest.webmanifest',
    '/brand/wordmark.svg',
    '/.well-known/security.txt',
    '/.well-known/kurs-receipt-keys.json',
  ];
  for (const path of paths) {
    // Rates may change between two requests, so their feeds are tried again.
    const tries = path.startsWith('/rates.') ? 3 : 1;
    let found = await tagFaults(path);
    for (let again = 1; again < tries && found.length > 0; again += 1) found = await tagFaults(path);
    faults.push(...found);
  }
  for (const path of ['/api/v1/openapi.json', '/api/docs', '/rates.xml', '/rates.json', '/rates.txt']) {
    const { headers } = await ask(path, 'GET', { origin: 'https://elsewhere.example' });
    if (headers.get('access-control-allow-origin') !== '*') faults.push(`${path}: pages of others can’t read it`);
  }
  assert.deepEqual(faults, []);
});

test('the switches of language and theme redirect to valid header values only', async () => {
  for (const to of ['/Ru/курс', '/En/\u2028', '/En/é?x=ß', '/En/faq#\u0400']) {
    const language = await ask(`/locale?to=${encodeURIComponent(to)}`);
    assert.equal(language.status, 303, to);
    const theme = await ask('/theme', 'POST', FORM, new URLSearchParams({ theme: 'dark', to }).toString());
    assert.equal(theme.status, 303, to);
    for (const { headers } of [language, theme]) assert.match(headers.get('location') ?? '', /^\/[\x21-\x7e]*$/, to);
  }
  assert.equal(
    (await ask(`/locale?to=${encodeURIComponent('/Ru/курс')}`)).headers.get('location'),
    '/Ru/%D0%BA%D1%83%D1%80%D1%81',
  );
});

test('public answers are also served to callers with an expired session', async () => {
  const authorization = `Bearer ${'x'.repeat(43)}`;
  for (const path of ['/sitemap.xml', '/embed/en/calculator', '/.well-known/kurs-receipt-keys.json', '/robots.txt', '/En/faq'])
    assert.equal((await ask(path, 'GET', { authorization })).status, 200, path);
});
