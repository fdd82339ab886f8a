// One event suffices, each kind counts, and later ones are ignored.

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
  test(`${sign} runs the work, once`, () => {
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

test('cancelled work is not run', () => {
  let works = 0;
  onFirstSign(() => (works += 1))();
  page.dispatchEvent(new Event('keydown'));
  assert.equal(works, 0);
});
