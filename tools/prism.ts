// Prism, a third-party validating proxy: it checks requests and answers against an OpenAPI document.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../server/platform/base/ports.ts';

const VERSION = '5.16.0';
/** Not among the locked packages: it brings two hundred that only the full run needs. */
const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), `node_modules/.cache/kurs/prism-${VERSION}`);
const CLI = join(FOLDER, 'node_modules/@stoplight/prism-cli/dist/index.js');
const START_MS = 120_000;

/** A running proxy. */
export interface Prism {
  readonly url: string;
  stop(): Promise<void>;
}

/** Installs Prism if it is missing. Returns why it can't be installed, or undefined if it is there. */
export async function installPrism(): Promise<string | undefined> {
  if (existsSync(CLI)) return undefined;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = await promisify(execFile)('npm', ['install', ...options, `@stoplight/prism-cli@${VERSION}`], {
    cwd: FOLDER,
  }).catch((error: unknown) => String(error));
  return typeof installed === 'string' ? installed : undefined;
}

/** Starts the proxy before `upstream`. It reports violations in `sl-violations` of each answer and refuses nothing. */
export async function startPrism(document: object, upstream: string): Promise<Prism> {
  const folder = await mkdtemp(join(tmpdir(), 'kurs-prism-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const port = await freePort();
  const child = spawn(process.execPath, [CLI, 'proxy', file, upstream, '--port', `${port}`, '--host', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(child, url);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}

async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  const last = performance.now() + START_MS;
  while (performance.now() < last && child.exitCode === null) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await pause(200);
  }
  throw new Error(`Prism does not answer (${child.exitCode})`);
}
