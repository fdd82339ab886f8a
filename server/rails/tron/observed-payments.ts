import { monotonicMs } from '../../platform/index.ts';
import { sumOf, reportOdd, timeOf } from '../odd.ts';
import type { ObservedPayment, Unread, ReceivingAddress } from '../rail.ts';
import { fromHex, toHex } from './address.ts';
import { type Block, type Chain, type Head, blockAt } from './chain.ts';
import { type Reply, Unreachable, count, each, momentOf, part, parts, word } from './client.ts';
import type { TronToken } from './config.ts';
import { infoOf, isSolid } from './ending.ts';
import { TRANSFER_TOPIC, type Transfer, idOf, readPayment, wordOf } from './transaction.ts';

/** A payment to an address of ours in a block, proved by the node. Solid: nothing changes it any more. */
interface Arrival extends Omit<ObservedPayment, 'status'> {
  readonly block: Block;
  readonly solid: boolean;
}

/**
 * What is known of an address: its arrivals, solid transactions that brought nothing, and of each list the moment
 * (milliseconds since 1970) from which on it is to be read.
 */
interface Known {
  readonly from: readonly number[];
  readonly arrivals: readonly Arrival[];
  readonly nothing: ReadonlySet<string>;
  /** The look that read it last, by its number. */
  readonly readBy: number;
}

/** The index may be ahead of the node by so much. */
const LAG_MS = 15 * 60_000;
/** The index may lag behind the chain: so much is read again. */
const OVERLAP_MS = 15 * 60_000;
/** Addresses whose past is remembered; the oldest are forgotten and read again. */
const REMEMBERED = 50_000;
/** Addresses that one look reads whatever time that takes. */
const FIRST = 8;
/** Transactions of one address that one look asks the node about. */
const PROOFS = 60;

type Observe = (addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void) => Promise<ObservedPayment[]>;

/**
 * Reads payments to addresses. TronGrid's index only says which transactions to ask for; what counts is the node's own
 * report of each: success, the very event of the one contract, the very bytes of a transfer of TRX. Only mined ones exist
 * here. It remembers, in this process, what is solid. An address with more payments than one look reads, or with one
 * that the node can't prove now, is told and read on by the next look, and holds up nobody else; its `readOn` is the moment of
 * each list from which on that is unread.
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
    // Anyone who waited longest comes first: where there isn't time for all it is for others the next time.
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

/** Who doesn't listen gets the whole or nothing. */
function refuse({ detail }: Unread): never {
  throw new Unreachable(detail);
}

/** What is known of an address, or what a look of another process told, if that read further. */
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
  /** Why it didn't come to the end. */
  readonly why?: string | undefined;
}

