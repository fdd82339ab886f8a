// Reads packs. A pack is the row with the MACs of all journals of one transaction. Packs are read in bulk and together with the
// legs of their journals, since thousands of journals may be posted in a second.

import { type Statements, isMac, macOf } from '../../platform/index.ts';
import type { Stretch } from './chain.ts';
import { LEG } from '../chart/journal-mac.ts';

/** A stored row of MACs, and the stored legs of its journals. */
export interface Pack {
  readonly xid: string;
  /** Journal ids and MACs, alternately, with 32 hexadecimal digits each. */
  readonly pack: string;
  /**
   * A line for each stored leg, ordered by journal and leg. A line has the leg's line in the MAC's content, then the leg's time
   * and two entry numbers. Null if no leg exists.
   */
  readonly legs: string | null;
}

/** A journal that was changed or deleted after it was posted. */
export interface Wrong {
  readonly journal: string;
  readonly isGone: boolean;
}

/** Number of journals after which a read stops. The last transaction is always read completely. */
const MAX = 10_000;

// SQL: packs with the legs of their journals. `pack || ''` makes PostgreSQL fetch each long value once, not for each `substr`.
// The journals of a pack are looked up together and returned as one text. Separate look-ups and rows would cost three times as
// much.
const READ = `
  select given.xid::text as xid, encode(given.pack, 'hex') as pack, legs
  from (
    select xid, pack || ''::bytea as pack
    from (
      select xid, pack, sum(octet_length(pack)) over (order by xid groups between unbounded preceding and 1 preceding) as before
      from (
        select xid, pack from journal_macs where xid >= $1::xid8 and xid < $2::xid8
        order by xid fetch first ($3::int) rows with ties
      ) as next
    ) as counted
    where before is null or before < 32 * $3::int
    order by xid, pack offset 0
  ) as given
  left join lateral (
    select string_agg(concat_ws(' ', ${LEG}, extract(epoch from at), from_seq, to_seq), E'\\n' order by journal, leg) as legs
    from posting where journal = any (array(
      select encode(substr(pack, place, 16), 'hex')::uuid from generate_series(1, octet_length(pack), 32) as place))
  ) as found on true
  order by given.xid, given.pack`;

/**
 * Returns the packs of transactions from `from` (inclusive) to `below` (exclusive). The read stops after `MAX` journals, but
 * never within a transaction.
 */
export async function readPacks(db: Statements, from: string, below: string): Promise<Stretch<Pack>> {
  const packs = await db.rows<Pack>(READ, [from, below, MAX], { name: 'ledger.read_packs' });
  const isAll = journalsIn(packs) < MAX;
  return { rows: packs, isAll, upto: isAll ? below : String(BigInt(packs.at(-1)?.xid as string) + 1n) };
}

/** Returns the number of MACs in packs. */
export const journalsIn = (packs: readonly Pack[]): number => packs.reduce((sum, { pack }) => sum + pack.length / 64, 0);

/** Returns the journals of a pack that were changed or deleted. */
export function wrongOf({ pack, legs }: Pack): Wrong[] {
  const contents = contentsOf(legs);
  const wrong: Wrong[] = [];
  for (let at = 0; at < pack.length; at += 64) {
    const journal = hyphened(pack.slice(at, at + 32));
    const content = contents.get(journal);
    if (content === undefined) wrong.push({ journal, isGone: true });
    else if (!isRight(content, pack.slice(at + 32, at + 64))) wrong.push({ journal, isGone: false });
  }
  return wrong;
}

/** Returns the content that each journal's MAC covers, by journal id. */
function contentsOf(legs: string | null): Map<string, string> {
  const contents = new Map<string, string>();
  for (const leg of legs?.split('\n') ?? []) {
    // Removes the time and the two entry numbers at the end of the line.
    const end = leg.lastIndexOf(' ', leg.lastIndexOf(' ', leg.lastIndexOf(' ') - 1) - 1);
    const [journal, line] = [leg.slice(0, 36), leg.slice(0, end)];
    const before = contents.get(journal);
    contents.set(journal, before === undefined ? line : `${before}\n${line}`);
  }
  return contents;
}

// Tries the newest key first, since this key has made nearly all MACs.
const isRight = (content: string, mac: string): boolean => macOf('journal', content) === mac || isMac('journal', content, mac);

/** Formats a uuid as PostgreSQL prints it. */
const hyphened = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
