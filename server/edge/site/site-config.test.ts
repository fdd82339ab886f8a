import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../platform/index.ts';
import type { Rail } from '../../rails/index.ts';
import { formOrigins, siteConfig } from './site-config.ts';

test('names the operator and the contacts of the desk, as far as they are configured', () => {
  const bare = siteConfig(loadConfig({}));
  assert.deepEqual(Object.keys(bare), ['name', 'url', 'mode', 'clientId']);
  const full = siteConfig(
    loadConfig({
      KURS_ENTITY: 'Kurs Exchange OÜ; 16012345; Narva mnt 7, Tallinn',
      KURS_CONTACT: 'help@kurs.example',
      KURS_LINKS: 'Telegram=https://t.me/kurs?a=b, X=https://x.com/kurs',
      KURS_HOURS: '08:00-23:00',
    }),
  );
  assert.deepEqual(full.legal, { entity: 'Kurs Exchange OÜ', registration: '16012345', address: 'Narva mnt 7, Tallinn' });
  assert.deepEqual(full.contacts, {
    email: 'help@kurs.example',
    links: [
      { name: 'Telegram', url: 'https://t.me/kurs?a=b' },
      { name: 'X', url: 'https://x.com/kurs' },
    ],
  });
  assert.deepEqual(full.supportHours, { from: '08:00', to: '23:00' });
});

test('names Google’s script if there is a client id, and one of our own origin by its path', () => {
  const googleOf = (more: Record<string, string>) =>
    siteConfig(loadConfig({ BASE_URL: 'http://desk.example', KURS_GOOGLE_CLIENT_ID: 'id', ...more })).google;
  assert.deepEqual(googleOf({}), { clientId: 'id', script: 'https://accounts.google.com/gsi/client' });
  const own = { KURS_GOOGLE_SCRIPT: 'http://desk.example/sandbox/google/client' };
  assert.deepEqual(googleOf(own), { clientId: 'id', script: '/sandbox/google/client' });
  assert.equal(googleOf({ KURS_GOOGLE_CLIENT_ID: '' }), undefined);
});

test('names the robot check’s script: the usual one, or one of our own origin by its path', () => {
  const checkOf = (more: Record<string, string>) => siteConfig(loadConfig({ BASE_URL: 'http://desk.example', ...more })).botCheck;
  assert.equal(checkOf({}), undefined);
  assert.deepEqual(checkOf({ KURS_BOT_CHECK: 'turnstile' }), {
    name: 'turnstile',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
  });
  assert.deepEqual(checkOf({ KURS_BOT_CHECK: 'recaptcha', KURS_BOT_SCRIPT: 'http://desk.example/sandbox/recaptcha/api.js' }), {
    name: 'recaptcha',
    script: '/sandbox/recaptcha/api.js',
  });
});

test('refuses a link without an https address at the start', () => {
  for (const links of ['Telegram', 'Telegram=t.me/kurs', 'Bad=javascript:alert(1)'])
    assert.throws(() => loadConfig({ KURS_LINKS: links }), /KURS_LINKS/);
});

test('lists each origin of providers’ forms once, and not our own, which is always allowed', () => {
  const rail = (...forms: string[]) => ({ forms }) as unknown as Rail;
  const rails = new Map([
    ['a', rail('https://pay.example/merchant/')],
    ['b', rail('https://pay.example/other', 'https://desk.example/sandbox/b/')],
    ['c', {} as Rail],
  ]);
  assert.deepEqual(formOrigins(rails, 'https://desk.example'), ['https://pay.example']);
});