/** One look at an address. It never throws for what this address's lists or transactions are: then it says how far it came. */
async function read(chain: Chain, head: Head, to: string, before: Known, isTime: () => boolean): Promise<Poll> {
  const past = before.arrivals.filter(({ solid }) => solid);
  const waiting = new Set(before.arrivals.filter(({ solid }) => !solid).map(({ txid }) => txid));
  const done = new Set([...past.map(({ txid }) => txid), ...before.nothing]);
  const lists = await listsOf(chain, head.time + LAG_MS, to, before, isTime);
  const due = lists.map((list) => firstOf(list, done));
  const open = [...new Set([...waiting, ...due.flatMap(({ rows }) => rows.map(({ txid }) => txid))])];
  const proved = new Map(await each(open, async (txid) => [txid, await tried(chain, head, to, txid, isTime)] as const));
  const ends = due.map((list) => endOf(list, proved, head));
  // What was read to its end is read again as far as the index may lag.
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

/** A transaction that a list names, and when its block was made. */
interface Row {
  readonly txid: string;
  readonly at: number;
}

/** `until`: the list was not read to its end, and has to be read on from there; `why` says why. */
interface List {
  readonly rows: readonly Row[];
  readonly until?: number | undefined;
  readonly why?: string | undefined;
}

/**
 * The lists of what may have paid an address, by the index: of each token, and of the coin. One that would have to be read
 * on from a moment after the newest block's (`now`) is none: what lies before would never be read.
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

/** Whether a row says a sum below dust; one that says no sum is asked for all the same. */
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
 * The transaction that a row names; without a moment of its own, or with one yet to come, it stands where the list begins. What
 * can't be is told.
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

/** How many rows of a list one look proves; rows already proven are not asked again. */
function firstOf(list: List, done: ReadonlySet<string>): List {
  const rows = list.rows.filter(({ txid }) => !done.has(txid));
  const next = rows[PROOFS];
  return next ? { rows: rows.slice(0, PROOFS), until: next.at, why: 'more payments than one look proves' } : { ...list, rows };
}

/** Where a list has to be read on: from the first of its rows that could not be proved, if any. */
function endOf({ rows, until, why }: List, proved: ReadonlyMap<string, Proof>, head: Head): Pick<List, 'until' | 'why'> {
  const failed = rows.find(
    ({ txid, at }) => proved.get(txid)?.why !== undefined || (proved.get(txid)?.isUnknown && at <= head.solid.time),
  );
  if (!failed) return { until, why };
  return { until: Math.min(until ?? failed.at, failed.at), why: proved.get(failed.txid)?.why ?? 'the node lacks what is listed' };
}

/** What a transaction brought to an address; `isNothing`: for ever nothing. `why`: nobody can say now. */
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

/** What a transaction brought to an address, by the node's own report of it. Throws where that can't be one. */
export async function prove(chain: Chain, head: Head, to: string, txid: string): Promise<Proof> {
  const { client } = chain;
  const info = await infoOf(client, 'wallet', txid);
  if (!info) return { arrivals: [], isUnknown: true };
  const height = count(info['blockNumber']);
  const sums = [...tokensIn(chain, info, to), ...(await coinIn(chain, txid, to))];
  const [block, solid] = await Promise.all([blockAt(client, 'wallet', height), isSolid(client, head, txid, height)]);
  // Its block changed between two calls: the next look sees it where it is then.
  if (!block || block.time !== count(info['blockTimeStamp'])) throw new Unreachable('The chain moved while it was read');
  timeOf(block.time);
  return { arrivals: sums.map((sum) => ({ ...sum, to, txid, block, solid })), isNothing: sums.length === 0 && solid };
}

type Sum = Pick<Arrival, 'key' | 'currency' | 'parts' | 'from'>;

/** Transfers of allow-listed contracts, by the events of this very transaction, which must have succeeded. */
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

/** A sum of TRX, by the very bytes of the transaction. What we sent ourselves (for energy) is no payment. */
async function coinIn({ client, config, hot }: Chain, txid: string, to: string): Promise<Sum[]> {
  const reply = await client.ask('wallet/gettransactionbyid', { value: txid });
  const raw = reply['raw_data_hex'];
  if (typeof raw !== 'string' || idOf(raw) !== txid) throw new Unreachable('The node showed other bytes than those of the id');
  if (parts(reply, 'ret')[0]?.['contractRet'] !== 'SUCCESS') return [];
  const payment = readPayment(raw);
  if (!payment || payment.to !== to || payment.owner === hot || payment.value < config.coin.dust) return [];
  return [{ key: `${txid}:${config.coin.code}`, currency: config.coin.code, parts: payment.value, from: [payment.owner] }];
}

/** Whether a report tells of this very transfer of a token. */
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

/** A proved arrival as it stands by a head. */
export function observedPayment({ block, solid, ...arrival }: Arrival, head: Head): ObservedPayment {
  return {
    ...arrival,
    status: {
      at: 'block',
      height: block.height,
      hash: block.id,
      minedAt: new Date(block.time),
      confirmations: Math.max(1, head.height - block.height + 1),
      finalised: solid,
    },
  };
}
