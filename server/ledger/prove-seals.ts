import { type Statements, bare, isMac } from '../platform/index.ts';
import type { Fault } from './judge.ts';
import { type Pack, readPacks, wrongOf } from './packs.ts';
import { FIRST, type Proven, type Seal, contentOfSeal } from './seal.ts';

interface Row extends Seal {
  readonly wrong: string;
}

/** No transaction is above it. */
const ENDLESS = '18446744073709551615';

/**
 * Proves the chain from a proven seal on, and that each journal in it and behind its end is what it was posted as. Gives the
 * faults, and the last seal.
 */
export async function proveSeals(db: Statements, from: Proven, most: number): Promise<{ faults: Fault[]; proven: Proven }> {
  const faults: Fault[] = [];
  const fault = (check: string, account: string, words: string): void => {
    if (faults.length < most) faults.push({ check, account, words });
  };
  const accuse = (packs: readonly Pack[]): void => {
    for (const { journal, isGone } of packs.flatMap(wrongOf))
      fault('mac', journal, isGone ? 'was posted, and is not there' : 'is not what it was posted as');
  };
  let before = from;
  if (from.number !== FIRST.number) {
    const row = await db.row<Seal>('select number, upto::text as upto, digest from journal_seal where number = $1', [
      from.number,
    ]);
    if (bare(row?.digest ?? null) !== bare(from.digest)) {
      fault('seal', `seal ${from.number}`, 'is not the one that was proved');
      before = FIRST;
    }
  }
  const seals = await db.rows<Row>(
    'select number, upto::text as upto, digest, wrong from journal_seal where number > $1 order by number',
    [before.number],
  );
  for (const seal of seals) {
    const { number, upto, digest } = seal;
    const name = `seal ${number}`;
    if (BigInt(number) !== BigInt(before.number) + 1n) fault('seal', name, `follows seal ${before.number}`);
    const { packs } = await readPacks(db, before.upto, upto);
    accuse(packs);
    // By whichever of our keys it was made: a newer one accuses nothing that an older one sealed.
    if (!isMac('seal', contentOfSeal(before, { number, upto }, packs), digest))
      fault('seal', name, 'what stands there is not what was sealed');
    before = { number, upto, digest };
  }
  for (let behind = before.upto; ;) {
    const { packs, upto, isAll } = await readPacks(db, behind, ENDLESS);
    accuse(packs);
    if (isAll) break;
    behind = upto;
  }
  return { faults, proven: before };
}

/** The seal that a proof came to, unless it is another by now. */
export async function bareProven(
  db: Statements,
  { seal, digest }: { readonly seal: string; readonly digest: string | null },
): Promise<Proven | undefined> {
  if (digest === null) return undefined;
  const row = await db.row<Seal>('select number, upto::text as upto, digest from journal_seal where number = $1', [seal]);
  return row && bare(row.digest) === bare(digest) ? row : undefined;
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
