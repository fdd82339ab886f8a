// `npm run mutants`: small changes are made to the code of amounts and of the machines, one at a time, and the tests
// without a database have to fail. What survives is listed; docs/mutants.md says which kinds of survivors are no faults.
//
//   npm run mutants            every part, one after the other
//   npm run mutants -- money   one part
//   npm run mutants -- payments finality payout.ts   those of its files whose paths hold one of the words
//   npm run mutants -- money --whole   also what only runs while files load: each in a process of its own

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTree } from '../faults/planting.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const KEPT = join(ROOT, 'node_modules/.cache/kurs/mutants');
const STRYKER = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const AIM = 85;

/** What is changed, and the tests that must notice. */
interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** The tables of the machines as they were read by people: a changed table is another picture. */
const PICTURE = 'tools/draw-machines.test.ts';

/** Tests that go through whole worlds. */
const EXPLORES = /exhaustive/;

const PARTS: Readonly<Record<string, Part>> = {
  money: { mutate: ['money/*.ts'], tests: ['money/*.test.ts'] },
  exchange: {
    mutate: ['server/exchange/**/{machine,guards,payment-coverage,steps,transfer-steps,reversal-steps,timers}.ts'],
    // Going through whole worlds takes a quarter of a minute for each change, and finds none that single rows don't.
    tests: ['server/exchange/{machine,order,apply,actions,calculation,scenarios,views}/**/*.test.ts', PICTURE],
  },
  // What the sums of an exchange are made of has quick tests of its own.
  sums: {
    mutate: [
      'server/exchange/**/{postings,breakdown,hold,derived-orders,approvals}.ts',
      'server/collecting/{collection,legs,pieces}.ts',
    ],
    tests: [
      'server/exchange/**/{postings,pieces,breakdown,hold,derived-orders,approvals}*.test.ts',
      'server/collecting/*.test.ts',
    ],
  },
  payments: {
    mutate: ['server/payments/**/{payout,payin,finality,returned-sends,standing-difference}.ts'],
    tests: ['server/payments/**/{payout,payin,finality,returned,standing-difference}*.test.ts'],
  },
  wallets: {
    mutate: ['server/wallets/*/{withdrawal,deposit}.ts', 'server/moneyout/rule.ts'],
    tests: ['server/wallets/**/*.test.ts', 'server/moneyout/*.test.ts', PICTURE],
  },
};

/** The part of StrykerJS's report that is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'CompileError' | 'RuntimeError';
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>;
}

/** Installed on demand: nobody else needs it. */
function install(): void {
  if (existsSync(STRYKER)) return;
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' });
  if (done.status !== 0) throw new Error('StrykerJS could not be installed');
}

/** The names in the braces of patterns that no file has: a file that was moved would be left out without a word. */
const namesWithoutFile = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => {
    const names = /\{([^}]*)\}/.exec(pattern)?.[1]?.split(',') ?? [];
    return names.filter((name) => globSync(pattern.replace(/\{[^}]*\}/, name), { cwd: ROOT }).length === 0);
  });

const filesOf = (patterns: readonly string[]): string[] => patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort();

/** Changes one part in a copy of the tree, in place: so its workspaces, too, are those that are changed. */
function run(name: string, { mutate, tests }: Part, words: readonly string[]): Report {
  const without = namesWithoutFile([...mutate, ...tests]);
  if (without.length > 0) throw new Error(`${name}: no file is called ${without.join(', ')}`);
  const copy = copyTree();
  const report = join(KEPT, `${name}.json`);
  const isAsked = (file: string): boolean => words.length === 0 || words.some((word) => file.includes(word));
  const changed = filesOf(mutate).filter((file) => !/\.(test|testing)\.ts$/.test(file) && isAsked(file));
  const stems = changed.map((file) => basename(file, '.ts'));
  const isOwn = (file: string): boolean => stems.some((stem) => basename(file).startsWith(stem));
  const turnOf = (file: string): number => (EXPLORES.test(file) ? 2 : isOwn(file) ? 0 : 1);
  try {
    const options = {
      testRunner: 'pure',
      pure: {
        // They run in this order until one fails: a file's own tests find most, going through whole worlds takes longest.
        testFiles: filesOf(tests)
          .filter((file) => !/\.(db|full|wide)\./.test(file))
          .sort((a, b) => turnOf(a) - turnOf(b)),
      },
      mutate: changed,
      inPlace: true,
      // A busy machine takes its time, and what is only slow is not found.
      timeoutMS: 30_000,
      dryRunTimeoutMinutes: 30,
      concurrency: 2,
      coverageAnalysis: 'perTest',
      ignoreStatic: !isWhole,
      incremental: true,
      incrementalFile: join(KEPT, `${name}-incremental.json`),
      plugins: [join(HERE, 'runner.mjs'), join(HERE, 'texts.mjs')],
      ignorers: ['texts'],
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowConsoleColors: false,
    };
    const file = join(copy.root, 'mutants.json');
    writeFileSync(file, JSON.stringify(options));
    // What Node has made of our files is kept for the next of many processes.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(copy.root, 'compiled') };
    const done = spawnSync(process.execPath, [STRYKER, 'run', file], { cwd: copy.root, env, stdio: 'inherit' });
    if (done.status !== 0) throw new Error(`StrykerJS ended with ${done.status} in ${name}`);
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } finally {
    copy.remove();
  }
}

const isKilled = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const isAlive = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

/** What was changed, on one line: `what stood there → what stood there instead`. */
function told(source: string, { location: { start, end }, replacement = '' }: Mutant): string {
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

/** Tells of a part: of each file how much was found, and what was not. */
function tell(name: string, { files }: Report): void {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const share = (mutants: readonly Mutant[]): string => {
    const [killed, alive] = [mutants.filter(isKilled).length, mutants.filter(isAlive).length];
    return `${killed} of ${killed + alive} (${((100 * killed) / Math.max(1, killed + alive)).toFixed(1)} %)`;
  };
  console.log(`\n${name}: ${share(all)}, ${AIM} % is the aim`);
  for (const [file, { mutants, source }] of Object.entries(files)) {
    console.log(`  ${file}: ${share(mutants)}`);
    for (const mutant of mutants.filter(isAlive)) {
      console.log(`    ${mutant.location.start.line} ${mutant.mutatorName}: ${told(source, mutant)}`);
    }
  }
}

const isWhole = process.argv.includes('--whole');
const [asked, ...words] = process.argv.slice(2).filter((word) => word !== '--whole');
if (asked !== undefined && !(asked in PARTS)) throw new Error(`the parts are ${Object.keys(PARTS).join(', ')}`);
install();
mkdirSync(KEPT, { recursive: true });
for (const [name, part] of Object.entries(PARTS)) {
  if (asked === undefined || asked === name) tell(name, run(name, part, words));
}
