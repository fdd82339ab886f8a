import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf, parseAddress, scriptOf, scriptType } from './address.ts';
import { type BAddress, type CoinView, type Input, type Output, shown, type TX, type TXMeta } from './bcoin.ts';
import type { Faults } from '../faults.ts';
import type { Pages } from './pages.ts';
import { hashOf, type Regtest } from './regtest.ts';

/**
 * Esplora's HTTP API (github.com/Blockstream/esplora, API.md) over the regtest chain: the calls that a payment processor needs,
 * with the documented messages and the errors of its server (electrs). Answers are plain text where Esplora's are.
 */

const MEMPOOL_PAGE = 50;
/** Fee estimates in sat/vB by number of blocks. Blocks here are never full, so the curve is fixed. */
const ESTIMATES = { 1: 12.5, 2: 10.25, 3: 8.5, 4: 6.5, 5: 5.1, 6: 4.07, 10: 3.01, 25: 2.2, 144: 1.027, 504: 1.011, 1008: 1.011 };

interface Status {
  readonly confirmed: boolean;
  readonly block_height?: number;
  readonly block_hash?: string;
  readonly block_time?: number;
}

/** Mounts the API on a scope. */
export function mountEsplora(scope: FastifyInstance, regtest: Regtest, faults: Faults, pages: Pages): void {
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1_000_000 }, (_request, body, done) => done(null, body));
  blocks(scope, regtest);
  transactions(scope, regtest, pages);
  addresses(scope, regtest, faults, pages);
  scope.get('/fee-estimates', async () => ({ ...ESTIMATES, ...pages.tricks.estimates }));
  scope.post('/tx', async (request, reply) => {
    const hex = typeof request.body === 'string' ? request.body.trim() : '';
    const sent = /^([0-9a-f]{2})+$/i.test(hex)
      ? await regtest.submit(Buffer.from(hex, 'hex'))
      : { ok: false as const, code: -22, message: 'TX decode failed. Make sure the tx has at least one input.' };
    if (sent.ok) return text(reply, 200, sent.txid);
    return text(reply, 400, `sendrawtransaction RPC error: ${JSON.stringify({ code: sent.code, message: sent.message })}`);
  });
}

function blocks(scope: FastifyInstance, regtest: Regtest): void {
  scope.get('/blocks/tip/height', async (_request, reply) => text(reply, 200, String(regtest.height)));
  scope.get('/blocks/tip/hash', async (_request, reply) => text(reply, 200, shown(regtest.chain.tip.hash)));
  scope.get<{ Params: { height: string } }>('/block-height/:height', async (request, reply) => {
    const entry = /^\d{1,9}$/.test(request.params.height)
      ? await regtest.chain.getEntryByHeight(parseInt(request.params.height, 10))
      : null;
    return entry ? text(reply, 200, shown(entry.hash)) : text(reply, 404, 'Block not found');
  });
  scope.get<{ Params: { hash: string } }>('/block/:hash', async (request, reply) => {
    const hash = hashOf(request.params.hash);
    const entry = hash === undefined ? null : await regtest.chain.getEntry(hash);
    const block = entry && (await regtest.chain.getBlock(entry.hash));
    if (!entry || !block) return text(reply, 404, 'Block not found');
    return {
      id: shown(entry.hash),
      height: entry.height,
      timestamp: entry.time,
      tx_count: block.txs.length,
      previousblockhash: shown(entry.prevBlock),
    };
  });
}

function transactions(scope: FastifyInstance, regtest: Regtest, pages: Pages): void {
  type Params = { Params: { txid: string; vout: string } };
  const find = async (txid: string): Promise<TXMeta | undefined> => {
    const hash = hashOf(txid);
    return hash === undefined || pages.isHidden(txid) ? undefined : metaOf(regtest, hash);
  };
  scope.get<Params>('/tx/:txid', async (request, reply) => {
    const meta = await find(request.params.txid);
    return meta ? describe(regtest, meta, pages) : text(reply, 404, 'Transaction not found');
  });
  scope.get<Params>('/tx/:txid/hex', async (request, reply) => {
    const meta = await find(request.params.txid);
    return meta ? text(reply, 200, meta.tx.toRaw().toString('hex')) : text(reply, 404, 'Transaction not found');
  });
  // As in electrs, an unknown transaction has the status "not confirmed" instead of an error.
  scope.get<Params>('/tx/:txid/status', async (request) => {
    const meta = await find(request.params.txid);
    return meta ? statusOf(meta) : { confirmed: false };
  });
  scope.get<Params>('/tx/:txid/outspend/:vout', async (request, reply) => {
    const hash = hashOf(request.params.txid);
    if (hash === undefined || !/^\d{1,9}$/.test(request.params.vout)) return text(reply, 400, 'Invalid hex string');
    return pages.tricks.isUnspent ? { spent: false } : outspend(regtest, hash, parseInt(request.params.vout, 10));
  });
  scope.get<Params>('/tx/:txid/outspends', async (request, reply) => {
    const meta = await find(request.params.txid);
    if (!meta) return text(reply, 404, 'Transaction not found');
    return Promise.all(meta.tx.outputs.map((_, index) => outspend(regtest, meta.tx.hash('hex'), index)));
  });
}

