import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import type { Mined, Transaction, TronChain } from './chain.ts';
import { COSTS, FAKE, TRANSFER, USDT, call, live, trx, usdt } from './state.ts';
import { type Raw, addressHex, base58, sha256, textHex, transactionJson, writeRaw, writeTransaction } from './wire.ts';

/**
 * HTTP API of a node (developers.tron.network, "HTTP API"), as far as wallets and desks use it: `/wallet/*` for the newest block,
 * `/walletsolidity/*` for the solid one.
 */

type Body = Readonly<Record<string, unknown>>;
type NodeAnswer = Readonly<Record<string, unknown>>;

const LIFE_MS = 60_000;
const number = (value: bigint): number => Number.parseInt(value.toString(), 10);
const count = (value: unknown): bigint => BigInt(typeof value === 'number' || typeof value === 'string' ? value : 0);

/** Error that a node returns for unreadable input. */
class Unreadable extends Error {}

/** Mounts `/wallet` and `/walletsolidity` on a scope. */
export function mountNode(scope: FastifyInstance, chain: TronChain): void {
  const both: Readonly<Record<string, (body: Body, top: number) => NodeAnswer | readonly NodeAnswer[]>> = {
    getnowblock: (_body, top) => blockJson(chain, top, true),
    getblock: ({ id_or_num: which, detail }, top) => {
      const found = which === undefined || which === '' ? top : numberOf(chain, String(which));
      return found > top ? {} : blockJson(chain, found, detail === true || detail === 'true');
    },
    getblockbynum: ({ num }, top) => {
      const found = number(count(num));
      return found > top ? {} : blockJson(chain, found, true);
    },
    getaccount: (body, top) => accountJson(chain, body, top),
    gettransactionbyid: ({ value, visible }, top) => {
      const transaction = chain.transaction(String(value));
      const mined = chain.mined(String(value));
      return transaction && mined && mined.block.number <= top ? shown(transaction, mined, visible === true) : {};
    },
    gettransactioninfobyid: ({ value }, top) => {
      const mined = chain.mined(String(value));
      const transaction = chain.transaction(String(value));
      return mined && transaction && mined.block.number <= top ? infoJson(transaction, mined) : {};
    },
    triggerconstantcontract: (body, top) => constantJson(chain, body, top),
    gettransactioninfobyblocknum: ({ num }, top) => {
      const at = number(count(num));
      const ids = at > top ? [] : (chain.block(at)?.transactions ?? []);
      return ids.flatMap((id) => {
        const [transaction, mined] = [chain.transaction(id), chain.mined(id)];
        return transaction && mined ? [infoJson(transaction, mined)] : [];
      });
    },
  };
  for (const [name, work] of Object.entries(both)) {
    post(scope, `/wallet/${name}`, (body) => work(body, chain.height));
    post(scope, `/walletsolidity/${name}`, (body) => work(body, chain.solid));
  }
  post(scope, '/wallet/getchainparameters', () => ({
    chainParameter: [
      { key: 'getCreateAccountFee', value: number(COSTS.activation) },
      { key: 'getTransactionFee', value: number(COSTS.byte) },
      { key: 'getCreateNewAccountFeeInSystemContract', value: number(COSTS.account) },
      { key: 'getEnergyFee', value: number(COSTS.energy) },
      { key: 'getMaxFeeLimit', value: 15_000_000_000 },
      { key: 'getFreeNetLimit' },
    ],
  }));
  post(scope, '/wallet/gettransactionfrompending', ({ value, visible }) => {
    const found = chain.waiting().find(({ id }) => id === value);
    return found ? shown(found, undefined, visible === true) : {};
  });
  post(scope, '/wallet/getaccountresource', (body) =>
    chain.state.get(live(address(body['address']))) === 0n ? {} : { freeNetUsed: 600, freeNetLimit: 600 },
  );
  post(scope, '/wallet/createtransaction', (body) => made(chain, body));
  post(scope, '/wallet/triggersmartcontract', (body) => {
    const transaction = made(chain, body);
    return 'Error' in transaction ? transaction : { result: { result: true }, transaction };
  });
  post(scope, '/wallet/broadcasthex', ({ transaction }) => broadcast(chain, String(transaction)));
  post(scope, '/wallet/broadcasttransaction', ({ raw_data_hex: raw, signature, txID }) => {
    if (sha256(String(raw)) !== txID) return { code: 'OTHER_ERROR', message: textHex('txID is not the hash of raw_data') };
    return broadcast(chain, writeTransaction(String(raw), signature as string[]));
  });
}

/** Mounts a call, which a node accepts by POST with JSON and by GET. */
function post(
  scope: FastifyInstance,
  url: string,
  work: (body: Body) => NodeAnswer | readonly NodeAnswer[] | Promise<NodeAnswer>,
): void {
  scope.route({
    method: ['POST', 'GET'],
    url,
    handler: async (request, reply) => {
      const body = (request.method === 'GET' ? request.query : request.body) as Body | undefined;
      try {
        return await work(body ?? {});
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return reply.send({ Error: `class java.lang.IllegalArgumentException : ${error.message}` });
      }
    },
  });
}

