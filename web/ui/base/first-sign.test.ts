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
    let tasks = 0;
    onFirstSign(() => (tasks += 1));
    page.dispatchEvent(new Event('scroll'));
    assert.equal(tasks, 0, 'who scrolls may only read');
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event('keydown'));
    assert.equal(tasks, 1);
  });
}

test('cancelled work is not run', () => {
  let tasks = 0;
  onFirstSign(() => (tasks += 1))();
  page.dispatchEvent(new Event('keydown'));
  assert.equal(tasks, 0);
});
