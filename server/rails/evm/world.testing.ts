import type { AddressInfo } from 'node:net';
import { mnemonicToSeedSync } from '@scure/bip39';
import { format, money } from '@kurs/money';
import fastify from 'fastify';
import type { Address } from 'viem';
import type { Attempt, Rail, Signer, WalletState } from '../rail.ts';
import type { RailWorld } from '../rail.contract.ts';
import type { SignRequest, SigningRail } from '../signer.ts';
import { type EvmConfig, bsc, ethereum, evmPublicKeys, evmRail, evmSigning } from './index.ts';

/** The rail and a real Ethereum node, for tests: the sandbox's counterpart over HTTP. */
export interface EvmWorld extends RailWorld {
  readonly rail: Rail & Required<Pick<Rail, 'payin' | 'payout' | 'sweep'>>;
  readonly chain: Chain;
  readonly config: EvmConfig;
  readonly hot: Address;
  readonly signing: SigningRail;
  /** Requests to the signer, newest last. */
  readonly requests: SignRequest[];
  /** Reason for which the signer refuses every request; undefined: it signs. */
  refuse: string | undefined;
  readonly signer: Signer;
}

type Chain = Awaited<ReturnType<typeof openChain>>;

/** The server doesn't depend on the sandbox: only tests import it, by its path in the repository. */
async function openChain(of: 'evm' | 'bsc', folder?: string) {
  const { BSC, ETHEREUM, openEvm } = await import('../../../sandbox/evm/index.ts');
  return openEvm({ network: of === 'bsc' ? BSC : ETHEREUM, ...(folder !== undefined && { folder }) });
}

export const SEED = mnemonicToSeedSync(
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
);

export interface WorldOptions {
  /** The chain; absent: Ethereum. */
  readonly of?: 'evm' | 'bsc';
  /** The currency that the world pays with; absent: the token. */
  readonly about?: 'token' | 'coin';
  readonly funds?: string;
  readonly fuel?: string;
  readonly folder?: string;
  readonly config?: Partial<EvmConfig>;
  /** Seed of our keys; absent: `SEED`. */
  readonly seed?: Uint8Array;
}

/**
 * Starts a chain and its JSON-RPC on free ports, with `funds` USDT and `fuel` of its own coin at the hot address. A world about the
 * coin sets one of it aside for gas.
 */
export async function evmWorld(options: WorldOptions = {}): Promise<EvmWorld> {
  const { seed = SEED, of = 'evm', about = 'token', funds = '100000', fuel = about === 'coin' ? '500' : '5', folder } = options;
  const chain = await openChain(of, folder);
  const { chainId, native, token, slots } = chain.network;
  const isCoin = about === 'coin';
  const [currency, unit] = isCoin ? [native, native] : [token.currency, token.unit];
  const server = fastify();
  await server.register(async (scope) => chain.mount(scope), { prefix: `/sandbox/${of}` });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const rpc = `http://127.0.0.1:${port}/sandbox/${of}`;
  const config: EvmConfig = {
    ...(of === 'bsc' ? bsc : ethereum)({ rpc, chainId, usdt: chain.customer.contracts.usdt }),
    timeoutMs: 1500,
    ...options.config,
  };
  const signing = evmSigning(seed, config);
  const requests: SignRequest[] = [];
  const signer: Signer = {
    sign: async (request) => {
      requests.push(request);
      if (world.refuse !== undefined) return { ok: false, reason: world.refuse };
      signing.read(request);
      return { ok: true, ...(await signing.sign(request)) };
    },
  };
  const keys = evmPublicKeys(seed);
  const rail = evmRail(config, keys, signer) as EvmWorld['rail'];
  if (funds !== '0') await chain.fund({ currency: token.currency, to: keys.hot, amount: funds });
  if (fuel !== '0') await chain.fund({ currency: native, to: keys.hot, amount: fuel });

  let next = 1;
  let nextNonce: number | undefined;
  const open = new Map<string, Attempt>();
  const { to: ours } = rail.payin.instruct(token.currency, 5);
  const world: EvmWorld = {
    rail,
    chain,
    config,
    hot: keys.hot as Address,
    signing,
    requests,
    signer,
    refuse: undefined,
    currency,
    unit,
    parts: isCoin ? 25n * 10n ** 16n + 1n : 25_500_000n,
    finalBlocks: 2 * slots + 1,
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { address: '  ' }, problem: 'empty' },
      { fields: { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, problem: 'wrong_network' },
      { fields: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, problem: 'wrong_network' },
      { fields: { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, problem: 'wrong_network' },
      { fields: { address: swapCase(ours) }, problem: 'bad_checksum' },
      { fields: { address: '0x1234' }, problem: 'bad_format' },
      { fields: { address: `0x${'0'.repeat(40)}` }, problem: 'unusable' },
      { fields: { address: chain.customer.contracts.usdt }, problem: 'unusable' },
    ],
    nextIndex: () => {
      next += 1;
      return next - 1;
    },
    pay: async (to, parts) =>
      void (await chain.pay({
        currency,
        to,
        amount: format(money(unit, parts)),
        fee: 'normal',
        isReplaceable: false,
      })),
    blocks: async (count) => void (await chain.mine(count)),
    reorg: async (depth, drop) => void (await chain.reorg(depth, drop)),
    receiver: async () => ({ address: await chain.address(currency) }),
    received: async (to) => BigInt((await chain.balance(currency, to['address'] ?? '')).replace('.', '')),
    state: (): WalletState => ({
      spent: [...open.values()].flatMap(({ spends }) => spends),
      unconfirmed: [],
      indexes: Array.from({ length: next }, (_, index) => index),
      changeIndex: 0,
      ...(isCoin && { fuel: 10n ** 18n }),
      ...(nextNonce === undefined ? {} : { nextNonce }),
    }),
    note: (attempt, done = false) => {
      if (done) open.delete(attempt.reference);
      else open.set(attempt.reference, attempt);
      const isHot = attempt.spends.some((spend) => spend.includes(keys.hot.toLowerCase()));
      if (isHot && attempt.nonce !== undefined) nextNonce = Math.max(nextNonce ?? 0, attempt.nonce + 1);
    },
    close: async () => {
      await server.close();
      await chain.close();
    },
  };
  return world;
}

/** Changes the case of one letter, which breaks the EIP-55 checksum. */
function swapCase(address: string): string {
  const at = address.slice(2).search(/[a-fA-F]/) + 2;
  const letter = address.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
}