function address(value: unknown): string {
  const hex = addressHex(value);
  if (hex === undefined) throw new Unreadable('Invalid address');
  return hex;
}

function numberOf(chain: TronChain, which: string): number {
  if (/^\d+$/.test(which)) return Number.parseInt(which, 10);
  const found = Number.parseInt(which.slice(0, 16), 16);
  return chain.block(found)?.id === which ? found : Infinity;
}

function blockJson(chain: TronChain, at: number, detail: boolean): NodeAnswer {
  const block = chain.block(at);
  if (!block) return {};
  const header = {
    raw_data: {
      number: at,
      parentHash: block.parent,
      timestamp: block.time,
      version: 32,
      witness_address: USDT,
      txTrieRoot: block.id,
    },
    witness_signature: '00'.repeat(65),
  };
  const transactions = block.transactions.flatMap((id) => {
    const transaction = chain.transaction(id);
    return transaction ? [shown(transaction, chain.mined(id), false)] : [];
  });
  return { blockID: block.id, block_header: header, ...(detail && transactions.length > 0 && { transactions }) };
}

function accountJson(chain: TronChain, { address: who, visible }: Body, top: number): NodeAnswer {
  const hex = address(who);
  const at = (key: string): bigint => (top === chain.height ? chain.state.get(key) : chain.valueAt(key, top));
  if (at(live(hex)) === 0n) return {};
  const balance = number(at(trx(hex)));
  return { address: visible === true ? base58(hex) : hex, ...(balance > 0 && { balance }), create_time: 1_767_225_600_000 };
}

function shown(transaction: Transaction, mined: Mined | undefined, visible: boolean): NodeAnswer {
  const { visible: _visible, ...json } = transactionJson(transaction.rawHex, visible);
  return { ret: [mined ? { contractRet: mined.outcome.result } : {}], signature: transaction.signatures, ...json };
}

function infoJson({ id, raw }: Transaction, { block, outcome }: Mined): NodeAnswer {
  const isCall = raw.kind === 'TriggerSmartContract';
  const { result, energy, energyFee, netFee, fee, logs, handed } = outcome;
  return {
    id,
    fee: number(fee),
    blockNumber: block.number,
    blockTimeStamp: block.time,
    contractResult: [isCall && result === 'SUCCESS' ? '0'.repeat(64) : ''],
    ...(isCall && { contract_address: raw.to }),
    receipt: {
      ...(isCall && { energy_fee: number(energyFee), energy_usage_total: number(energy), result }),
      net_fee: number(netFee),
    },
    ...(result !== 'SUCCESS' && { result: 'FAILED', resMessage: textHex(`${result} opcode executed`) }),
    ...(logs.length > 0 && { log: logs }),
    ...(handed && {
      internal_transactions: [
        {
          hash: sha256(id),
          caller_address: raw.to,
          transferTo_address: handed.to,
          callValueInfo: [{ callValue: number(handed.value) }],
          note: textHex('call'),
        },
      ],
    }),
  };
}

function constantJson(chain: TronChain, body: Body, top: number): NodeAnswer {
  const contract = address(body['contract_address']);
  if (contract !== USDT && contract !== FAKE) {
    return { result: { code: 'CONTRACT_VALIDATE_ERROR', message: textHex('Smart contract is not exist.') } };
  }
  const at = (key: string): bigint => (top === chain.height ? chain.state.get(key) : chain.valueAt(key, top));
  const called = call(chain.state, address(body['owner_address']), contract, dataOf(body), at);
  return {
    result: { result: true, ...(called.isReverted && { message: textHex('REVERT opcode executed') }) },
    energy_used: number(called.energy),
    constant_result: [called.answer],
    transaction: { ret: [called.isReverted ? { ret: 'FAILED' } : {}], visible: false },
  };
}

/** Returns `data`, or the call data for `function_selector` and `parameter`. */
function dataOf({ data, function_selector: selector, parameter }: Body): string {
  const known: Readonly<Record<string, string>> = {
    'transfer(address,uint256)': 'a9059cbb',
    'balanceOf(address)': '70a08231',
    'decimals()': '313ce567',
    'symbol()': '95d89b41',
    'name()': '06fdde03',
  };
  if (typeof data === 'string' && data !== '') return data;
  return (known[String(selector)] ?? '00000000') + (typeof parameter === 'string' ? parameter : '');
}

/** Creates an unsigned transaction on the newest block, as a node does. */
function made(chain: TronChain, body: Body): NodeAnswer {
  const head = chain.block(chain.height);
  if (!head) return {};
  const contract = body['contract_address'];
  const raw: Raw = {
    kind: contract === undefined ? 'TransferContract' : 'TriggerSmartContract',
    owner: address(body['owner_address']),
    to: address(contract ?? body['to_address']),
    amount: contract === undefined ? count(body['amount']) : 0n,
    data: contract === undefined ? '' : dataOf(body),
    asset: '',
    refBytes: head.id.slice(12, 16),
    refHash: head.id.slice(16, 32),
    expiration: head.time + LIFE_MS,
    timestamp: head.time,
    feeLimit: count(body['fee_limit']),
  };
  return transactionJson(writeRaw(raw), body['visible'] === true);
}

