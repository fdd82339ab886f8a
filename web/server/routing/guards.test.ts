import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { guardNamed } from './guards.ts';

test('an unknown guard of a page stops the start, since the page would be open', () => {
  assert.throws(() => guardNamed('sesion'), /no guard called sesion/);
  assert.throws(() => guardNamed('toString'), /no guard called/);
  assert.equal(typeof guardNamed('session'), 'function');
});

/** Loader hook that puts an unknown guard into the list of pages. */
const MISTYPED = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/web/routes/pages.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace("guard: 'session'", "guard: 'sesion'") };
  },
});`;

test('an unknown guard ends the build with a message before anything is built', async () => {
  const hook = `data:text/javascript,${encodeURIComponent(MISTYPED)}`;
  const build = new URL('../../build.ts', import.meta.url).pathname;
  await assert.rejects(promisify(execFile)(process.execPath, ['--import', hook, build, '--force']), {
    stderr: /The page dashboard: There is no guard called sesion/,
  });
});
