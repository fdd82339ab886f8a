// What a run costs: how long each test file had a core, and each test of a journey, and which had it longer than they may.

import type { Cost } from './suites.ts';

/** How long a test file may have a core in `npm test`, or one test of a journey; what needs longer belongs to the full run. */
const BOUND_MS = 10_000;
/** How long a whole journey may, with the system and browser that it starts or shares. */
const JOURNEY_BOUND_MS = 60_000;
/** What may have it for longer, as it is all that a quick run has of its kind. */
const OWN_BOUNDS_MS: Readonly<Record<string, number>> = {
  'server/simulation/seeds.wide.db.test.ts': 40_000,
  'e2e/exchange/exchange-browser.together.journey.ts › an exchange in the browser > BTC becomes USDT_ERC20 at /En': 20_000,
  'e2e/exchange/no-javascript.together.journey.ts › an exchange without JavaScript > BTC becomes USDT_ERC20 at /En': 20_000,
  'e2e/running/kill.clock.together.journey.ts › orders go on by themselves when > everything is killed at once': 20_000,
  'e2e/running/start.journey.ts › the second start serves after seconds of work, and goes on with the chains and data of the first': 25_000,
};
/** The pace is that of the whole run, and a file's own may have been another: only what is over its bound by this fails. */
const NOISE = 2;
/** So many files that cost most are told. */
const DEAREST = 10;

/** One that had a core for longer than it may, in words; one `fails` that needs much longer. */
export interface Excess {
  readonly words: string;
  readonly fails: boolean;
}

/** How long this may have a core, in milliseconds at the usual pace. */
const boundMs = (name: string): number => OWN_BOUNDS_MS[name] ?? (name.endsWith('.journey.ts') ? JOURNEY_BOUND_MS : BOUND_MS);

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** What the files of a run cost, and the tests of its journeys. Files are named by their paths in the project. */
export class Costs {
  readonly #files = new Map<string, number>();
  /** Of journeys, whose systems and browsers are shared: by file and name. */
  readonly #tests = new Map<string, number>();
  #loading = 0;

  note({ costOf: file, test, coreMs }: Cost): void {
    if (test !== undefined) this.#tests.set(`${file} › ${test}`, coreMs);
    else if (file === '') this.#loading += coreMs;
    else this.#files.set(file, (this.#files.get(file) ?? 0) + coreMs);
  }

  /** Forgets a file, which is run once more. */
  forget(file: string): void {
    this.#files.delete(file);
    for (const test of this.#tests.keys()) if (test.startsWith(`${file} › `)) this.#tests.delete(test);
  }

  /** What it came to, in words with the dearest files; undefined where nothing ran. `slower`: than the usual pace, so many times. */
  summary(coreMs: number, slower: number): string | undefined {
    if (this.#files.size === 0) return undefined;
    const files = [...this.#files].sort(([, a], [, b]) => b - a);
    const inFiles = files.reduce((sum, [, ms]) => sum + ms, 0);
    const dearest = files.slice(0, DEAREST).map(([file, ms]) => `\n  ${inSeconds(ms)} ${file}`);
    const parts = `${inSeconds(inFiles)} in test files, ${inSeconds(this.#loading)} in loading them`;
    const pace = slower > 1 ? `, at ${(1 / slower).toFixed(2)} of the usual pace` : '';
    return `a core was used for ${inSeconds(coreMs)}${pace}: ${parts}; the dearest${dearest.join('')}`;
  }

  /** What had a core for longer than it may: files, and tests of journeys. */
  excesses(slower: number): Excess[] {
    return [...this.#files, ...this.#tests].flatMap(([name, ms]) => {
      const bound = boundMs(name) * slower;
      const words = `${name} had a core for ${inSeconds(ms)}, ${inSeconds(bound)} are allowed: see CONTRIBUTING.md, Tests`;
      return ms > bound ? [{ words, fails: ms > bound * NOISE }] : [];
    });
  }
}
