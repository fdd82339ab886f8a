// What the site is made of, as one hash: the build's id. Plain JavaScript for any Node from 18 on, because the installer
// asks it too, to know whether there is anything to build.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders that the site is made of. */
const SOURCES = ['web', 'contract', 'money'];

/** What a build makes, or tests alone use. */
const LEFT_OUT = /\/(dist|\.build|paraglide|testing|node_modules)$|project\.inlang\/(?!settings\.json$)|\.test\.ts$/;

/** A hash over every source file: 16 hexadecimal digits. */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const path of [...SOURCES.flatMap((folder) => filesUnder(join(ROOT, folder))), join(ROOT, 'package-lock.json')])
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.test(join(folder, entry.name)))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}
