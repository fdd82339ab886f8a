// Scope of a night's proof: the journals since the last proof, the next section of the older journals, and the accounts with
// money.

import type { Statements } from '../../platform/index.ts';
import { type Proven, type ProvenChains, type Seal, ENDLESS, FIRST, sealOf, sealsAfter } from '../seals/chain.ts';
import { JOURNALS } from '../seals/seal.ts';

/**
 * Consecutive journals, from the end of the seal `from` to the end of the seal `to` or, without `to`, to the newest journal.
 */
export interface Section {
  readonly from: Seal;
  readonly to?: Seal;
}

/** The part of a proof's result from which the next proof continues. */
export interface Before {
  /** Last proven seal of the journals. */
  readonly proven: Proven;
  /** Last proven seals of the rooms' own chains of seals. */
  readonly chains: ProvenChains;
  /** Ids of the accounts whose balance was not zero at the time of the proof. */
  readonly funded: readonly string[];
  /** Number of the seal up to which the current round has proved older journals again; `0` at the start of a round. */
  readonly round: string;
}

/** The part of the books that a night's proof covers. Rooms check only rows of this part. */
export interface Scope {
  /** The section since the last proof, and the round's next section of older journals, if there is one. */
  readonly sections: readonly Section[];
  /** The round's next section of older journals. */
  readonly round: Required<Section> | undefined;
  /** Ids of the journals in the sections. */
  readonly journals: readonly string[];
  /** Ids of the rows for which the journals were posted (`Journal.cause`). */
  readonly causes: readonly string[];
  /** Ids of the accounts that the journals changed, and of all accounts whose balance was not zero at the last proof. */
  readonly accounts: readonly string[];
  /** Number of postings in the journals of this scope. */
  readonly postings: number;
}

/**
 * Maximum size of the section of older journals that a night's proof covers. The section ends with the seal that reaches one of
 * these two numbers.
 */
export interface RoundSize {
  readonly seals: number;
  readonly journals: number;
}

/** Default size. With 800 orders a day, a round through the journals of a year takes about two months. */
export const ROUND: RoundSize = { seals: 10_000, journals: 50_000 };

/**
 * Returns the next section of the round. Once a round has reached the last proven seal, a new round starts from the first seal.
 * Undefined if nothing is sealed.
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

/** Returns the scope of a night's proof. */
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
