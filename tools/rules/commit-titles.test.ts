import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { titleFlaw, titlesAdded } from './commit-titles.ts';

test('a title names its room, a verb and an object, in 72 characters', () => {
  for (const title of ['ledger: seal journals in one chain', 'e2e: test the main journey', `docs: add ${'ё'.repeat(62)}`]) {
    assert.equal(titleFlaw(title), undefined, title);
  }
  for (const title of ['Sums are whole', 'Docs: x', 'docs:x', 'docs: ', 'docs', 'wip', 'fixup! docs: x', 'a room: x']) {
    assert.match(titleFlaw(title) ?? '', /begin with its room/, title);
  }
  for (const title of ['ledger: one chain for journals', 'docs: what is owed', 'docs: Add x', 'docs: adds x']) {
    assert.match(titleFlaw(title) ?? '', /begin with a verb/, title);
  }
  assert.equal(titleFlaw(`docs: add ${'ё'.repeat(63)}`), 'has 73 characters, at most 72');
});

const hasGit = spawnSync('git', ['--version']).status === 0;

test('the commits that main doesn’t have are read, and none where there is nothing to compare with', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'kurs-titles-'));
  t.after(() => rmSync(root, { recursive: true }));
  assert.deepEqual(titlesAdded(root), [], 'no tree of git');
  if (!hasGit) return;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: root, stdio: 'ignore' });
  const commit = (title: string) => git('commit', '--allow-empty', '-m', title, '-m', 'Why.\n\nMore of it.');
  git('init', '-b', 'work');
  commit('An old title');
  assert.deepEqual(titlesAdded(root), [], 'no main');
  git('branch', 'main');
  assert.deepEqual(titlesAdded(root), [], 'nothing added');
  commit('docs: first');
  commit('Second');
  assert.deepEqual(titlesAdded(root), ['Second', 'docs: first']);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  assert.deepEqual(titlesAdded(root), ['Second'], 'what is pushed counts first');
});