async function broadcast(chain: TronChain, hex: string): Promise<NodeAnswer> {
  const { id, no } = await chain.submit(hex);
  return no ? { code: no.code, txid: id, message: textHex(no.message) } : { result: true, txid: id };
}

interface ListQuery {
  readonly limit?: string;
  readonly fingerprint?: string;
  readonly only_to?: string;
  readonly only_from?: string;
  readonly only_confirmed?: string;
  readonly contract_address?: string;
  readonly min_timestamp?: string;
  readonly order_by?: string;
}
type List = { Params: { address: string }; Querystring: ListQuery };

/**
 * Mounts TronGrid's index of a node (developers.tron.network, "TronGrid API"): transfers of an account in pages, newest first
 * unless requested otherwise.
 */
export function mountIndex(scope: FastifyInstance, chain: TronChain, faults: Faults): void {
  const list = (newest: readonly NodeAnswer[], { limit, fingerprint, order_by: order }: ListQuery): NodeAnswer => {
    const rows = order === 'block_timestamp,asc' ? newest.toReversed() : newest;
    const from = Number.parseInt(fingerprint ?? '0', 10);
    const size = Math.min(200, Number.parseInt(limit ?? '20', 10));
    const page = rows.slice(from, from + size).flatMap((row) => (faults.strikes(faults.rates.duplicates) ? [row, row] : [row]));
    const next = from + size < rows.length ? { fingerprint: `${from + size}` } : {};
    return { data: page, success: true, meta: { at: chain.block(chain.height)?.time, ...next, page_size: page.length } };
  };
  const fits = (query: ListQuery, { block }: Mined): boolean =>
    (query.only_confirmed !== 'true' || block.number <= chain.solid) &&
    block.time >= Number.parseInt(query.min_timestamp ?? '0', 10);

  scope.get<List>('/v1/accounts/:address/transactions', async ({ params, query }, reply) => {
    const who = addressHex(params.address);
    if (who === undefined) return reply.code(400).send({ success: false, error: 'A valid account address is required.' });
    const rows = chain.of(who).flatMap((one) => {
      const { owner, to } = one.transaction.raw;
      const isParty =
        query.only_to === 'true' ? to === who : query.only_from === 'true' ? owner === who : to === who || owner === who;
      if (!isParty || !fits(query, one)) return [];
      const { block, outcome, transaction } = one;
      const ret = [{ contractRet: outcome.result, fee: number(outcome.fee) }];
      return [{ ...shown(transaction, one, false), ret, blockNumber: block.number, block_timestamp: block.time }];
    });
    return list(rows, query);
  });

  scope.get<List>('/v1/accounts/:address/transactions/trc20', async ({ params, query }, reply) => {
    const who = addressHex(params.address);
    if (who === undefined) return reply.code(400).send({ success: false, error: 'A valid account address is required.' });
    const contract = query.contract_address === undefined ? undefined : addressHex(query.contract_address);
    const rows = chain.of(who).flatMap((one) =>
      one.outcome.logs.flatMap((log) => {
        const [topic, from, to] = log.topics.map((text) => `41${text.slice(-40)}`);
        const token = `41${log.address}`;
        const isFitting = log.topics[0] === TRANSFER && topic !== undefined && (contract === undefined || contract === token);
        if (!isFitting || !fits(query, one) || (query.only_to === 'true' ? to !== who : to !== who && from !== who)) return [];
        return [
          {
            transaction_id: one.transaction.id,
            token_info: { symbol: 'USDT', address: base58(token), decimals: 6, name: 'Tether USD' },
            block_timestamp: one.block.time,
            from: base58(from as string),
            to: base58(to as string),
            type: 'Transfer',
            value: BigInt(`0x${log.data}`).toString(),
          },
        ];
      }),
    );
    return list(rows, query);
  });
}

/** Returns an account's balance including waiting transactions, in parts of TRX or of the token. */
export function balanceWithWaiting(chain: TronChain, holder: string, kind: 'coin' | 'tokens'): bigint {
  let held = chain.state.get(kind === 'coin' ? trx(holder) : usdt(holder));
  for (const { raw } of chain.waiting()) {
    const { to, parts } = movedBy(raw);
    if ((raw.kind === 'TransferContract') !== (kind === 'coin')) continue;
    if (raw.owner === holder) held -= parts;
    if (to === holder) held += parts;
  }
  return held;
}

function movedBy(raw: Raw): { readonly to: string; readonly parts: bigint } {
  if (raw.kind === 'TransferContract') return { to: raw.to, parts: raw.amount };
  const isTransfer = raw.to === USDT && raw.data.length === 136;
  return isTransfer ? { to: `41${raw.data.slice(32, 72)}`, parts: BigInt(`0x${raw.data.slice(72)}`) } : { to: '', parts: 0n };
}
