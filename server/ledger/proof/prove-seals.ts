import type { Statements } from '../../platform/index.ts';
import { type Proven, isSame, sealOf, walkChain } from '../seals/chain.ts';
import type { Fault } from './judge.ts';
import { wrongOf } from '../seals/packs.ts';
import { JOURNALS } from '../seals/seal.ts';

/**
 * Proves the chain from a proven seal on, and that each journal in it and behind its end is what it was posted as. Gives the
 * faults, and the last seal.
 */
export async function proveSeals(db: Statements, from: Proven, most: number): Promise<{ faults: Fault[]; proven: Proven }> {
  const faults: Fault[] = [];
  const fault = (check: string, account: string, words: string): void => {
    if (faults.length < most) faults.push({ check, account, words });
  };
  const proven = await walkChain(db, JOURNALS, from, {
    onRows(packs) {
      for (const { journal, isGone } of packs.flatMap(wrongOf))
        fault('mac', journal, isGone ? 'was posted, and is not there' : 'is not what it was posted as');
    },
    onFault: (seal, words) => fault('seal', seal, words),
  });
  return { faults, proven };
}

/** The seal that a proof came to, unless it is another by now. */
export async function bareProven(
  db: Statements,
  { seal, digest }: { readonly seal: string; readonly digest: string | null },
): Promise<Proven | undefined> {
  if (digest === null) return undefined;
  const row = await sealOf(db, JOURNALS, seal);
  return isSame(row, { digest }) ? row : undefined;
}

// Every journal has one MAC, whichever transaction it stands with.
const WITHOUT = `
  with scoped as (select distinct journal from posting where at >= coalesce($2::timestamptz, '-infinity')),
  macs as (select journal, count(*) as macs from journal_mac group by journal)
  select scoped.journal, coalesce(macs, 0) as macs from scoped left join macs using (journal)
  where macs is distinct from 1 limit $1`;

/** Journals since a moment that have no MAC, or several. */
export async function maccedFaults(db: Statements, most: number, since: Date | undefined): Promise<Fault[]> {
  const rows = await db.rows<{ journal: string; macs: string }>(WITHOUT, [most, since ?? null]);
  return rows.map(({ journal, macs }) => ({
    check: 'mac',
    account: journal,
    words: macs === '0' ? 'has no MAC: we did not post it' : `has ${macs} MACs`,
  }));
}
