import type { Statements } from '../../platform/index.ts';
import { type Proven, ENDLESS, isSame, sealOf, walkChain } from '../seals/chain.ts';
import type { Fault } from './checks.ts';
import type { Section } from './night-scope.ts';
import { wrongOf } from '../seals/packs.ts';
import { JOURNALS } from '../seals/seal.ts';

/**
 * Proves the seals that follow a proven seal, and that the journals under these seals are unchanged. Without `to`, goes on to
 * the end of the chain of seals, and also checks the unsealed journals. Returns the faults and the last seal.
 */
export async function proveSeals(
  db: Statements,
  from: Proven,
  { max, to }: { readonly max: number; readonly to?: Proven | undefined },
): Promise<{ faults: Fault[]; proven: Proven }> {
  const faults: Fault[] = [];
  const fault = (check: string, account: string, words: string): void => {
    if (faults.length < max) faults.push({ check, account, words });
  };
  const proven = await walkChain(db, JOURNALS, from, {
    onRows(packs) {
      for (const { journal, isGone } of packs.flatMap(wrongOf))
        fault('mac', journal, isGone ? 'was posted and then deleted' : 'was altered after it was posted');
    },
    onFault: (seal, words) => fault('seal', seal, words),
    to,
  });
  return { faults, proven };
}

/**
 * Returns the seal up to which an earlier proof went. Undefined if the earlier proof had no seal, or if this seal has changed
 * since.
 */
export async function bareProven(
  db: Statements,
  { seal, digest }: { readonly seal: string; readonly digest: string | null },
): Promise<Proven | undefined> {
  if (digest === null) return undefined;
  const row = await sealOf(db, JOURNALS, seal);
  return isSame(row, { digest }) ? row : undefined;
}

interface Macs {
  readonly journal: string;
  readonly macs: string;
}

// SQL: journals that don't have exactly one MAC.
const WITHOUT = `
  with macs as (select journal, count(*) as macs from journal_mac group by journal)
  select journal, coalesce(macs, 0) as macs from (select distinct journal from posting) as posted left join macs using (journal)
  where macs is distinct from 1 limit $1`;

/** Returns a fault for each journal that has no MAC or several MACs. */
export const maccedFaults = async (db: Statements, max: number): Promise<Fault[]> =>
  (await db.rows<Macs>(WITHOUT, [max])).map(maccedFault);

const maccedFault = ({ journal, macs }: Macs): Fault => ({
  check: 'mac',
  account: journal,
  words: macs === '0' ? 'has no MAC: we did not post it' : `has ${macs} MACs`,
});

// SQL: journals whose time falls into a section, but that have no MAC in the section or in the `AROUND` seals before and after.
// Journals of a long transaction may be sealed later. So the found journals are then looked up among all MACs.
const STRANGERS = `
  select journal from posting
  where at >= coalesce((select at from journal_seal where number = $2), '-infinity')
    and at < coalesce((select at from journal_seal where number = $3), 'infinity')
  except
  select journal from journal_mac
  where xid >= coalesce((select upto from journal_seal where number = $2::bigint - $4), '0')
    and xid < coalesce((select upto from journal_seal where number = $3::bigint + $4), '${ENDLESS}')
  limit $1`;

/**
 * Number of seals before and after a section. MACs of the section's journals are first searched in these seals, and then among
 * all MACs.
 */
const AROUND = 200;

/**
 * Returns a fault for each journal whose time falls into a section and that has no MAC. Also returns a fault for each journal
 * with several MACs in the section.
 */
export async function sectionMacs(db: Statements, { from, to }: Section, max: number): Promise<Fault[]> {
  const missing = await db.rows<{ journal: string }>(STRANGERS, [max, from.number, to?.number ?? null, AROUND]);
  const ids = missing.map(({ journal }) => journal);
  const known = new Set(ids.length === 0 ? [] : await journalsAmong(db, ids));
  const strangers = ids.filter((id) => !known.has(id)).map((journal) => ({ journal, macs: '0' }));
  const several = await db.rows<Macs>(
    `select journal, count(*) as macs from journal_mac where xid >= $2::xid8 and xid < $3::xid8
     group by journal having count(*) > 1 limit $1`,
    [max, from.upto, to?.upto ?? ENDLESS],
  );
  return [...strangers, ...several].map(maccedFault);
}

/** Returns those of the given journals that have a MAC. Reads all MACs. */
async function journalsAmong(db: Statements, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ journal: string }>('select journal from journal_mac where journal = any ($1::uuid[])', [ids]);
  return rows.map(({ journal }) => journal);
}
