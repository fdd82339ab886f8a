// The follower: seals journals into a chain in the order of their commits, and says at once of which the MAC isn't right.
//
// What is below the oldest running transaction is complete: nothing can be committed there any more. A seal's digest is made,
// under a key that the database doesn't have, of the journals below its end and of the digest before it, so that nothing can be
// changed, put in or taken out behind it unnoticed. How far the chain has come is noted outside the database too: its end
// can't be cut off.

import { readFileSync } from 'node:fs';
import { type Db, type Statements, bare, isDuplicate, log, macOf, replaceFile } from '../platform/index.ts';
import { type Pack, readPacks, wrongOf } from './packs.ts';

/** How far journals are sealed. */
export interface Seal {
  readonly number: string;
  /** The first transaction that is not in it any more. */
  readonly upto: string;
  readonly digest: string;
}

/** How far the chain of seals was proved. */
export type Proven = Seal;

/** Where the end of the chain is noted, outside the database. */
export interface SealNote {
  read(): Pick<Seal, 'number' | 'digest'> | undefined;
  write(seal: Pick<Seal, 'number' | 'digest'>): void;
}

/** A note in a file, written whole or not at all. */
export function sealNote(path: string): SealNote {
  return {
    read() {
      try {
        const { number, digest } = JSON.parse(readFileSync(path, 'utf8')) as Seal;
        return { number, digest };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write({ number, digest }) {
      replaceFile(path, `${JSON.stringify({ number, digest })}\n`);
    },
  };
}

/** What the digest of a seal is made of: of what it seals, as it stands, and of the digest before it. */
export function contentOfSeal(
  before: Pick<Seal, 'digest'>,
  { number, upto }: Omit<Seal, 'digest'>,
  sealed: readonly Pack[],
): string {
  const lines = sealed.map(({ xid, pack, legs }) => `${xid} ${pack}\n${legs}`);
  return [bare(before.digest), number, upto, ...lines].join('\n');
}

/** Before the first seal. */
export const FIRST: Seal = { number: '0', upto: '0', digest: '' };

/** The newest seal. */
export async function newestSeal(db: Statements): Promise<Seal> {
  const row = await db.row<Seal>(`select number, upto::text as upto, digest from journal_seal order by number desc limit 1`, [], {
    name: 'ledger.newest_seal',
  });
  return row ?? FIRST;
}

/**
 * Seals all that is complete, and raises an alarm for each journal that isn't what it was posted as; gives how many were
 * sealed. Another process may do the same: one of the two seals, the other finds it done.
 */
export async function sealJournals(db: Db, note?: SealNote): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealOnce(db);
    if (!sealed) return total;
    note?.write(sealed.seal);
    total += sealed.journals;
    if (sealed.isAll) return total;
  }
}

async function sealOnce(
  db: Db,
): Promise<{ readonly seal: Seal; readonly journals: number; readonly isAll: boolean } | undefined> {
  const before = await newestSeal(db);
  const { horizon } = (await db.row<{ horizon: string }>(`select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`, [], {
    name: 'ledger.horizon',
  })) as { horizon: string };
  if (BigInt(horizon) < BigInt(before.upto)) {
    log.alarm('journals can’t be sealed: the database counts its transactions anew', { horizon, sealed: before.upto });
    return undefined;
  }
  const { packs, journals, upto, isAll } = await readPacks(db, before.upto, horizon);
  if (journals === 0) return undefined;
  const wrong = packs.flatMap(wrongOf);
  const number = String(BigInt(before.number) + 1n);
  const seal = { number, upto, digest: macOf('seal', contentOfSeal(before, { number, upto }, packs)) };
  try {
    await db.run(
      `insert into journal_seal (number, upto, journals, wrong, digest, at) values ($1, $2::xid8, $3, $4, $5, clock_now())`,
      [number, upto, journals, wrong.length, seal.digest],
      { name: 'ledger.seal' },
    );
  } catch (error) {
    if (isDuplicate(error, 'journal_seal_pkey')) return undefined;
    throw error;
  }
  for (const { journal, isGone } of wrong)
    log.alarm('a journal is not what it was posted as', {
      journal,
      reason: isGone ? 'it is gone' : 'its MAC is another’s',
    });
  return { seal, journals, isAll };
}

/** Were these books begun before journals had MACs, or sealed in a way of before? */
export async function isBefore(db: Statements): Promise<boolean> {
  const row = await db.row<{ before: boolean }>(
    `select exists (select from posting) and not exists (select from journal_mac)
       or exists (select from journal_seal where form < 2) as before`,
  );
  return row?.before === true;
}

// A difference of two sets, which costs the same for each however many there are; a look-up into packs would not.
const STRANGERS = `
  select journal from posting where at >= clock_now() - interval '2 minutes'
  except
  select journal from journal_mac where xid >=
    coalesce((select upto from journal_seal where at < clock_now() - interval '3 minutes' order by number desc limit 1), '0')
  limit 100`;

const told = new Set<string>();

/** Raises an alarm, once each, for journals of the last minutes that have no MAC at all: they were not posted by us. */
export async function findStrangers(db: Statements): Promise<void> {
  for (const { journal } of await db.rows<{ journal: string }>(STRANGERS, [], { name: 'ledger.strangers' })) {
    if (told.has(journal)) continue;
    told.add(journal);
    log.alarm('a journal is not what it was posted as', { journal, reason: 'it has no MAC' });
  }
}

/** Raises an alarm where the chain does not hold the seal that was noted last: its end was cut off, or changed. */
export async function checkNote(db: Statements, note: SealNote): Promise<boolean> {
  const words = await noteFault(db, note.read());
  if (words !== undefined) log.alarm('the chain of seals is not the one that was sealed', { reason: words });
  return words === undefined;
}

/**
 * What is wrong with the chain by what was noted of its end; undefined for nothing. The note has to be read before the
 * database is: a seal that was made in between is not there yet for who began to look before it.
 */
export async function noteFault(db: Statements, noted: ReturnType<SealNote['read']>): Promise<string | undefined> {
  if (!noted) return undefined;
  const row = await db.row<{ digest: string }>('select digest from journal_seal where number = $1', [noted.number]);
  if (!row) return `the seal ${noted.number}, which was made, is not there`;
  return bare(row.digest) === bare(noted.digest) ? undefined : `the seal ${noted.number} is not the one that was made`;
}
