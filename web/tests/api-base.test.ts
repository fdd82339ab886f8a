// Configures the API at another address than the site and with another client-id. Every page, the calculator for other sites and
// their content security policies must follow.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Site, SiteResponse } from '../site.ts';
import { stubSite } from '../testing/serve.ts';

const WEB = join(import.meta.dirname, '..');
const API = 'https://api.kurs.example/calls';
const ORIGIN = new URL(API).origin;

let here: Site;
let elsewhere: Site;
before(async () => {
  here = await stubSite({ url: 'https://kurs.example' });
  elsewhere = await stubSite({ url: 'https://kurs.example', config: { api: API, clientId: 'shop' } });
});

const ask = (site: Site, url: string): Promise<SiteResponse> => site.handle({ method: 'GET', url, headers: {}, cookies: {} });
/** Returns the sources of one kind that a policy allows. */
const letIn = ({ headers }: SiteResponse, kind: string): string[] =>
  (new Map(headers).get('content-security-policy') ?? '')
    .split('; ')
    .find((part) => part.startsWith(`${kind} `))
    ?.split(' ')
    .slice(1) ?? [];

const PAGES = ['/En', '/Ru', '/En/faq', '/En/contact-us', '/En/dashboard/account', '/En/nowhere', '/En/track'];

test('every page names the API’s address and the client-id, and may fetch from there', async () => {
  for (const path of PAGES) {
    const answer = await ask(elsewhere, path);
    assert.match(answer.body, new RegExp(`<html [^>]*data-client="shop" data-api="${API}">`), path);
    assert.deepEqual(
      [letIn(answer, 'connect-src'), letIn(answer, 'img-src')],
      [
        ["'self'", ORIGIN],
        ["'self'", ORIGIN],
      ],
      path,
    );
    assert.deepEqual(letIn(answer, 'script-src'), ["'self'"], 'and run nothing from there');
    const own = await ask(here, path);
    assert.match(own.body, /<html [^>]*data-client="web">/, path);
    assert.deepEqual([letIn(own, 'connect-src'), letIn(own, 'img-src')], [["'self'"], ["'self'"]], path);
  }
});

test('the calculator for other sites uses the same address and client-id', async () => {
  const answer = await ask(elsewhere, '/embed/en/calculator?from=BTC&to=USDT_ERC20&amount=0.005');
  assert.deepEqual(letIn(answer, 'connect-src'), ["'self'", ORIGIN]);
  const data = /id="pair">([^<]+)</.exec(answer.body)?.[1] ?? '';
  const { api, clientId } = JSON.parse(data) as Record<string, unknown>;
  assert.deepEqual([api, clientId], [API, 'shop']);
  assert.deepEqual(letIn(await ask(here, '/embed/en/calculator'), 'connect-src'), ["'self'"]);
});

test('texts for programs name the API’s address', async () => {
  assert.ok((await ask(elsewhere, '/llms.txt')).body.includes(`(${API}/api/v1/openapi.json)`));
  assert.ok((await ask(elsewhere, '/En/solutions/payment-gate')).body.includes(`${API}/api/v1`));
});

test('no script but the one that knows the configuration names the API’s address or a client-id', async () => {
  const known = new Set(['features/api/address.ts', 'embed/calculator.ts']);
  const files = (await readdir(WEB, { recursive: true }))
    .filter((file) => /^(?:browser|embed|features|routes|ui)\/.*\.tsx?$/.test(file))
    .filter((file) => !known.has(file) && !file.endsWith('.test.ts') && !/-data\.tsx?$/.test(file));
  assert.ok(files.length > 200);
  for (const file of files) {
    const code = await readFile(join(WEB, file), 'utf8');
    assert.doesNotMatch(code, /\bfetch\(\s*[`'"]\/api\/|'client-id'|clientId: '|(?:href|src|assign)[=(]\{?[`'"]\/api\/v1/, file);
  }
});