function addresses(scope: FastifyInstance, regtest: Regtest, faults: Faults, pages: Pages): void {
  type Params = { Params: { address: string; last: string } };
  const shown = (rows: AddressTransaction[]): AddressTransaction[] => rows.filter(({ meta }) => !pages.isHidden(meta.tx.txid()));
  const written = (row: AddressTransaction): object => write(row, pages);
  const waitingAt = async (place: Place): Promise<AddressTransaction[]> =>
    shown((await withViews(regtest, mempoolHistory(regtest, place))).filter((row) => touches(place, row)));
  const minedAt = async (place: Place): Promise<AddressTransaction[]> => shown(await chainHistory(regtest, place));
  const twice = <T>(rows: T[]): T[] => (faults.strikes(faults.rates.duplicates) ? [...rows, ...rows] : rows);
  const respond = async (reply: FastifyReply, address: string, answer: (place: Place) => Promise<unknown>): Promise<unknown> => {
    const place = placeOf(address);
    return place ? answer(place) : text(reply, 400, 'Invalid Bitcoin address');
  };
  scope.get<Params>('/address/:address', async (request, reply) =>
    respond(reply, request.params.address, async (place) => ({
      address: request.params.address,
      chain_stats: stats(place, await chainHistory(regtest, place)),
      mempool_stats: stats(place, await withViews(regtest, mempoolHistory(regtest, place))),
    })),
  );
  scope.get<Params>('/address/:address/txs', async (request, reply) =>
    respond(reply, request.params.address, async (place) => {
      return twice(pages.first(await waitingAt(place), await minedAt(place)).map(written));
    }),
  );
  scope.get<Params>('/address/:address/txs/mempool', async (request, reply) =>
    respond(reply, request.params.address, async (place) => {
      return twice((await waitingAt(place)).slice(0, MEMPOOL_PAGE).map(written));
    }),
  );
  for (const path of ['/address/:address/txs/chain', '/address/:address/txs/chain/:last']) {
    scope.get<Params>(path, async (request, reply) =>
      respond(reply, request.params.address, async (place) => {
        const mined = await minedAt(place);
        const from = request.params.last ? mined.findIndex(({ meta }) => meta.tx.txid() === request.params.last) + 1 : 0;
        return twice(mined.slice(from, from + pages.tricks.rows).map(written));
      }),
    );
  }
  scope.get<Params>('/address/:address/utxo', async (request, reply) =>
    respond(reply, request.params.address, async (place) => twice(await unspent(regtest, place))),
  );
}

interface Place {
  readonly address: BAddress;
  readonly script: Buffer;
}

interface AddressTransaction {
  readonly meta: TXMeta;
  readonly view: CoinView;
}

/** Returns the unspent outputs of an address. Includes payments and spends in the mempool. */
export async function unspent(
  regtest: Regtest,
  place: Place,
): Promise<{ txid: string; vout: number; value: number; status: Status }[]> {
  const rows = [...(await chainHistory(regtest, place)), ...(await withViews(regtest, mempoolHistory(regtest, place)))];
  return rows.flatMap(({ meta }) =>
    meta.tx.outputs.flatMap((output, vout) => {
      const ours = output.script.toRaw().equals(place.script);
      if (!ours || regtest.spender(meta.tx.hash('hex'), vout)) return [];
      return [{ txid: meta.tx.txid(), vout, value: output.value, status: statusOf(meta) }];
    }),
  );
}

