// Computes the build's id, one hash of all sources of the site. Plain JavaScript for any Node from 18 on: the installer runs it
// too, to know if a build is needed.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders with sources of the site. */
const SOURCES = ['web', 'contract', 'money'];

/** Paths that don't belong to the sources: results of a build, and files that only tests use. */
const LEFT_OUT = /\/(dist|\.build|paraglide|testing|node_modules)$|project\.inlang\/(?!settings\.json$)|\.test\.ts$/;

/** Returns a hash of all source files: 16 hexadecimal digits. */
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
