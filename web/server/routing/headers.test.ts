import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE } from '../../entries/site.ts';
import type { SiteConfig } from '../../site.ts';
import { contentSecurityPolicy, pageHeaders } from './headers.ts';

const HASH = 'sha256-x';
const policyOf = (google?: string): Map<string, string> =>
  new Map(contentSecurityPolicy(SITE.policy, HASH, { isSecure: true, google }));
const OPENER = 'cross-origin-opener-policy';

test('without Google, or with its script at our own origin, the policy admits no third party', () => {
  const bare = policyOf();
  assert.deepEqual([...bare.keys()], ['content-security-policy']);
  assert.doesNotMatch(bare.get('content-security-policy') ?? '', /https?:|frame-src/);
  assert.match(bare.get('content-security-policy') ?? '', /require-trusted-types-for 'script'; trusted-types kurs/);
  assert.deepEqual(policyOf('/sandbox/google/client'), bare);
  assert.equal(new Map(pageHeaders(undefined)).get(OPENER), 'same-origin');
});

test('the policy admits exactly what Google’s script needs, and lets it open its window', () => {
  const script = 'https://accounts.google.com/gsi/client';
  const policy = policyOf(script);
  const enforced = new Map(
    policy
      .get('content-security-policy')
      ?.split('; ')
      .map((rule) => [rule.split(' ')[0], rule] as const),
  );
  assert.equal(enforced.get('script-src'), `script-src 'self' ${script}`);
  assert.equal(enforced.get('style-src'), "style-src 'self' 'sha256-x' https://accounts.google.com/gsi/style");
  assert.equal(enforced.get('connect-src'), "connect-src 'self' https://accounts.google.com/gsi/");
  assert.equal(enforced.get('frame-src'), 'frame-src https://accounts.google.com/gsi/');
  assert.equal(enforced.get('default-src'), "default-src 'none'");
  assert.equal([...enforced.values()].filter((rule) => /https?:/.test(rule)).length, 4);
  assert.equal(enforced.has('require-trusted-types-for'), false);
  assert.match(policy.get('content-security-policy-report-only') ?? '', /^require-trusted-types-for 'script'/);
  assert.equal(new Map(pageHeaders({ clientId: 'x', script })).get(OPENER), 'same-origin-allow-popups');
});

test('the policy admits the documented hosts of a third-party robot check, and none for one at our own origin', () => {
  const rules = (botCheck: NonNullable<SiteConfig['botCheck']>, google?: string) => {
    const policy =
      new Map(contentSecurityPolicy(SITE.policy, HASH, { isSecure: true, google, botCheck })).get('content-security-policy') ??
      '';
    return new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule] as const));
  };
  const cloudflare = 'https://challenges.cloudflare.com';
  const turnstile = rules({ name: 'turnstile', script: `${cloudflare}/turnstile/v0/api.js` });
  assert.equal(turnstile.get('script-src'), `script-src 'self' ${cloudflare}`);
  assert.equal(turnstile.get('frame-src'), `frame-src ${cloudflare}`);
  assert.equal([...turnstile.values()].filter((rule) => /https?:/.test(rule)).length, 2);
  assert.equal(turnstile.has('require-trusted-types-for'), false);

  const recaptcha = rules({ name: 'recaptcha', script: 'https://www.google.com/recaptcha/api.js' });
  const [own, others] = ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'];
  assert.equal(recaptcha.get('script-src'), `script-src 'self' ${own} https://www.gstatic.com/recaptcha/`);
  assert.equal(recaptcha.get('frame-src'), `frame-src ${own} ${others}`);
  assert.equal([...recaptcha.values()].filter((rule) => /https?:/.test(rule)).length, 2);

  const both = rules(
    { name: 'turnstile', script: `${cloudflare}/turnstile/v0/api.js` },
    'https://accounts.google.com/gsi/client',
  );
  assert.equal(both.get('script-src'), `script-src 'self' https://accounts.google.com/gsi/client ${cloudflare}`);

  const sandbox = rules({ name: 'turnstile', script: '/sandbox/turnstile/api.js' });
  assert.ok(sandbox.has('require-trusted-types-for'));
  assert.doesNotMatch([...sandbox.values()].join(), /https?:|frame-src/);
});

test('other origins that are fetched are admitted for fetching alone', () => {
  const policy = new Map(contentSecurityPolicy(SITE.policy, HASH, { isSecure: true, fetched: ['https://cdn.example'] }));
  const text = policy.get('content-security-policy') ?? '';
  assert.match(text, /connect-src 'self' https:\/\/cdn\.example;/);
  assert.equal(text.match(/cdn\.example/g)?.length, 1);
});

test('only a page that states it may be framed by anyone and reveals its origin', () => {
  const shown = { framing: 'anyone', referrer: 'origin' } as const;
  const met = (exposure = {}) => {
    const headers = new Map([
      ...pageHeaders(undefined, exposure),
      ...contentSecurityPolicy(SITE.policy, HASH, { isSecure: true, exposure }),
    ]);
    const rules = headers.get('content-security-policy')?.split('; ') ?? [];
    return [rules.find((rule) => rule.startsWith('frame-')), headers.get('x-frame-options'), headers.get('referrer-policy')];
  };
  assert.deepEqual(met(shown), ['frame-ancestors *', undefined, 'origin']);
  assert.deepEqual(met(), ["frame-ancestors 'none'", 'DENY', 'same-origin']);
});