/** Returns an address of this chain with its script; undefined for anything else. */
export function placeOf(address: string): Place | undefined {
  try {
    return { address: parseAddress(address), script: scriptOf(address) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the mined transactions of an address, newest first. bcoin's index knows hashes only, so types of address with the same
 * hash are distinguished by their script.
 */
async function chainHistory(regtest: Regtest, place: Place): Promise<AddressTransaction[]> {
  const metas = await regtest.chain.getMetaByAddress([place.address]);
  const rows = (await withViews(regtest, metas)).filter((row) => touches(place, row));
  return rows.toSorted((a, b) => b.meta.height - a.meta.height);
}

function mempoolHistory(regtest: Regtest, place: Place): TXMeta[] {
  return regtest.mempool.getMetaByAddress([place.address]).toReversed();
}

function withViews(regtest: Regtest, metas: readonly TXMeta[]): Promise<AddressTransaction[]> {
  return Promise.all(metas.map(async (meta) => ({ meta, view: await viewOf(regtest, meta) })));
}

function viewOf(regtest: Regtest, { tx, height }: TXMeta): Promise<CoinView> {
  return height === -1 ? regtest.mempool.getSpentView(tx) : regtest.chain.getSpentView(tx);
}

function touches(place: Place, { meta: { tx }, view }: AddressTransaction): boolean {
  const pays = (output: Output | null): boolean => output?.script.toRaw().equals(place.script) === true;
  return tx.outputs.some(pays) || (!tx.isCoinbase() && tx.inputs.some((input) => pays(view.getOutputFor(input))));
}

async function metaOf(regtest: Regtest, hash: string): Promise<TXMeta | undefined> {
  return regtest.mempool.getMeta(hash) ?? (await regtest.chain.getMeta(hash)) ?? undefined;
}

function statusOf(meta: TXMeta): Status {
  if (meta.height === -1 || meta.block === null) return { confirmed: false };
  return { confirmed: true, block_height: meta.height, block_hash: shown(meta.block), block_time: meta.time };
}

async function outspend(regtest: Regtest, hash: string, index: number): Promise<object> {
  const spender = regtest.spender(hash, index);
  const meta = spender && (await metaOf(regtest, shown(spender.txid)));
  return spender && meta ? { spent: true, ...spender, status: statusOf(meta) } : { spent: false };
}

function stats(place: Place, rows: readonly AddressTransaction[]): object {
  const funded = rows.flatMap(({ meta: { tx } }) => tx.outputs.filter(({ script }) => script.toRaw().equals(place.script)));
  const spent = rows.flatMap(({ meta: { tx }, view }) =>
    tx.isCoinbase()
      ? []
      : tx.inputs.flatMap((input) => view.getOutputFor(input) ?? []).filter(({ script }) => script.toRaw().equals(place.script)),
  );
  const sum = (outputs: readonly Output[]): number => outputs.reduce((total, { value }) => total + value, 0);
  return {
    tx_count: rows.filter((row) => touches(place, row)).length,
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
  };
}

async function describe(regtest: Regtest, meta: TXMeta, pages: Pages): Promise<object> {
  return write({ meta, view: await viewOf(regtest, meta) }, pages);
}

function write({ meta, view }: AddressTransaction, pages: Pages): object {
  const { tx } = meta;
  return {
    txid: tx.txid(),
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.inputs.map((input) => writeInput(tx, input, view)),
    vout: tx.outputs.map(writeOutput),
    size: tx.getSize(),
    weight: tx.getWeight(),
    fee: tx.isCoinbase() ? 0 : tx.getFee(view),
    status: { ...statusOf(meta), ...(meta.height !== -1 && pages.tricks.status) },
  };
}

function writeInput(tx: TX, input: Input, view: CoinView): object {
  const prevout = tx.isCoinbase() ? null : view.getOutputFor(input);
  return {
    txid: shown(input.prevout.hash),
    vout: input.prevout.index,
    prevout: prevout && writeOutput(prevout),
    scriptsig: input.script.toRaw().toString('hex'),
    witness: input.witness.items.map((item) => item.toString('hex')),
    is_coinbase: tx.isCoinbase(),
    sequence: input.sequence,
  };
}

function writeOutput(output: Output): object {
  const script = output.script.toRaw();
  const address = addressOf(script);
  return {
    scriptpubkey: script.toString('hex'),
    scriptpubkey_type: scriptType(script),
    ...(address !== undefined && { scriptpubkey_address: address }),
    value: output.value,
  };
}

function text(reply: FastifyReply, code: number, body: string): FastifyReply {
  return reply.code(code).type('text/plain').send(body);
}
