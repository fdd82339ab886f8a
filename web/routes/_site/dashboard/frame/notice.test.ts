import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '@kurs/contract';
import { PAGES } from '../../../pages.ts';
import { iconOf, linkOf } from './notice.ts';

const KINDS = routes.userNotices.output.shape.notices.element.shape.kind.options;
const PATHS: ReadonlySet<string> = new Set(Object.values(PAGES).map(({ path }) => `/Ru/${path}`));

test('every kind of event links to the page of its subject', () => {
  for (const kind of KINDS) {
    const url = new URL(
      linkOf({ kind, id: 'KX-7F3Q-2M8C', txid: 'ab', money: { amount: '1', currency: 'BTC' } }, 'ru'),
      'http://x',
    );
    assert.ok(PATHS.has(url.pathname), `${kind}: ${url.pathname}`);
    assert.ok(iconOf({ kind }));
  }
  const at = (kind: (typeof KINDS)[number]): string => linkOf({ kind, id: '7' }, 'en');
  assert.equal(at('order_choose'), '/En/dashboard/order?id=7');
  assert.equal(at('withdrawal_rejected'), '/En/dashboard/wallet/withdraw?id=7');
  assert.equal(at('new_device'), '/En/dashboard/account#sessions');
  assert.equal(at('recovery_used'), '/En/dashboard/account#two-factor');
  assert.equal(at('closing_begun'), '/En/dashboard/account#close');
});
