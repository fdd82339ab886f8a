import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrastOf, lettersOn } from './contrast.ts';

test('the contrast of two colours is that of WCAG, in either order', () => {
  for (const [one, other, ratio] of [
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
    ['#123456', '#123456', 1],
  ] as const) {
    assert.equal(Number(contrastOf(one, other).toFixed(2)), ratio, `${one} ${other}`);
    assert.equal(contrastOf(one, other), contrastOf(other, one));
  }
});

test('letters on every colour have a contrast of 4.5 or more', () => {
  const [white, black] = ['#ffffff', '#000000'];
  assert.deepEqual(['#0c4a4e', '#000000', '#767676'].map(lettersOn), [white, white, black]);
  assert.deepEqual(['#ffffff', '#ffd400', '#ff0000'].map(lettersOn), [black, black, black]);
  let least = 21;
  for (let red = 0; red < 256; red += 5)
    for (let green = 0; green < 256; green += 3)
      for (let blue = 0; blue < 256; blue += 17) {
        const colour = `#${[red, green, blue].map((one) => one.toString(16).padStart(2, '0')).join('')}`;
        least = Math.min(least, contrastOf(colour, lettersOn(colour)));
      }
  assert.ok(least >= 4.5, String(least));
});
