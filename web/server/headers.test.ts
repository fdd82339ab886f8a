import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageAssets } from './assets.ts';
import { contentSecurityPolicy, pageHeaders } from './headers.ts';

const files = { cssHash: 'sha256-x' } as PageAssets;
const policyOf = (google?: string): Map<string, string> => new Map(contentSecurityPolicy(files, { secure: true, google }));
const OPENER = 'cross-origin-opener-policy';

test('without Google, and with a script of our own origin, nothing of others is let in', () => {
  const bare = policyOf();
  assert.deepEqual([...bare.keys()], ['content-security-policy']);
  assert.doesNotMatch(bare.get('content-security-policy') ?? '', /https?:|frame-src/);
  assert.match(bare.get('content-security-policy') ?? '', /require-trusted-types-for 'script'; trusted-types kurs/);
  assert.deepEqual(policyOf('/sandbox/google/client'), bare);
  assert.equal(new Map(pageHeaders(undefined)).get(OPENER), 'same-origin');
});

test('Google’s script is let in with exactly what it needs, and may open its window', () => {
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
