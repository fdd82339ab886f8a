/**
 * Files of former builds, with hashed names, for pages that are still open or cached. They lie in `dist/former/<time>/assets`,
 * named by the time at which they were replaced.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 24 * 3600 * 1000;
/** Maximum number of former builds that are retained, so that many builds in a day don't fill the disk. */
const MAX = 4;

/** Empties the folder of the built site for the next build, except for files of former builds. `now`: milliseconds since 1970. */
export async function clearForBuild(dist: string, now: number): Promise<void> {
  const former = join(dist, 'former');
  await mkdir(former, { recursive: true });
  // The assets may be incomplete if a build was interrupted. No page of that build was ever served.
  await mkdir(join(former, `${now}`));
  await rename(join(dist, 'client/assets'), join(former, `${now}`, 'assets')).catch(() =>
    rm(join(former, `${now}`), { recursive: true }),
  );
  const stored = (await readdir(former))
    .filter((name) => Number(name) > now - DAY_MS)
    .sort()
    .slice(-MAX);
  const others = (await readdir(former)).filter((name) => !stored.includes(name)).map((name) => join(former, name));
  const rest = (await readdir(dist)).filter((name) => name !== 'former').map((name) => join(dist, name));
  await Promise.all([...others, ...rest].map((path) => rm(path, { recursive: true })));
}
