// Scope of a night's proof: what came since the last proof, the next section of the older journals, and accounts with money.

import type { Statements } from '../../platform/index.ts';
import { type Proven, type ProvenChains, type Seal, ENDLESS, FIRST, sealOf, sealsAfter } from '../seals/chain.ts';
import { JOURNALS } from '../seals/seal.ts';

/** A section of the chain: the journals after one seal, up to another or to the end. */
export interface Section {
  readonly from: Seal;
  readonly to?: Seal;
}

/** Result of a proof that the next proof continues from. */
export interface Before {
  /** Last proven seal of the journals' chain. */
  readonly proven: Proven;
  /** Last proven seals of the rooms' own chains. */
  readonly chains: ProvenChains;
  /** Ids of the accounts whose balance was not zero. */
  readonly funded: readonly string[];
  /** Number of the seal up to which older journals were proved again; `0` if the round starts again. */
  readonly round: string;
}

/** Rows of the books that a night proves. Rooms check only their rows that belong to these. */
export interface Scope {
  /** The journals since the last proof, and the section of older ones if there is one. */
  readonly sections: readonly Section[];
  readonly round: Required<Section> | undefined;
  readonly journals: readonly string[];
  /** The ids of the rows that those journals are about. */
  readonly causes: readonly string[];
  /** The accounts that those journals touched, and those whose balance was not zero when the last proof ended. */
  readonly accounts: readonly string[];
  /** Number of postings of those journals. */
  readonly postings: number;
}

/** Maximum size of the section of older journals that one night proves again. */
export interface RoundSize {
  readonly seals: number;
  readonly journals: number;
}

/** Default size: a round through a year of 800 orders a day takes about two months. */
export const ROUND: RoundSize = { seals: 10_000, journals: 50_000 };

/**
 * Returns the next section of the round. The round starts again after it has reached the proven end. Undefined if nothing is
 * sealed.
 */
async function nextRound(
  db: Statements,
  { proven, round: behind }: Before,
  { seals: max, journals: enough }: RoundSize,
): Promise<Required<Section> | undefined> {
  const isOver = BigInt(behind) >= BigInt(proven.number);
  const from = (isOver || behind === FIRST.number ? undefined : await sealOf(db, JOURNALS, behind)) ?? FIRST;
  let journals = 0;
  let to: Seal | undefined;
  for (const seal of await sealsAfter(db, from.number, proven.number, max)) {
    if (journals >= enough) break;
    journals += seal.journals;
    to = seal;
  }
  return to && { from, to };
}

/** Reads the rows that a night proves. */
export async function readScope(db: Statements, before: Before, size: RoundSize): Promise<Scope> {
  const { proven, funded } = before;
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
    accounts: [...new Set([...funded, ...(touched?.accounts ?? [])])],
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
