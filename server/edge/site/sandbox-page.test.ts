import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfPage } from '../calls/sandbox-routes.ts';

const SANDBOX = 'http://127.0.0.1:21300';

test('requests a page of the sandbox from the sandbox', () => {
  for (const path of ['/sandbox/payeer/merchant/', '/sandbox/paypal/checkout?token=a/../b', '/sandbox/a%2Fb'])
    assert.equal(addressOfPage(SANDBOX, path)?.href, SANDBOX + path);
});

test('requests nothing else: no other host, port or scheme, and no path that leads out', () => {
  for (const request of [
    'http://127.0.0.1:1234/sandbox/x',
    'http://127.0.0.1:21300/sandbox/x',
    'HTTP://169.254.169.254/sandbox/',
    '//169.254.169.254/sandbox/x',
    '/\\169.254.169.254/sandbox/x',
    'sandbox/x',
    'file:///sandbox/x',
    '/sandbox/../api/v1/control',
    '/sandbox/%2e%2e/control',
    '/sandbox/%2E./control',
    '/sandbox/..\\control',
    '/sandboxed/x',
    '/sandbox',
    '*',
    '',
  ])
    assert.equal(addressOfPage(SANDBOX, request), undefined, request);
});
