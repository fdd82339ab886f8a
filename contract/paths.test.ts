import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isFor } from './permissions.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';

const WRITTEN = '// Generated from `routes/` by `node contract/paths.test.ts --write`.';

/**
 * The client's lists of paths, generated from the routes. Run with `--write` after changing routes. Routes about an account have
 * a module of their own: bundlers keep a module whole, and visitors' pages call none of them.
 */
const ofAccount = (one: Route): boolean => isFor(one, 'user') || one.tag === 'Account';
const FILES = {
  'paths.ts': fileOf(
    (route) => !ofAccount(route),
    [
      '// Method and path of every route, for the client. Each is exported by itself, so that a page loads only those that it calls.',
      WRITTEN,
      '',
      "export * from './account-paths.ts';",
    ],
  ),
  'account-paths.ts': fileOf(ofAccount, ['// Method and path of the routes about an account; see paths.ts.', WRITTEN, '']),
};

function fileOf(fits: (route: Route) => boolean, head: readonly string[]): string {
  const rows = Object.entries<Route>(routes)
    .filter(([, route]) => fits(route))
    .map(([name, { method, path }]) => `export const ${name} = { method: '${method}', path: '${path}' } as const;`);
  return [...head, ...rows, ''].join('\n');
}

const urlOf = (name: string): URL => new URL(name, import.meta.url);
if (process.argv.includes('--write'))
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(urlOf(name), text)));

test('the client’s paths are the routes’ paths', async () => {
  for (const [name, text] of Object.entries(FILES)) assert.equal(await readFile(urlOf(name), 'utf8'), text, name);
});

test('no two routes share method and path', () => {
  const seen = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(seen).size, seen.length);
});

test('no path also fits another path with a parameter, so that an unsupported method is refused by name', () => {
  const paths = [...new Set(Object.values(routes).map(({ path }): string => path))];
  const patterns = paths.filter((path) => path.includes(':'));
  const collisions = patterns.flatMap((pattern) => {
    const fits = new RegExp(`^${pattern.replace(/:[a-z_]+/g, '[^/]+')}$`);
    return paths.filter((path) => path !== pattern && fits.test(path)).map((path) => `${path} fits ${pattern}`);
  });
  assert.deepEqual(collisions, []);
});
