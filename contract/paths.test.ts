import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { routes } from './routes/index.ts';

/** The client's list of paths, written from the routes. Run with `--write` after a change of routes. */
function pathsFile(): string {
  const rows = Object.entries(routes).map(
    ([name, { method, path }]) => `export const ${name} = { method: '${method}', path: '${path}' } as const;`,
  );
  return [
    '// Method and path of every route, for the client: each by itself, so that a page carries only those that it calls.',
    '// Written from `routes/` by `node contract/paths.test.ts --write`.',
    '',
    ...rows,
    '',
  ].join('\n');
}

const file = new URL('./paths.ts', import.meta.url);
if (process.argv.includes('--write')) await writeFile(file, pathsFile());

test('the client’s paths are the routes’ paths', async () => {
  assert.equal(await readFile(file, 'utf8'), pathsFile());
});

test('no two routes share method and path', () => {
  const seen = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(seen).size, seen.length);
});
