// `npm run mutants`: StrykerJS makes small changes to the code of parts.ts, one at a time, and tests without a database must
// fail. Mutants that survive are listed; docs/mutants.md says which kinds of survivors are no faults.
//
//   npm run mutants            every part, one after the other
//   npm run mutants -- money   one part
//   npm run mutants -- payments finality payout.ts   its files whose paths contain one of the words
//   npm run mutants -- money --whole   also mutants that act only while files load, each in a process of its own

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTree } from '../faults/planting.ts';
import { EXPLORES, PARTS, type Part } from './parts.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const CACHE = join(ROOT, 'node_modules/.cache/kurs/mutants');
const STRYKER = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const AIM = 85;

/** The fields of StrykerJS's report that are read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'CompileError' | 'RuntimeError';
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
}

/** Installs StrykerJS at the first run. Nothing else needs it. */
function install(): void {
  if (existsSync(STRYKER)) return;
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' });
  if (done.status !== 0) throw new Error('StrykerJS could not be installed');
}

/** Names in the braces of patterns that match no file. A file that was moved would be left out unnoticed. */
const namesWithoutFile = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => {
    const names = /\{([^}]*)\}/.exec(pattern)?.[1]?.split(',') ?? [];
    return names.filter((name) => globSync(pattern.replace(/\{[^}]*\}/, name), { cwd: ROOT }).length === 0);
  });

const filesOf = (patterns: readonly string[]): string[] => patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort();

/** Runs StrykerJS on one part in a copy of the tree, so that its workspaces are those of the copy, too. */
function run(name: string, { mutate, tests }: Part, words: readonly string[]): Report {
  const without = namesWithoutFile([...mutate, ...tests]);
  if (without.length > 0) throw new Error(`${name}: no file is called ${without.join(', ')}`);
  const copy = copyTree();
  const reportFile = join(CACHE, `${name}.json`);
  const isChosen = (file: string): boolean => words.length === 0 || words.some((word) => file.includes(word));
  const changed = filesOf(mutate).filter((file) => !/\.(test|testing)\.ts$/.test(file) && isChosen(file));
  const stems = changed.map((file) => basename(file, '.ts'));
  const isOwn = (file: string): boolean => stems.some((stem) => basename(file).startsWith(stem));
  const turnOf = (file: string): number => (EXPLORES.test(file) ? 2 : isOwn(file) ? 0 : 1);
  try {
    const options = {
      testRunner: 'pure',
      pure: {
        // Tests run in this order until one fails. A file's own tests find most; those that explore all states take longest.
        testFiles: filesOf(tests)
          .filter((file) => !/\.(db|full|wide)\./.test(file))
          .sort((a, b) => turnOf(a) - turnOf(b)),
      },
      mutate: changed,
      inPlace: true,
      // Tests on a busy machine are slow, and a slow test must not count as a killed mutant.
      timeoutMS: 30_000,
      dryRunTimeoutMinutes: 30,
      concurrency: 2,
      coverageAnalysis: 'perTest',
      ignoreStatic: !isWhole,
      incremental: true,
      incrementalFile: join(CACHE, `${name}-incremental.json`),
      plugins: [join(HERE, 'runner.mjs'), join(HERE, 'texts.mjs')],
      ignorers: ['texts'],
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: reportFile },
      allowConsoleColors: false,
    };
    const file = join(copy.root, 'mutants.json');
    writeFileSync(file, JSON.stringify(options));
    // Compiled files are cached for the next of many processes.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(copy.root, 'compiled') };
    const done = spawnSync(process.execPath, [STRYKER, 'run', file], { cwd: copy.root, env, stdio: 'inherit' });
    if (done.status !== 0) throw new Error(`StrykerJS ended with ${done.status} in ${name}`);
    return JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  } finally {
    copy.remove();
  }
}

const isKilled = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const hasSurvived = ({ status }: Mutant): boolean => status === 'Survived';

/** Describes a mutant on one line: `original code → mutated code`. */
function changeOf(source: string, { location: { start, end }, replacement = '' }: Mutant): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  const short = (text: string): string => {
    const line = text.replaceAll(/\s+/g, ' ');
    return line.length > 90 ? `${line.slice(0, 89)}…` : line;
  };
  return `${short(lines.join('\n'))} → ${short(replacement)}`;
}

/** Prints for each file of a part how many mutants were found, and lists the survivors that a test reached. */
function report(name: string, { files }: Report): void {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const share = (mutants: readonly Mutant[]): string => {
    const [killed, survived] = [mutants.filter(isKilled).length, mutants.filter(hasSurvived).length];
    const unreached = mutants.filter(({ status }) => status === 'NoCoverage').length;
    const percent = ((100 * killed) / Math.max(1, killed + survived)).toFixed(1);
    return `${killed} of ${killed + survived} (${percent} %)${unreached > 0 ? `, ${unreached} that no test reaches` : ''}`;
  };
  console.log(`\n${name}: ${share(all)}, ${AIM} % is the aim`);
  for (const [file, { mutants, source }] of Object.entries(files)) {
    console.log(`  ${file}: ${share(mutants)}`);
    for (const mutant of mutants.filter(hasSurvived)) {
      console.log(`    ${mutant.location.start.line} ${mutant.mutatorName}: ${changeOf(source, mutant)}`);
    }
    const lines = mutants.filter(({ status }) => status === 'NoCoverage').map(({ location }) => location.start.line);
    if (lines.length > 0) console.log(`    no test reaches lines ${[...new Set(lines)].sort((a, b) => a - b).join(', ')}`);
  }
}

const isWhole = process.argv.includes('--whole');
const [chosen, ...words] = process.argv.slice(2).filter((word) => word !== '--whole');
if (chosen !== undefined && !(chosen in PARTS)) throw new Error(`the parts are ${Object.keys(PARTS).join(', ')}`);
install();
mkdirSync(CACHE, { recursive: true });
for (const [name, part] of Object.entries(PARTS)) {
  if (chosen === undefined || chosen === name) report(name, run(name, part, words));
}
