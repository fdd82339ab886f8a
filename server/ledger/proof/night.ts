// The night's proof of the books, once a day (UTC, by the product's clock). Each proof continues from the last proof without
// faults.

import { type Db, type Statements, bare, canonical, isMac, log, macOf, newId } from '../../platform/index.ts';
import type { Before } from './night-scope.ts';
import { bareProven } from './prove-seals.ts';
import { type Report, type VerifyOptions, verify } from './verify.ts';

interface ProofRow extends Pick<Before, 'chains' | 'funded'> {
  readonly at: Date;
  readonly seal: string;
  readonly digest: string | null;
  readonly is_whole: boolean;
  readonly faults: number;
  readonly round: string;
  readonly mac: string;
}

const contentOf = ({ at, seal, digest, is_whole: isWhole, faults, chains, funded, round }: Omit<ProofRow, 'mac'>): string =>
  [...[at.toISOString(), seal, bare(digest), isWhole, faults], ...[canonical(chains), round, funded.join(' ')]].join('\n');

/** Returns the result of the last proof without faults; undefined if there is no such proof with a valid MAC. */
async function lastProof(db: Statements): Promise<Before | undefined> {
  const rows = await db.rows<ProofRow>(
    `select at, seal::text as seal, digest, is_whole, faults, chains, funded::text[] as funded, round::text as round, mac from books_proof
     where faults = 0 order by at desc limit 10`,
  );
  const row = rows.find((one) => isMac('proof', contentOf(one), one.mac));
  const proven = row && (await bareProven(db, row));
  return row && proven && { proven, chains: row.chains, funded: row.funded, round: row.round };
}

/** Stores the result of a proof, from which the next proof continues. */
export async function storeProof(
  db: Db,
  { proven, chains, faults, funded, round }: Report,
  { isWhole }: { readonly isWhole: boolean },
): Promise<void> {
  const at = await db.now();
  const digest = proven.digest === '' ? null : proven.digest;
  const row = { at, seal: proven.number, digest, is_whole: isWhole, faults: faults.length, chains, funded, round };
  await db.run(
    `insert into books_proof (id, at, seal, digest, is_whole, faults, chains, funded, round, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [newId(), at, row.seal, digest, isWhole, row.faults, JSON.stringify(chains), funded, round, macOf('proof', contentOf(row))],
  );
}

const CLAIM = `
  insert into books_night (day, begun_at) values ((clock_now() at time zone 'utc')::date, clock_now())
  on conflict (single) do update set day = excluded.day, begun_at = excluded.begun_at
    where books_night.day < excluded.day or (books_night.begun_at < clock_now() - interval '1 hour'
      and not exists (select from books_proof where books_proof.at >= books_night.begun_at))
  returning (select day from books_night) as before, day`;

/**
 * Proves the books once a night, in the first worker that claims the night. Raises an alarm if the proof finds faults or fails.
 * If a proof has not ended an hour after its start, raises an alarm and starts it again.
 */
export async function proveEachNight(db: Db, options: Omit<VerifyOptions, 'since' | 'max'>): Promise<void> {
  const claimed = await db.row<{ before: Date | null; day: Date }>(CLAIM, [], { name: 'ledger.night' });
  if (!claimed) return;
  if (claimed.before?.getTime() === claimed.day.getTime()) log.alarm('the night’s proof of the books failed or did not end');
  try {
    const since = await lastProof(db);
    const report = await verify(db, { ...options, since });
    await storeProof(db, report, { isWhole: since === undefined });
    if (report.faults.length > 0)
      log.alarm('the proof of the books found faults', {
        faults: report.faults.length,
        first: report.faults.slice(0, 5),
        all: 'npm run ledger:verify',
      });
    else log.info('the books were proved for the night', { seal: report.proven.number, seconds: report.seconds });
  } catch (error) {
    log.alarm('the night’s proof of the books failed or did not end', { error: String(error) });
  }
}
