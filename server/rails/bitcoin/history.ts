import { monotonicMs } from '../../platform/index.ts';
import { reportOdd } from '../odd.ts';
import type { ReceivingAddress } from '../rail.ts';
import type { Page, Transaction } from './answers.ts';
import type { Esplora } from './client.ts';
import { DUST } from './fees.ts';

/** Pages that one look reads of what is new at an address, and as many of what earlier looks left over. */
const MAX_PAGES = 8;
/** More parts that are left over are taken together. */
const MAX_GAPS = 8;
/**
 * So many waiting transactions at one address may hide others: servers show no more than fifty, and share them with mined ones.
 */
const CROWDED = 25;
/** Hidden ones that are looked up, the largest first. */
const MAX_HIDDEN = 25;

/**
 * What touches an address and was not read yet: everything mined before the transaction `after` ('': the newest), down to a
 * height.
 */
interface Gap {
  readonly after: string;
  readonly downTo: number;
}

/** What looks at an address have read: everything up to the block `top`, but for the gaps. */
interface Reading {
  readonly top: number;
  readonly hash: string;
  readonly gaps: readonly Gap[];
}

interface History {
  readonly transactions: readonly Transaction[];
  /** Where the next look reads on; absent where this one came to the end. */
  readonly readOn?: string;
}

/** The newest block when a look began. */
export interface Tip {
  readonly height: number;
  readonly hash: string;
}

/**
 * What touches an address, waiting or mined, back to the address's height; each transaction once. Only a page without a mined
 * transaction is the end of a list: servers of this interface differ in how many rows they show at once, and in how many of
 * them are mined. What takes more pages than one look may read, or longer than to `until` (monotonic milliseconds), is read on
 * by the next; a reorg of what was read begins anew.
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
  // What an earlier look left over is not forgotten for an answer that shows nothing of what was there.
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

/** Whether a page goes down below a height, by its oldest row: one among the others that says so is odd, and no end. */
function reaches({ transactions }: Page, downTo: number): boolean {
  const oldest = transactions.findLast(({ status }) => status.confirmed)?.status;
  return oldest?.confirmed === true && oldest.block_height < downTo;
}

/** What earlier looks have read, unless a reorg has replaced it. */
async function stillRead(esplora: Esplora, readOn: string | undefined): Promise<Reading | undefined> {
  const before = readOn === undefined ? undefined : read(readOn);
  return before && (await esplora.blockHash(before.top)) === before.hash ? before : undefined;
}

/**
 * Waiting payments that a crowded list doesn't show, found by what lies at the address. What hides them can't be prevented;
 * hidden all the same, they are seen once they are mined.
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

/** Each transaction once; one that was mined between two reads counts as mined. */
function once(all: readonly Transaction[]): Transaction[] {
  const byId = new Map<string, Transaction>();
  for (const tx of all) if (!byId.get(tx.txid)?.status.confirmed) byId.set(tx.txid, tx);
  return [...byId.values()];
}

/** The oldest of too many gaps as one. */
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
