// Planted bugs in one line of the product's source: a thread loads the changed line, and runs seeds until the auditor finds it.
// Modules can't be replaced once they are loaded, so each bug has a thread of its own.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { once } from 'node:events';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

/** A line of the product, without and with the bug. `file`: its path below `server/`. */
export interface SourceBug {
  readonly file: string;
  readonly was: string;
  readonly is: string;
}

/** Seeds to run with a bug. `found`: source of the pattern of the auditor's message about it. */
export interface Seeds {
  readonly seeds: readonly number[];
  readonly steps: number;
  readonly found: string;
}

/** The seed that found the bug; undefined if none did. `others`: what seeds found instead. */
export interface Finding {
  readonly seed: number | undefined;
  readonly others: readonly string[];
}

/** Runs seeds with a bug in a thread of its own. Throws if the line is not in its file exactly once. */
export async function findBug(bug: SourceBug, seeds: Seeds): Promise<Finding> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { bug, ...seeds } });
  const [finding] = (await once(thread, 'message')) as [Finding];
  await once(thread, 'exit');
  return finding;
}

/** Makes the next module that is loaded from a file one with the bug. */
function plant({ file, was, is }: SourceBug): void {
  const url = new URL(`../${file}`, import.meta.url);
  const source = readFileSync(url, 'utf8');
  if (source.split(was).length !== 2) throw new Error(`${file} does not have this exactly once: ${was}`);
  registerHooks({
    load: (wanted, context, next) =>
      wanted === url.href
        ? { format: 'module-typescript', source: source.replace(was, () => is), shortCircuit: true }
        : next(wanted, context),
  });
}

/** Runs the seeds of this thread, one after the other, until one finds the bug. */
async function run({ seeds, steps, found }: Seeds): Promise<Finding> {
  const { openGround } = await import('./ground.ts');
  const { simulate } = await import('./simulate.ts');
  const { Tally } = await import('./tally.ts');
  const ground = await openGround();
  const others: string[] = [];
  try {
    for (const seed of seeds) {
      const fault = await simulate(seed, { ground, tally: new Tally(), steps }).then(
        () => undefined,
        (error: Error) => error.message.split('\n')[0] ?? '',
      );
      ground.hush();
      if (fault !== undefined && new RegExp(found).test(fault)) return { seed, others };
      if (fault !== undefined) others.push(`seed ${seed}: ${fault}`);
    }
    return { seed: undefined, others };
  } finally {
    await ground.close();
  }
}

if (!isMainThread && parentPort) {
  const { bug, ...seeds } = workerData as { bug: SourceBug } & Seeds;
  plant(bug);
  parentPort.postMessage(await run(seeds));
}
