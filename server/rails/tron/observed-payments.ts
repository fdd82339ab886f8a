import { monotonicMs } from '../../platform/index.ts';
import { sumOf, reportOdd, timeOf } from '../odd.ts';
import type { ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';
import { fromHex, toHex } from './address.ts';
import { type Block, type Chain, type Head, blockAt } from './chain.ts';
import { type Reply, Unreachable, count, each, momentOf, part, parts, word } from './client.ts';
import type { TronToken } from './config.ts';
import { infoOf, isSolid } from './ending.ts';
import { TRANSFER_TOPIC, type Transfer, idOf, readPayment, wordOf } from './transaction.ts';

/** A mined payment to our address, proved by the node. `isSolid`: it is irreversible. */
interface Arrival extends Omit<ObservedPayment, 'status'> {
  readonly block: Block;
  readonly isSolid: boolean;
}

/**
 * Remembered facts about an address: for each list the moment (milliseconds since 1970) to read it from, its arrivals, and
 * `nothing`, the solid transactions that paid it nothing.
 */
interface Known {
  readonly from: readonly number[];
  readonly arrivals: readonly Arrival[];
  readonly nothing: ReadonlySet<string>;
  /** Number of the poll that read it last. */
  readonly readBy: number;
}

/** Longest time by which the index may be ahead of the node. */
const LAG_MS = 15 * 60_000;
/** Time that each poll reads again, since the index may lag behind the chain. */
const OVERLAP_MS = 15 * 60_000;
/** Number of addresses to remember. The oldest are forgotten and read again from their beginning. */
const REMEMBERED = 50_000;
/** Number of addresses that each poll reads even if its time is over. */
const FIRST = 8;
/** Highest number of transactions per list of an address that one poll proves. */
const PROOFS = 60;

type Observe = (addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void) => Promise<ObservedPayment[]>;

/**
 * Returns the reader of payments to addresses. TronGrid's index only names transactions. A payment counts by the node's
 * report of it: success, and the event of the allow-listed contract or the bytes of a transfer of TRX. Only mined
 * transactions are read. The reader remembers solid payments in this process.
 *
 * An address is reported as unread if it has more payments than one poll reads, or one that the node can't prove now. The
 * next poll continues it, and it delays no other address. Its `readOn` has the unread moment of each list. Throws
 * `Unreachable` if the head can't be read.
 */
export function observedPaymentsReader(chain: Chain): Observe {
  const known = new Map<string, Known>();
  let polls = 0;
  return async (addresses, unread = refuse) => {
    const begun = monotonicMs();
    const isTime = (): boolean => monotonicMs() < begun + chain.config.pollMs;
    const reported = new Map(addresses.map(({ to, readOn }) => [to, readOn]));
    if (reported.size === 0) return [];
    const head = await chain.head();
    const poll = (polls += 1);
    const readBy = (to: string): number => known.get(to)?.readBy ?? 0;
    // The address that waited longest comes first, so that a short poll skips others than the one before.
    const inTurn = [...reported].toSorted(([a], [b]) => readBy(a) - readBy(b));
    const found = await each([...inTurn.entries()], async ([at, [to, readOn]]) => {
      const before = beforehand(chain, known.get(to), readOn);
      if (at >= FIRST && !isTime()) {
        unread({ to, readOn: before.from.join('/'), detail: 'there was no time for it' });
        return [];
      }
      const seen = await read(chain, head, to, before, isTime);
      known.delete(to);
      known.set(to, { ...seen.known, readBy: poll });
      if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
      if (seen.why !== undefined) unread({ to, readOn: seen.known.from.join('/'), detail: seen.why });
      return seen.arrivals;
    });
    return found.flat().map((arrival) => observedPayment(arrival, head));
  };
}

/** Default for callers without `unread`: they get all payments or an error. */
function refuse({ detail }: Unread): never {
  throw new Unreachable(detail);
}

/** Combines remembered facts of an address with the stored position `readOn` of another process, whichever is later. */
function beforehand({ config }: Chain, known: Known | undefined, readOn = ''): Known {
  const reported = /^\d{1,15}(?:\/\d{1,15})*$/.test(readOn) ? readOn.split('/') : [];
  const from = [...config.tokens, config.coin].map((_, at) =>
    Math.max(known?.from[at] ?? 0, Number.parseInt(reported[at] ?? '0', 10)),
  );
  return { from, arrivals: known?.arrivals ?? [], nothing: known?.nothing ?? new Set(), readBy: known?.readBy ?? 0 };
}

interface Poll {
  readonly known: Omit<Known, 'readBy'>;
  readonly arrivals: readonly Arrival[];
  /** Reason why the address was not read to its end. */
  readonly why?: string | undefined;
}

/** Polls one address. A failure of its lists or transactions doesn't throw: the result has the reason and the position. */
async function read(chain: Chain, head: Head, to: string, before: Known, isTime: () => boolean): Promise<Poll> {
  const past = before.arrivals.filter(({ isSolid: solid }) => solid);
  const waiting = new Set(before.arrivals.filter(({ isSolid: solid }) => !solid).map(({ txid }) => txid));
  const done = new Set([...past.map(({ txid }) => txid), ...before.nothing]);
  const lists = await listsOf(chain, head.time + LAG_MS, to, before, isTime);
  const due = lists.map((list) => firstOf(list, done));
  const open = [...new Set([...waiting, ...due.flatMap(({ rows }) => rows.map(({ txid }) => txid))])];
  const proved = new Map(await each(open, async (txid) => [txid, await tried(chain, head, to, txid, isTime)] as const));
  const ends = due.map((list) => endOf(list, proved, head));
  // A list that was read to its end is read again for the time that the index may lag.
  const from = ends.map(({ until }) => until ?? Math.max(0, head.solid.time - OVERLAP_MS));
  const fresh = [...proved.values()].flatMap(({ arrivals }) => arrivals);
  const arrivals = [...past, ...fresh];
  const nothing = [...proved].flatMap(([txid, { isNothing }]) => (isNothing ? [txid] : []));
  const reasons = [...ends.flatMap(({ why }) => why ?? []), ...[...waiting].flatMap((txid) => proved.get(txid)?.why ?? [])];
  return {
    known: {
      from,
      arrivals: [...arrivals, ...before.arrivals.filter(({ txid }) => proved.get(txid)?.why !== undefined)],
      nothing: new Set([...(reasons.length > 0 ? before.nothing : []), ...nothing]),
    },
    arrivals,
    why: reasons[0],
  };
}

/** A transaction that a list names, and the time of its block in milliseconds since 1970. */
interface Row {
  readonly txid: string;
  readonly at: number;
}

/** Rows of a list. `until`: the list was not read to its end and must be read on from this moment, for the reason `why`. */
interface List {
  readonly rows: readonly Row[];
  readonly until?: number | undefined;
  readonly why?: string | undefined;
}

/**
 * Reads the index's lists of transactions that may have paid an address: one list for each token, and one for TRX. A list
 * that would continue after `now` counts as failed, because the rows before that moment would never be read.
 */
function listsOf({ client, config }: Chain, now: number, to: string, { from }: Known, isTime: () => boolean): Promise<List[]> {
  const [path, only] = [`v1/accounts/${to}/transactions`, { only_to: 'true' }];
  const requested = [
    ...config.tokens.map(({ contract, dust }) => ({
      of: `${path}/trc20`,
      query: { ...only, contract_address: contract },
      rowOf: (row: Reply) => (row['to'] === to && !isLess(row['value'], dust) ? row['transaction_id'] : undefined),
    })),
    { of: path, query: only, rowOf: (row: Reply) => (isPayment(row, config.coin.dust) ? row['txID'] : undefined) },
  ];
  return Promise.all(
    requested.map(async ({ of, query, rowOf }, at): Promise<List> => {
      const since = from[at] ?? 0;
      try {
        const { rows, until } = await client.list(of, query, since, isTime);
        if (until !== undefined && until > now) throw new Unreachable('The index lists what is yet to come');
        const named = rows.flatMap((row) => rowsOf(config.id, of, row, rowOf(row), { since, now }));
        return { rows: named, until, ...(until !== undefined && { why: 'more payments than one look reads' }) };
      } catch (error) {
        return { rows: [], until: since, why: messageOf(error) };
      }
    }),
  );
}

/** Returns true if a row's sum is below dust. A row without a readable sum is not: the node decides. */
function isLess(value: unknown, dust: bigint): boolean {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value;
  return typeof text === 'string' && /^\d{1,77}$/.test(text) && BigInt(text) < dust;
}

function isPayment(row: Reply, dust: bigint): boolean {
  const [contract] = parts(part(row, 'raw_data'), 'contract');
  if (contract?.['type'] !== 'TransferContract') return false;
  return !isLess(part(part(contract, 'parameter'), 'value')['amount'], dust);
}

/**
 * Returns the transaction that a row names. A row without a valid time, or with one after `now`, gets the list's beginning.
 * Logs a malformed transaction id and returns nothing.
 */
function rowsOf(
  rail: string,
  list: string,
  row: Reply,
  txid: unknown,
  { since, now }: { readonly since: number; readonly now: number },
): Row[] {
  if (txid === undefined) return [];
  const at = momentOf(row);
  if (typeof txid === 'string' && /^[0-9a-f]{64}$/.test(txid)) return [{ txid, at: at !== undefined && at <= now ? at : since }];
  reportOdd(rail, 'a row of the index', { list, row });
  return [];
}

/** Limits a list to the first `PROOFS` rows that are not in `done` (transactions proved before). */
function firstOf(list: List, done: ReadonlySet<string>): List {
  const rows = list.rows.filter(({ txid }) => !done.has(txid));
  const next = rows[PROOFS];
  return next ? { rows: rows.slice(0, PROOFS), until: next.at, why: 'more payments than one look proves' } : { ...list, rows };
}

/** Returns the moment to continue a list from: that of its first unproved row, if there is one. */
function endOf({ rows, until, why }: List, proved: ReadonlyMap<string, Proof>, head: Head): Pick<List, 'until' | 'why'> {
  const failed = rows.find(
    ({ txid, at }) => proved.get(txid)?.why !== undefined || (proved.get(txid)?.isUnknown && at <= head.solid.time),
  );
  if (!failed) return { until, why };
  return { until: Math.min(until ?? failed.at, failed.at), why: proved.get(failed.txid)?.why ?? 'the node lacks what is listed' };
}

/** Payments of a transaction to an address. `isNothing`: it is solid and pays nothing. `why`: reason for a failed proof. */
interface Proof {
  readonly arrivals: readonly Arrival[];
  readonly isNothing?: boolean;
  /** The node knows no such transaction. */
  readonly isUnknown?: boolean;
  readonly why?: string;
}

async function tried(chain: Chain, head: Head, to: string, txid: string, isTime: () => boolean): Promise<Proof> {
  if (!isTime()) return { arrivals: [], why: 'more payments than there is time for' };
  try {
    return await prove(chain, head, to, txid);
  } catch (error) {
    return { arrivals: [], why: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Returns the payments of a transaction to an address, by the node's report of it. Throws `Unreachable` for an invalid report,
 * and if the block changed meanwhile.
 */
export async function prove(chain: Chain, head: Head, to: string, txid: string): Promise<Proof> {
  const { client } = chain;
  const info = await infoOf(client, 'wallet', txid);
  if (!info) return { arrivals: [], isUnknown: true };
  const height = count(info['blockNumber']);
  const sums = [...tokensIn(chain, info, to), ...(await coinIn(chain, txid, to))];
  const [block, solid] = await Promise.all([blockAt(client, 'wallet', height), isSolid(client, head, txid, height)]);
  // The block changed between two calls. The next poll reads the transaction again.
  if (!block || block.time !== count(info['blockTimeStamp'])) throw new Unreachable('The chain moved while it was read');
  timeOf(block.time);
  return { arrivals: sums.map((sum) => ({ ...sum, to, txid, block, isSolid: solid })), isNothing: sums.length === 0 && solid };
}

type Sum = Pick<Arrival, 'key' | 'currency' | 'parts' | 'from'>;

/** Returns transfers of allow-listed contracts, by the events of a transaction, which must have succeeded. */
function tokensIn({ config }: Chain, info: Reply, to: string): Sum[] {
  const { result } = part(info, 'receipt');
  if (result === undefined && parts(info, 'log').length > 0) throw new Unreachable('A report says nothing of its success');
  if (result !== 'SUCCESS') return [];
  return parts(info, 'log').flatMap((log, position) => {
    const token = config.tokens.find(({ contract }) => log['address'] === toHex(contract).slice(2));
    const topics = log['topics'];
    if (!token || !Array.isArray(topics) || topics.length !== 3) return [];
    if (topics[0] !== TRANSFER_TOPIC || topics[2] !== wordOf(to)) return [];
    try {
      const value = sumOf(word(log['data']));
      const from = fromHex(`41${String(topics[1]).slice(-40)}`);
      const key = `${String(info['id'])}:${position}`;
      return value < token.dust ? [] : [{ key, currency: token.code, parts: value, from: [from] }];
    } catch (error) {
      reportOdd(config.id, 'an event of a transaction', { id: info['id'], log, why: messageOf(error) });
      return [];
    }
  });
}

/** Returns a payment of TRX, by the transaction's bytes. TRX from our hot wallet (for energy) is no payment. */
async function coinIn({ client, config, hot }: Chain, txid: string, to: string): Promise<Sum[]> {
  const reply = await client.ask('wallet/gettransactionbyid', { value: txid });
  const raw = reply['raw_data_hex'];
  if (typeof raw !== 'string' || idOf(raw) !== txid) throw new Unreachable('The node showed other bytes than those of the id');
  if (parts(reply, 'ret')[0]?.['contractRet'] !== 'SUCCESS') return [];
  const payment = readPayment(raw);
  if (!payment || payment.to !== to || payment.owner === hot || payment.value < config.coin.dust) return [];
  return [{ key: `${txid}:${config.coin.code}`, currency: config.coin.code, parts: payment.value, from: [payment.owner] }];
}

/** Returns true if a report has an event of this transfer of a token, of at most its value. */
export function isReportOf(info: Reply, token: TronToken, { owner, to, value }: Transfer): boolean {
  return parts(info, 'log').some(
    ({ address, topics, data }) =>
      address === toHex(token.contract).slice(2) &&
      Array.isArray(topics) &&
      topics[0] === TRANSFER_TOPIC &&
      topics[1] === wordOf(owner) &&
      topics[2] === wordOf(to) &&
      word(data) > 0n &&
      word(data) <= value,
  );
}

/** Returns an arrival as an observed payment, with its confirmations up to a head. */
export function observedPayment({ block, isSolid: solid, ...arrival }: Arrival, head: Head): ObservedPayment {
  return {
    ...arrival,
    status: {
      at: 'block',
      height: block.height,
      hash: block.id,
      minedAt: new Date(block.time),
      confirmations: Math.max(1, head.height - block.height + 1),
      isFinalised: solid,
    },
  };
}
