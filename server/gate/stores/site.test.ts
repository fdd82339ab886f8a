import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Site, isBelowStruck, isUndecided, leadsToSite } from './site.ts';

const at = new Date('2026-11-20T00:00:00Z');
const site = (origin: string, more: Partial<Site> = {}): Site => ({
  ...{ id: origin, storeId: 's', origin, addedAt: at, addedBy: undefined, isAltered: false },
  ...{ acceptedAt: undefined, acceptedBy: undefined, struckAt: undefined, struckBy: undefined, ...more },
});
const struck = (origin: string): Site => site(origin, { struckAt: at, struckBy: 'kim' });

test('an address leads to a site if its host is that of the site or lies below it', () => {
  const sites = [site('https://shop.example.com'), site('https://xn--e1aybc.xn--p1ai')];
  for (const address of [
    'https://shop.example.com',
    'https://SHOP.example.com/thanks?order=1#top',
    'https://pay.shop.example.com/x',
    'https://тест.рф/спасибо',
  ])
    assert.equal(leadsToSite(address, sites), true, address);
  for (const address of [
    'https://example.com/',
    'https://other.example.com/',
    'https://evilshop.example.com/',
    'https://shop.example.com.evil.org/',
    'https://shop.example.com./',
    'https://evil.org/shop.example.com',
    'https://evil.org/#@shop.example.com',
    'https://shop.example.com@evil.org/',
  ])
    assert.equal(leadsToSite(address, sites), false, address);
  assert.equal(leadsToSite('https://shop.example.com', []), false);
});

test('the nearest site decides, and a struck or altered one refuses all below it', () => {
  const sites = [site('https://example.com'), struck('https://bad.example.com'), site('https://good.bad.example.com')];
  for (const [address, leads] of [
    ['https://example.com/', true],
    ['https://shop.example.com/', true],
    ['https://bad.example.com/', false],
    ['https://x.bad.example.com/', false],
    ['https://good.bad.example.com/', true],
  ] as const)
    assert.equal(leadsToSite(address, sites), leads, address);
  assert.equal(leadsToSite('https://a.example', [site('https://a.example', { isAltered: true })]), false);
  assert.equal(leadsToSite('https://a.example', [site('https://a.example'), struck('https://a.example:8443')]), false);
});

test('nothing is added at a struck site or below it', () => {
  const sites = [struck('https://bad.example.com')];
  assert.equal(isBelowStruck('https://bad.example.com', sites), true);
  assert.equal(isBelowStruck('https://x.bad.example.com', sites), true);
  assert.equal(isBelowStruck('https://example.com', sites), false);
});

test('the desk has to decide about sites that a member added', () => {
  const added = { addedBy: 'ann' };
  assert.equal(isUndecided(site('https://a.example')), false);
  assert.equal(isUndecided(site('https://a.example', added)), true);
  assert.equal(isUndecided(site('https://a.example', { ...added, acceptedAt: at, acceptedBy: 'kim' })), false);
  assert.equal(isUndecided(site('https://a.example', { ...added, struckAt: at, struckBy: 'kim' })), false);
});
