// Every call with a period refuses a `to` before its `from`, at the field `to`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { routes } from '../routes/index.ts';
import { day } from '../wire.ts';

const isDay = (schema: unknown): boolean => schema === day || (schema instanceof z.ZodOptional && isDay(schema.unwrap()));

/** Other fields that calls may require. */
const MORE = [{}, { currency: 'BTC' }, { store: '01a2294a-ef00-73bd-8c9f-5bc6bd8cf968' }];

test('every call between two days refuses a last one before the first, on `to`', () => {
  const between = Object.entries(routes).filter(([, { input }]) => {
    const { from, to } = (input as z.ZodObject).shape ?? {};
    return isDay(from) && isDay(to);
  });
  assert.ok(between.length >= 10, between.map(([name]) => name).join(' '));
  const codes = (input: z.ZodType, days: object): string[][] =>
    MORE.map((more) =>
      (input.safeParse({ ...days, ...more }).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    );
  const lax = between.flatMap(([name, { input }]) => {
    const requests = codes(input, { from: '2026-02-02', to: '2026-02-01' });
    assert.ok(
      codes(input, { from: '2026-02-02', to: '2026-02-02' }).some((found) => found.length === 0),
      `${name} takes one day`,
    );
    return requests.some((found) => found.join() === 'to to_before_from') ? [] : [name];
  });
  assert.deepEqual(lax, []);
});
