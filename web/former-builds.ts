/**
 * What builds before this one leave behind: their files with hashed names, for pages that somebody still has open, or that
 * stand in a cache. They lie in `dist/former/<time>/assets`, by when they were replaced.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 24 * 3600 * 1000;
/** Of so many builds they are kept at most: who builds all day long is no deploy. */
const MOST = 4;

/** Empties the folder of the built site for the next build, but for those files. `now`: milliseconds since 1970. */
export async function clearForBuild(dist: string, now: number): Promise<void> {
  const former = join(dist, 'former');
  await mkdir(former, { recursive: true });
  // Of a build that was broken off there may be a part: pages of it were never served, and it does no harm.
  await mkdir(join(former, `${now}`));
  await rename(join(dist, 'client/assets'), join(former, `${now}`, 'assets')).catch(() =>
    rm(join(former, `${now}`), { recursive: true }),
  );
  const kept = (await readdir(former))
    .filter((name) => Number(name) > now - DAY_MS)
    .sort()
    .slice(-MOST);
  const others = (await readdir(former)).filter((name) => !kept.includes(name)).map((name) => join(former, name));
  const rest = (await readdir(dist)).filter((name) => name !== 'former').map((name) => join(dist, name));
  await Promise.all([...others, ...rest].map((path) => rm(path, { recursive: true })));
}
