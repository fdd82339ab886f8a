// One sign is enough, each kind counts, and nobody hears of the second.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { onFirstSign } from './first-sign.ts';

let page: EventTarget;
beforeEach(() => {
  page = new EventTarget();
  Object.assign(globalThis, { document: page });
});
afterEach(() => Reflect.deleteProperty(globalThis, 'document'));

for (const sign of ['pointermove', 'pointerdown', 'focusin', 'keydown']) {
  test(`${sign} is a sign, once`, () => {
    let works = 0;
    onFirstSign(() => (works += 1));
    page.dispatchEvent(new Event('scroll'));
    assert.equal(works, 0, 'who scrolls may only read');
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event('keydown'));
    assert.equal(works, 1);
  });
}

test('what was taken back is not done', () => {
  let works = 0;
  onFirstSign(() => (works += 1))();
  page.dispatchEvent(new Event('keydown'));
  assert.equal(works, 0);
});
