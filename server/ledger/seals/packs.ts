// Packs: the MACs of the journals of one transaction, with those journals as stored. They are read in bulk, since thousands may
// need sealing in a second.

import { type Statements, isMac, macOf } from '../../platform/index.ts';
import type { Stretch } from './chain.ts';
import { LEG } from '../chart/journal-mac.ts';

/** The MACs of one transaction, and the stored journals that they belong to. */
export interface Pack {
  readonly xid: string;
  /** Journal ids and MACs in turn, 32 hexadecimal digits each. */
  readonly pack: string;
  /** A line for each stored leg, ordered by journal and leg: the content of its MAC, then its time and its two entry numbers. */
  readonly legs: string | null;
}

/** A journal that was changed or deleted after it was posted. */
export interface Wrong {
  readonly journal: string;
  readonly isGone: boolean;
}

/** Maximum number of journals read at once. The transaction that exceeds it is still read completely. */
const MAX = 10_000;

// Each pack is fetched once before it is cut, since every cut of a long value would fetch it again. Its journals are looked up
// together and returned as one text: a look-up and a row for each would cost three times as much.
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
 * Reads the packs of transactions from `from` on and below `below`. It stops after `MOST` journals, but never within a
 * transaction.
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

/** Returns the contents of the MACs, by journal. */
function contentsOf(legs: string | null): Map<string, string> {
  const contents = new Map<string, string>();
  for (const leg of legs?.split('\n') ?? []) {
    // Cuts off the time and the two numbers at the end.
    const end = leg.lastIndexOf(' ', leg.lastIndexOf(' ', leg.lastIndexOf(' ') - 1) - 1);
    const [journal, line] = [leg.slice(0, 36), leg.slice(0, end)];
    const before = contents.get(journal);
    contents.set(journal, before === undefined ? line : `${before}\n${line}`);
  }
  return contents;
}

// Tries the newest key first, which fits nearly always.
const isRight = (content: string, mac: string): boolean => macOf('journal', content) === mac || isMac('journal', content, mac);

/** Formats a uuid as PostgreSQL prints it. */
const hyphened = (digits: string): string =>
  `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
