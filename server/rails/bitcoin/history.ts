import { monotonicMs } from '../../platform/index.ts';
import { reportOdd } from '../odd.ts';
import type { ReceivingAddress } from '../rail.ts';
import type { Page, Transaction } from './answers.ts';
import type { Esplora } from './client.ts';
import { DUST } from './fees.ts';

/** Maximum number of pages that one poll reads of the new transactions, and again of each gap that earlier polls left. */
const MAX_PAGES = 8;
/** Maximum number of gaps: beyond it, the oldest ones are merged. */
const MAX_GAPS = 8;
/** Number of waiting transactions that may hide others: servers show at most fifty rows, which mined ones may share. */
const CROWDED = 25;
/** Maximum number of hidden transactions that are looked up, the largest first. */
const MAX_HIDDEN = 25;

/** Unread part of an address's history: mined transactions before `after` ('': from the newest on), down to a height. */
interface Gap {
  readonly after: string;
  readonly downTo: number;
}

/** Progress of the polls of an address: they have read everything up to the block `top`, except the gaps. */
interface Reading {
  readonly top: number;
  readonly hash: string;
  readonly gaps: readonly Gap[];
}

interface History {
  readonly transactions: readonly Transaction[];
  /** Position from which the next poll continues; absent if this poll reached the end. */
  readonly readOn?: string;
}

/** The newest block at the beginning of a poll. */
export interface Tip {
  readonly height: number;
  readonly hash: string;
}

/**
 * Returns the transactions of an address, waiting or mined, back to its `sinceHeight`; each once. A list ends only with a page
 * without a mined transaction, because servers differ in their number of rows and of mined rows. The poll stops after its maximum
 * of pages, or at `until` (monotonic milliseconds); the next poll continues from `readOn`. A reorg of the blocks read so far
 * restarts the reading.
 */
export async function historyOf(
  esplora: Esplora,
  { to, sinceHeight, readOn }: Pick<ReceivingAddress, 'to' | 'sinceHeight' | 'readOn'>,
  tip: Tip,
  until = Infinity,
): Promise<History> {
  const before = await stillRead(esplora, readOn);
  const newest = await esplora.newest(to);
  const isEmpty = newest.transactions.length === 0 && newest.last === undefined;
  // An empty answer may be wrong, so the gaps that earlier polls left are retained.
  if (isEmpty) return { transactions: [], ...(before && readOn !== undefined && { readOn }) };
  const found = [...newest.transactions, ...(await hiddenAt(esplora, to, newest.transactions))];
  const left: Gap[] = [];
  const readDown = async ({ after, downTo }: Gap): Promise<void> => {
    let last = after;
    for (let pages = 0; pages < MAX_PAGES && monotonicMs() < until; pages += 1) {
      const page = await esplora.mined(to, last).catch(() => undefined);
      if (!page) break;
      found.push(...page.transactions);
      if (page.last === undefined || reaches(page, downTo)) return;
      last = page.last;
    }
    left.push({ after: last, downTo });
  };
  const downTo = before ? before.top + 1 : sinceHeight;
  if (!reaches(newest, downTo)) await readDown({ after: newest.last ?? '', downTo });
  for (const gap of before?.gaps ?? []) await readDown(gap);
  const transactions = once(found);
  return left.length === 0 ? { transactions } : { transactions, readOn: write({ ...tip, top: tip.height, gaps: fewer(left) }) };
}

/** True if a page goes below a height, by its oldest mined row. Another row with a lower height is odd, and ends nothing. */
function reaches({ transactions }: Page, downTo: number): boolean {
  const oldest = transactions.findLast(({ status }) => status.confirmed)?.status;
  return oldest?.confirmed === true && oldest.block_height < downTo;
}

/** Returns the progress of earlier polls; undefined if a reorg has replaced their newest block. */
async function stillRead(esplora: Esplora, readOn: string | undefined): Promise<Reading | undefined> {
  const before = readOn === undefined ? undefined : read(readOn);
  return before && (await esplora.blockHash(before.top)) === before.hash ? before : undefined;
}

/**
 * Returns waiting payments that a crowded list doesn't show, found by the coins at the address. Nobody can be kept from crowding
 * a list; payments that stay hidden are seen once they are mined.
 */
async function hiddenAt(esplora: Esplora, to: string, shown: readonly Transaction[]): Promise<Transaction[]> {
  if (shown.filter(({ status }) => !status.confirmed).length < CROWDED) return [];
  const known = new Set(shown.map(({ txid }) => txid));
  try {
    const coins = (await esplora.unspent(to))
      .filter(({ txid, value, status }) => !status.confirmed && value >= DUST && !known.has(txid))
      .toSorted((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1));
    const ids = [...new Set(coins.map(({ txid }) => txid))].slice(0, MAX_HIDDEN);
    const found = await Promise.all(ids.map((id) => esplora.transaction(id)));
    return found.filter((tx) => tx !== undefined);
  } catch (error) {
    reportOdd('bitcoin', 'a crowded address', { to, why: error instanceof Error ? error.message : String(error) });
    return [];
  }
}

/** Returns each transaction once; one that was mined between two reads counts as mined. */
function once(all: readonly Transaction[]): Transaction[] {
  const byId = new Map<string, Transaction>();
  for (const tx of all) if (!byId.get(tx.txid)?.status.confirmed) byId.set(tx.txid, tx);
  return [...byId.values()];
}

/** Merges the oldest gaps into one if there are too many. */
function fewer(gaps: readonly Gap[]): readonly Gap[] {
  const rest = gaps.slice(MAX_GAPS - 1);
  const [oldest] = rest;
  if (!oldest) return gaps;
  return [...gaps.slice(0, MAX_GAPS - 1), { after: oldest.after, downTo: Math.min(...rest.map(({ downTo }) => downTo)) }];
}

const write = ({ top, hash, gaps }: Reading): string =>
  [`${top}:${hash}`, ...gaps.map(({ after, downTo }) => `${after}:${downTo}`)].join(' ');

function read(readOn: string): Reading | undefined {
  if (!/^\d{1,10}:[0-9a-f]{64}(?: (?:[0-9a-f]{64})?:\d{1,10})+$/.test(readOn)) return undefined;
  const [head = '', ...gaps] = readOn.split(' ');
  const [top = '', hash = ''] = head.split(':');
  const written = gaps
    .map((gap) => gap.split(':'))
    .map(([after = '', downTo = '']) => ({ after, downTo: Number.parseInt(downTo, 10) }));
  return { top: Number.parseInt(top, 10), hash, gaps: written };
}
