// Reads unified diffs and applies them to a tree. Lines must match exactly, but may have moved up or down.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Hunk {
  /** Index of its first line when the diff was made. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Changes of one file, named by its path in the tree. */
export interface Change {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** Parses the output of `git diff`. Throws if it does anything but change lines of existing files. */
export function readDiff(text: string): Change[] {
  return text
    .replace(/\n$/, '')
    .split(/^--- /m)
    .slice(1)
    .map((part) => {
      const [from = '', to = ''] = part.split('\n');
      const path = /^\+\+\+ b\/(\S+)/.exec(to)?.[1];
      if (path === undefined || from.split('\t')[0] !== `a/${path}`) throw new Error(`not a change of one file: ${from} → ${to}`);
      return { path, hunks: readHunks(part.slice(from.length + to.length + 2)) };
    });
}

function readHunks(text: string): Hunk[] {
  return text
    .split(/^@@ /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      const [, line, count = '1'] = /^-(\d+)(?:,(\d+))? /.exec(head) ?? [];
      const body = linesOf(lines, Number(count));
      const side = (sign: string): string[] =>
        body.flatMap((each) => (each[0] === ' ' || each === '' || each[0] === sign ? [each.slice(1)] : []));
      return { line: Number(line) - 1, before: side('-'), after: side('+') };
    });
}

/** Returns the lines of a hunk: as many old lines as its head counts, with the new lines among and right after them. */
function linesOf(lines: readonly string[], count: number): string[] {
  const body: string[] = [];
  let left = count;
  for (const line of lines) {
    const isNew = line.startsWith('+');
    if (!isNew && (left === 0 || !/^[ -]|^$/.test(line))) break;
    if (!isNew) left -= 1;
    body.push(line);
  }
  if (left > 0) throw new Error(`a hunk ends ${left} lines too early`);
  return body;
}

/**
 * Applies changes to the tree at `root` and returns a function that undoes them. Throws, and changes nothing, if the lines
 * to replace are missing or two places are equally near.
 */
export function applyChanges(root: string, changes: readonly Change[]): () => void {
  const texts = changes.map(({ path, hunks }) => {
    const file = join(root, path);
    const before = readFileSync(file, 'utf8');
    const after = hunks.reduce((text, hunk) => withHunk(text, hunk, path), before);
    return { file, before, after };
  });
  for (const { file, after } of texts) writeFileSync(file, after);
  return () => {
    for (const { file, before } of texts) writeFileSync(file, before);
  };
}

function withHunk(text: string, { line, before, after }: Hunk, path: string): string {
  const lines = text.split('\n');
  const places = lines.keys().filter((at) => before.every((each, n) => lines[at + n] === each));
  const [nearest, next] = [...places].map((at) => ({ at, far: Math.abs(at - line) })).sort((a, b) => a.far - b.far);
  const failure = (why: string): Error => new Error(`it no longer applies to ${path}: ${why}\n${before.join('\n')}`);
  if (nearest === undefined) throw failure('these lines are not there');
  if (next && nearest.far > 0 && next.far === nearest.far) throw failure('these lines are in two places');
  return lines.toSpliced(nearest.at, before.length, ...after).join('\n');
}
