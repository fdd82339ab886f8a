import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOrderNumber, orderNumber, uuidv7 } from './index.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('an order number has the right format and check character', () => {
  fc.assert(
    fc.property(bytes(5), (random) => {
      const number = orderNumber(random);
      assert.match(number, /^KX-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      assert.ok(isOrderNumber(number));
    }),
  );
  assert.match(orderNumber(new Uint8Array(5), 'AB'), /^AB-/);
  assert.throws(() => orderNumber(new Uint8Array(4)), RangeError);
  assert.equal(isOrderNumber('KX-7F3Q-2M8'), false);
});

test('35 random bits make the number: different bits, different numbers', () => {
  const seen = new Set<string>();
  for (let bit = 0; bit < 40; bit += 1) {
    const random = new Uint8Array(5);
    random[bit >> 3] = 1 << (bit & 7);
    seen.add(orderNumber(random));
  }
  assert.ok(seen.size >= 35, `${seen.size} numbers of 40 bits`);
});

test('the check catches every wrong character and every swap of neighbours', () => {
  fc.assert(
    fc.property(bytes(5), (random) => {
      const number = orderNumber(random);
      const places = [3, 4, 5, 6, 8, 9, 10, 11];
      for (const place of places) {
        for (const other of ALPHABET) {
          if (other === number[place]) continue;
          const wrong = number.slice(0, place) + other + number.slice(place + 1);
          assert.equal(isOrderNumber(wrong), false, `${number} written ${wrong}`);
        }
      }
      places.slice(1).forEach((place, index) => {
        const before = places[index] as number;
        const swapped = [...number];
        [swapped[before], swapped[place]] = [swapped[place] as string, swapped[before] as string];
        const text = swapped.join('');
        if (text !== number) assert.equal(isOrderNumber(text), false, `${number} written ${text}`);
      });
    }),
  );
});

test('a uuid v7 contains its time, version and variant', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), bytes(10), (time, random) => {
      const id = uuidv7(time, random);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), time);
    }),
  );
  assert.ok(uuidv7(1, new Uint8Array(10).fill(255)) < uuidv7(2, new Uint8Array(10)));
  assert.throws(() => uuidv7(1, new Uint8Array(9)), RangeError);
});

test('all 74 random bits of a uuid v7 are used', () => {
  const zero = uuidv7(0, new Uint8Array(10));
  let used = 0;
  for (let bit = 0; bit < 80; bit += 1) {
    const random = new Uint8Array(10);
    random[bit >> 3] = 1 << (bit & 7);
    if (uuidv7(0, random) !== zero) used += 1;
  }
  assert.equal(used, 74);
});

test('only a complete order number is accepted', () => {
  const number = orderNumber(new Uint8Array([1, 2, 3, 4, 5]));
  assert.ok(isOrderNumber(number));
  for (const wrong of [
    ` ${number}`,
    `${number} `,
    `X${number}`,
    `${number}0`,
    number.toLowerCase(),
    number.replaceAll('-', ''),
    '',
  ])
    assert.equal(isOrderNumber(wrong), false, wrong);
});

test('numbers and uuids of known bytes', () => {
  const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at * 25);
  assert.equal(orderNumber(bytesOf(5)), 'KX-0CK4-JV47');
  assert.equal(orderNumber(bytesOf(5)), orderNumber(Uint8Array.from([...bytesOf(5), 99])), 'more bytes are not used');
  assert.equal(uuidv7(1_795_564_800_000, bytesOf(10)), uuidv7(1_795_564_800_000, Uint8Array.from([...bytesOf(10), 99])));
  assert.equal(uuidv7(1_795_564_800_000, bytesOf(10)), '01a21000-8800-7019-b24b-647d96afc8e1');
});
