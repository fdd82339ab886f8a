import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { createLimiter } from './limits.ts';

const limit = { max: 10, seconds: 60 };
const isLimited = (error: unknown): boolean => error instanceof Problem && error.code === 'rate_limited';

test('allows as many events as the limit, then says when to come back', () => {
  let now = 120_000;
  const limiter = createLimiter(() => now);
  for (let left = 9; left >= 0; left--) assert.equal(limiter.take('a', limit).remaining, left);
  now += 20_000;
  assert.throws(
    () => limiter.take('a', limit),
    (error) => isLimited(error) && (error as Problem).details.retryAfter === 40,
  );
  assert.equal(limiter.take('b', limit).remaining, 9, 'others are not concerned');
});

test('a window slides: the end of one and the begin of the next don’t add up', () => {
  let now = 119_999;
  const limiter = createLimiter(() => now);
  for (let i = 0; i < 10; i++) limiter.take('a', limit);
  now = 120_001;
  assert.throws(() => limiter.take('a', limit), isLimited);
  now = 150_000;
  for (let i = 0; i < 5; i++) limiter.take('a', limit);
  assert.throws(() => limiter.take('a', limit), isLimited);
  now = 300_000;
  assert.equal(limiter.take('a', limit).remaining, 9);
});

test('memory for keys is bounded', () => {
  const limiter = createLimiter(() => 0);
  for (let i = 0; i < 150_000; i++) limiter.take(`key ${i}`, limit);
  assert.equal(limiter.take('key 149999', limit).remaining, 8, 'the newest are kept');
});
