// What a night's proof looks at: what came since the last proof, the next section of all that came before, and what stands.

import type { Statements } from '../../platform/index.ts';
import { type Proven, type ProvenChains, type Seal, ENDLESS, FIRST, sealOf, sealsAfter } from '../seals/chain.ts';
import { JOURNALS } from '../seals/seal.ts';

/** A section of the chain: the journals behind a seal, up to another or all that there are. */
export interface Section {
  readonly from: Seal;
  readonly to?: Seal;
}

/** What a proof came to, for the next one to go on from. */
export interface Before {
  /** How far the chain of seals goes. */
  readonly proven: Proven;
  /** And how far the judges' own chains go. */
  readonly chains: ProvenChains;
  /** The accounts in which something stood, by id. */
  readonly standing: readonly string[];
  /** The seal up to which older journals were proved again; `0` where the round begins anew. */
  readonly round: string;
}

/** The rows of the books that a night proves; what rooms know is asked of these alone. */
export interface Scope {
  /** What came since, and the section of what came before, if anything did. */
  readonly sections: readonly Section[];
  readonly round: Required<Section> | undefined;
  readonly journals: readonly string[];
  /** What those journals are about. */
  readonly causes: readonly string[];
  /** The accounts that those journals touched, and those in which something stood as the last proof ended. */
  readonly accounts: readonly string[];
  /** How many postings those journals have. */
  readonly postings: number;
}

/** How much of the older journals one night proves again. */
export interface RoundSize {
  readonly seals: number;
  readonly journals: number;
}

/** A year of 800 orders a day comes round in about two months. */
export const ROUND: RoundSize = { seals: 10_000, journals: 50_000 };

/** The next seals of the round, which begins anew once it has come to the proven end; undefined where nothing is sealed. */
async function nextRound(
  db: Statements,
  { proven, round: behind }: Before,
  { seals: most, journals: enough }: RoundSize,
): Promise<Required<Section> | undefined> {
  const isOver = BigInt(behind) >= BigInt(proven.number);
  const from = (isOver || behind === FIRST.number ? undefined : await sealOf(db, JOURNALS, behind)) ?? FIRST;
  let journals = 0;
  let to: Seal | undefined;
  for (const seal of await sealsAfter(db, from.number, proven.number, most)) {
    if (journals >= enough) break;
    journals += seal.journals;
    to = seal;
  }
  return to && { from, to };
}

/** Reads what a night proves. */
export async function readScope(db: Statements, before: Before, size: RoundSize): Promise<Scope> {
  const { proven, standing } = before;
  const round = await nextRound(db, before, size);
  const sections = [{ from: proven }, ...(round ? [round] : [])];
  const journals = new Set<string>();
  for (const section of sections) for (const journal of await journalsIn(db, section)) journals.add(journal);
  const touched = await db.row<{ causes: string[] | null; accounts: string[]; postings: string }>(
    `select array_agg(distinct cause)::text[] as causes, count(*) as postings,
       array(select distinct id::text from posting, unnest(array[from_id, to_id]) as id where journal = any ($1::uuid[])) as accounts
     from posting where journal = any ($1::uuid[])`,
    [[...journals]],
  );
  return {
    sections,
    round,
    journals: [...journals],
    causes: touched?.causes ?? [],
    accounts: [...new Set([...standing, ...(touched?.accounts ?? [])])],
    postings: Number.parseInt(touched?.postings ?? '0', 10),
  };
}

async function journalsIn(db: Statements, { from, to }: Section): Promise<string[]> {
  const rows = await db.rows<{ journal: string }>('select journal from journal_mac where xid >= $1::xid8 and xid < $2::xid8', [
    from.upto,
    to?.upto ?? ENDLESS,
  ]);
  return rows.map(({ journal }) => journal);
}
