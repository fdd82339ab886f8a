// Unified diffs, read and put into a tree by their exact lines: nothing is guessed, only moved up or down.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Hunk {
  /** Where it stood when the diff was made, counted from 0. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What a diff changes in one file, by its path in the tree. */
export interface Change {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** The changes of a diff as `git diff` writes it. Throws for anything but changed lines of files that stay. */
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

/** The lines of a hunk: as many old ones as its head counts, and the new ones among and right after them. */
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
 * Puts changes into the tree at `root`, and gives what takes them out again. Throws where the lines that a change
 * replaces are nowhere, or where several places are as near as each other; the tree is then as it was.
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
  const told = (why: string): Error => new Error(`it no longer applies to ${path}: ${why}\n${before.join('\n')}`);
  if (nearest === undefined) throw told('these lines are not there');
  if (next && nearest.far > 0 && next.far === nearest.far) throw told('these lines are in two places');
  return lines.toSpliced(nearest.at, before.length, ...after).join('\n');
}
