import { AppendFile } from '../platform/index.ts';
import type { SignedEntry } from '../rails/index.ts';

/**
 * The record of all signatures, one JSON line each, append-only. It is the signer's memory across restarts, apart from the
 * database: the owner of the database must not be able to have a payout signed twice.
 */
export interface Journal {
  /** Returns entries of one rail that share a spend or a payout with these. */
  related(rail: string, spends: readonly string[], payouts: readonly string[]): readonly SignedEntry[];
  /** Returns entries signed after a moment. */
  since(moment: Date): readonly SignedEntry[];
  /** Returns true if exactly these bytes were signed before. */
  knows(txid: string): boolean;
  /** Appends an entry; it is on the disk when this returns. If it throws, nothing counts as signed. */
  append(entry: SignedEntry): void;
  /** True if nothing was ever written into the journal. */
  readonly isEmpty: boolean;
  /** Returns the entries of each payout, oldest first, without those that people have released. */
  readonly byPayout: ReadonlyMap<string, readonly SignedEntry[]>;
  /** Time of the database's clock up to which sends were signed with another journal, as a person confirmed. */
  readonly begunAt: Date | undefined;
  /** Starts again after a person confirms that the journal of sends up to a moment is lost. */
  begin(signedUpTo: Date, at: string): void;
  /** Releases a payout's signatures after a person's confirmation: it may be signed again with other spends. */
  release(payout: string, at: string): void;
  /** Reason why nothing can be appended, or undefined. */
  readonly stopped: string | undefined;
  close(): void;
}

/**
 * A line is a signed transaction, or a person's confirmation: that a payout's earlier ones can never happen, or that the journal
 * of sends up to a moment is lost.
 */
type Line = SignedEntry | { readonly at: string; readonly released: string } | { readonly at: string; readonly begun: string };

/**
 * Opens a journal file, made with mode 0600. A last line that a crash cut off was never answered, and is dropped. An unreadable
 * line in the middle stops everything.
 */
export function openJournal(path: string): Journal {
  const file = new AppendFile(path);
  const entries: SignedEntry[] = [];
  const bySpend = new Map<string, SignedEntry[]>();
  const byPayout = new Map<string, SignedEntry[]>();
  const txids = new Set<string>();
  let isEmpty = true;
  let begunAt: Date | undefined;
  const remember = (line: Line): void => {
    isEmpty = false;
    if ('begun' in line) {
      begunAt = new Date(line.begun);
      return;
    }
    if ('released' in line) {
      byPayout.delete(line.released);
      return;
    }
    entries.push(line);
    txids.add(line.txid);
    for (const spend of line.spends) bucket(bySpend, `${line.rail} ${spend}`).push(line);
    for (const payout of line.payouts) bucket(byPayout, payout).push(line);
  };
  const write = (line: Line): void => {
    file.append(`${JSON.stringify(line)}\n`, { lasting: true });
    remember(line);
  };
  for (const line of file.values<Line>()) remember(line);
  return {
    related: (rail, spends, payouts) => [
      ...new Set([
        ...spends.flatMap((spend) => bySpend.get(`${rail} ${spend}`) ?? []),
        ...payouts.flatMap((id) => byPayout.get(id) ?? []),
      ]),
    ],
    since: (moment) => {
      const from = entries.findLastIndex((entry) => Date.parse(entry.at) <= moment.getTime());
      return entries.slice(from + 1);
    },
    knows: (txid) => txids.has(txid),
    append: write,
    get stopped() {
      return file.stopped;
    },
    get isEmpty() {
      return isEmpty;
    },
    byPayout,
    get begunAt() {
      return begunAt;
    },
    begin: (signedUpTo, at) => write({ at, begun: signedUpTo.toISOString() }),
    release: (payout, at) => write({ at, released: payout }),
    close: () => file.close(),
  };
}

function bucket(map: Map<string, SignedEntry[]>, key: string): SignedEntry[] {
  const found = map.get(key) ?? [];
  map.set(key, found);
  return found;
}
