import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askRows, pageOf, rowsOf } from './rows.ts';

/** A list with this many numbers, and a record of the pages that were requested. */
function listOf(total: number) {
  const requests: number[] = [];
  const ask = async (page: number, perPage: number) => {
    requests.push(page);
    const start = (page - 1) * perPage;
    const data = Array.from({ length: Math.max(0, Math.min(perPage, total - start)) }, (_, at) => start + at);
    return { data, meta: { current_page: page, per_page: perPage, last_page: Math.ceil(total / perPage), total } };
  };
  return { ask, requests };
}

test('a page of a thousand rows combines answers of a hundred, and requests no more than there are', async () => {
  const { ask, requests } = listOf(1_234);
  const first = await askRows(ask, { page: 1, rows: 1_000 });
  assert.deepEqual([first.data.length, first.data.at(-1)], [1_000, 999]);
  assert.deepEqual(first.meta, { current_page: 1, per_page: 1_000, last_page: 2, total: 1_234 });
  const second = await askRows(ask, { page: 2, rows: 1_000 });
  assert.deepEqual([second.data.length, second.data[0], second.data.at(-1)], [234, 1_000, 1_233]);
  assert.deepEqual(requests, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('a page after the last shows the last, and an empty list has one page', async () => {
  const beyond = await askRows(listOf(30).ask, { page: 9, rows: 20 });
  assert.deepEqual([beyond.data[0], beyond.data.length, beyond.meta.current_page, beyond.meta.last_page], [20, 10, 2, 2]);
  assert.equal((await askRows(listOf(0).ask, { page: 1, rows: 1_000 })).meta.last_page, 1);
});

test('an address with an unknown page or number of rows gets the default', () => {
  const query = (text: string) => new URLSearchParams(text);
  assert.deepEqual([rowsOf(query('rows=100')), rowsOf(query('rows=50')), rowsOf(query(''))], [100, 20, 20]);
  assert.deepEqual(
    [pageOf(query('page=3')), pageOf(query('page=0')), pageOf(query('page=1e9')), pageOf(query(''))],
    [3, 1, 1, 1],
  );
});
