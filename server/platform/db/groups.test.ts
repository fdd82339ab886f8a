import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOfAltered, inGroupsById } from './groups.ts';

const ROWS = Array.from({ length: 7 }, (_, at) => ({ id: `${at}`, isRight: at % 3 !== 0 }));

test('reads a long table in groups, each row once, with no needless query', async () => {
  for (const [count, max, reads] of [
    [0, 3, 1],
    [2, 3, 1],
    [3, 3, 2],
    [6, 3, 3],
    [7, 3, 3],
  ] as const) {
    let request = 0;
    const read = async (behind: string | undefined, limit: number) => {
      request += 1;
      return ROWS.slice(0, count)
        .filter(({ id }) => behind === undefined || id > behind)
        .slice(0, limit);
    };
    const seen: string[] = [];
    for await (const rows of inGroupsById(read, ({ id }) => id, max)) seen.push(...rows.map(({ id }) => id));
    assert.deepEqual([seen, request], [ROWS.slice(0, count).map(({ id }) => id), reads]);
    const altered = ROWS.slice(0, count)
      .filter(({ isRight }) => !isRight)
      .map(({ id }) => id);
    assert.deepEqual(await idsOfAltered(read, ({ isRight }) => isRight, max), altered);
  }
});
