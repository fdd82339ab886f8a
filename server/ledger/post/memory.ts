import { type AccountRef, shownSign } from '../chart/chart.ts';
import { type Journal, type JournalStatus, type Leg, assertDistinct, assertJournal } from '../chart/journal.ts';

/**
 * A ledger in memory with the same rules as the ledger in the database. Tests compare the two ledgers; simulations keep their
 * books in memory.
 */
export interface Memory {
  /** Posts journals like `post` of the database's ledger. Returns a status for each journal, in the order of `journals`. */
  post(journals: readonly Journal[]): JournalStatus[];
  /** Returns the shown balance of an account; 0 for an account without postings. */
  balance(ref: AccountRef): bigint;
  /** Returns every account with postings, with its stored balance. */
  accounts(): IterableIterator<{ readonly ref: AccountRef; readonly stored: bigint }>;
  /** Returns an independent copy of this ledger. */
  clone(): Memory;
}

type StoredBalance = { readonly ref: AccountRef; readonly stored: bigint };

/** Returns an empty ledger in memory. */
export function openMemory(): Memory {
  return memory(new Map(), new Map());
}

function memory(balances: Map<string, StoredBalance>, journals: Map<string, string>): Memory {
  const postOne = (journal: Journal): JournalStatus => {
    const content = contentOf(journal);
    const known = journals.get(journal.id);
    if (known !== undefined) return { status: known === content ? 'replayed' : 'conflict' };
    const after = new Map<string, StoredBalance>();
    for (const { from, to, parts } of journal.legs) {
      for (const [ref, change] of [
        [from, -parts],
        [to, parts],
      ] as const) {
        const before = after.get(ref.name) ?? balances.get(ref.name) ?? { ref, stored: 0n };
        after.set(ref.name, { ref: before.ref, stored: before.stored + change });
      }
    }
    const refusal = refusalOf(journal.legs, after);
    if (refusal) return refusal;
    for (const [name, balance] of after) balances.set(name, balance);
    journals.set(journal.id, content);
    return { status: 'posted' };
  };

  return {
    post(several) {
      assertDistinct(several);
      for (const journal of several) assertJournal(journal);
      return several.map(postOne);
    },
    balance: (ref) => (balances.get(ref.name)?.stored ?? 0n) * shownSign(ref.class),
    accounts: () => balances.values(),
    clone: () => memory(new Map(balances), new Map(journals)),
  };
}

function refusalOf(legs: readonly Leg[], after: ReadonlyMap<string, StoredBalance>): JournalStatus | undefined {
  for (const [index, { from, to }] of legs.entries()) {
    if (from.floor !== null && (after.get(from.name) as StoredBalance).stored < from.floor)
      return { status: 'floor', leg: index };
    if (to.ceiling !== null && (after.get(to.name) as StoredBalance).stored > to.ceiling)
      return { status: 'ceiling', leg: index };
  }
  return undefined;
}

/**
 * Returns the content of a journal, in which two journals with the same id must agree: kind, cause, and each leg with its
 * price.
 */
function contentOf({ kind, cause, legs, prices }: Journal): string {
  const lines = legs.map(({ from, to, parts }) => `${from.name}>${to.name} ${parts} ${plain(prices?.[from.unit])}`);
  return [kind, cause, ...lines].join('\n');
}

/** Formats a price without leading zeros and without trailing zeros of its decimals. */
function plain(price: string | undefined): string {
  if (price === undefined) return '-';
  const text = price.replace(/^0+(?=[0-9])/, '');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
