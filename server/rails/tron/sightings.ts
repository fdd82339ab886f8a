import type { Sighting, WatchedPlace } from '../rail.ts';
import { fromHex, toHex } from './address.ts';
import { type Block, type Chain, type Head, blockAt } from './chain.ts';
import { type Reply, Unreachable, count, each, part, parts, word } from './client.ts';
import type { TronToken } from './config.ts';
import { infoOf, isSolid } from './ending.ts';
import { TRANSFER_TOPIC, type Transfer, idOf, readPayment, wordOf } from './transaction.ts';

/** A payment to a place of ours in a block, proved by the node. Solid: nothing changes it any more. */
interface Arrival extends Omit<Sighting, 'standing'> {
  readonly block: Block;
  readonly solid: boolean;
}

/** What is known of a place: its arrivals, and the time below which the index needs no second reading. */
interface Known {
  readonly readTo: number;
  readonly arrivals: readonly Arrival[];
}

/** The index may lag behind the chain, and pages move: so much is read again. */
const OVERLAP_MS = 15 * 60_000;
/** Places whose past is remembered; the oldest are forgotten and read again. */
const REMEMBERED = 50_000;

/**
 * Reads payments to places. TronGrid's index only says which transactions to ask for; what counts is the node's own
 * report of each: success, the very event of the one contract, the very bytes of a transfer of TRX. Only mined ones exist
 * here (money.md A5). It remembers, in this process, what is solid.
 */
export function sightingsReader(chain: Chain): (places: readonly WatchedPlace[]) => Promise<Sighting[]> {
  const known = new Map<string, Known>();
  return async (places) => {
    const addresses = [...new Set(places.map(({ to }) => to))];
    if (addresses.length === 0) return [];
    const head = await chain.head();
    const found = await each(addresses, async (to) => {
      const before = known.get(to) ?? { readTo: 0, arrivals: [] };
      const arrivals = await read(chain, head, to, before);
      known.delete(to);
      known.set(to, { readTo: Math.max(0, head.solid.time - OVERLAP_MS), arrivals });
      if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
      return arrivals;
    });
    return found.flat().map((arrival) => sighting(arrival, head));
  };
}

async function read(chain: Chain, head: Head, to: string, before: Known): Promise<Arrival[]> {
  const past = before.arrivals.filter(({ solid }) => solid);
  const done = new Set(past.map(({ txid }) => txid));
  const listed = await candidates(chain, to, before.readTo);
  const open = [...new Set([...listed, ...before.arrivals.map(({ txid }) => txid)])].filter((txid) => !done.has(txid));
  const fresh = await each(open, (txid) => prove(chain, head, to, txid));
  return [...past, ...fresh.flat()];
}

/** Transactions that may have paid a place, by the index; what is dust by its word isn't asked for. */
async function candidates({ client, config }: Chain, to: string, since: number): Promise<string[]> {
  const query = { only_to: 'true', ...(since > 0 && { min_timestamp: `${since}` }) };
  const ofTokens = config.tokens.map(async ({ contract, dust }) => {
    const rows = await client.list(`v1/accounts/${to}/transactions/trc20`, { ...query, contract_address: contract });
    return rows.flatMap(({ transaction_id: txid, value, to: payee }) =>
      typeof value === 'string' && /^\d{1,77}$/.test(value) && BigInt(value) >= dust && payee === to ? [txid] : [],
    );
  });
  const ofCoin = client.list(`v1/accounts/${to}/transactions`, query).then((rows) =>
    rows.flatMap((row) => {
      const [contract] = parts(part(row, 'raw_data'), 'contract');
      return contract?.['type'] === 'TransferContract' ? [row['txID']] : [];
    }),
  );
  const listed = (await Promise.all([...ofTokens, ofCoin])).flat();
  return listed.filter((txid): txid is string => typeof txid === 'string' && /^[0-9a-f]{64}$/.test(txid));
}

/** What a transaction brought to a place, by the node's own report of it; nothing where it is in no block. */
async function prove(chain: Chain, head: Head, to: string, txid: string): Promise<Arrival[]> {
  const { client } = chain;
  const info = await infoOf(client, 'wallet', txid);
  if (!info) return [];
  const height = count(info['blockNumber']);
  const sums = [...tokensIn(chain, info, to), ...(await coinIn(chain, txid, to))];
  if (sums.length === 0) return [];
  const [block, solid] = await Promise.all([blockAt(client, 'wallet', height), isSolid(client, head, txid, height)]);
  // Its block changed between two calls: the next look sees it where it is then.
  if (!block || block.time !== count(info['blockTimeStamp'])) throw new Unreachable('The chain moved while it was read');
  return sums.map((sum) => ({ ...sum, to, txid, block, solid }));
}

type Sum = Pick<Arrival, 'key' | 'currency' | 'parts' | 'from'>;

/** Transfers of allow-listed contracts, by the events of this very transaction, which must have succeeded. */
function tokensIn({ config }: Chain, info: Reply, to: string): Sum[] {
  if (part(info, 'receipt')['result'] !== 'SUCCESS') return [];
  return parts(info, 'log').flatMap((log, position) => {
    const token = config.tokens.find(({ contract }) => log['address'] === toHex(contract).slice(2));
    const topics = log['topics'];
    if (!token || !Array.isArray(topics) || topics.length !== 3) return [];
    if (topics[0] !== TRANSFER_TOPIC || topics[2] !== wordOf(to)) return [];
    const value = word(log['data']);
    const from = fromHex(`41${String(topics[1]).slice(-40)}`);
    return value < token.dust
      ? []
      : [{ key: `${String(info['id'])}:${position}`, currency: token.code, parts: value, from: [from] }];
  });
}

/** A sum of TRX, by the very bytes of the transaction. What we sent ourselves (for energy) is no payment. */
async function coinIn({ client, config, hot }: Chain, txid: string, to: string): Promise<Sum[]> {
  const reply = await client.ask('wallet/gettransactionbyid', { value: txid });
  const raw = reply['raw_data_hex'];
  if (typeof raw !== 'string' || idOf(raw) !== txid || parts(reply, 'ret')[0]?.['contractRet'] !== 'SUCCESS') return [];
  const payment = readPayment(raw);
  if (!payment || payment.to !== to || payment.owner === hot || payment.value < config.coin.dust) return [];
  return [{ key: `${txid}:${config.coin.code}`, currency: config.coin.code, parts: payment.value, from: [payment.owner] }];
}

/** Whether a report tells of this very transfer of a token. */
export function tellsOf(info: Reply, token: TronToken, { owner, to, value }: Transfer): boolean {
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

function sighting({ block, solid, ...arrival }: Arrival, head: Head): Sighting {
  return {
    ...arrival,
    standing: {
      at: 'block',
      height: block.height,
      hash: block.id,
      minedAt: new Date(block.time),
      confirmations: Math.max(1, head.height - block.height + 1),
      finalised: solid,
    },
  };
}
