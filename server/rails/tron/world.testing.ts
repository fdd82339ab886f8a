import type { AddressInfo } from 'node:net';
import { mnemonicToSeedSync } from '@scure/bip39';
import { format, money } from '@kurs/money';
import fastify from 'fastify';
import type { Attempt, Rail, Signer, WalletState } from '../rail.ts';
import type { RailWorld } from '../rail.contract.ts';
import type { SignRequest, SigningRail } from '../signer.ts';
import { type TronConfig, tron, tronPublicKeys, tronRail, tronSigning } from './index.ts';

/** The rail with the sandbox's chain, over HTTP, for tests. */
export interface TronWorld extends RailWorld {
  readonly rail: Rail & Required<Pick<Rail, 'payin' | 'payout' | 'sweep'>>;
  readonly chain: Counterpart;
  readonly config: TronConfig;
  readonly hot: string;
  readonly signing: SigningRail;
  /** Requests to the signer, newest last. */
  readonly requests: SignRequest[];
  /** Reason with which the signer refuses all requests; undefined if it signs. */
  refuse: string | undefined;
  readonly signer: Signer;
}

type Counterpart = Awaited<ReturnType<typeof openChain>>;

/** Imports the sandbox by its path, since the server doesn't depend on it: only tests may. */
async function openChain() {
  const { openTron } = await import('../../../sandbox/tron/index.ts');
  return openTron();
}

export const SEED = mnemonicToSeedSync(
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
);

const UNITS: Readonly<Record<string, string>> = { USDT_TRC20: 'USDT', TRX: 'TRX' };

export interface WorldOptions {
  readonly currency?: 'USDT_TRC20' | 'TRX';
  readonly funds?: string;
  readonly fuel?: string;
  /** The part of `fuel` that the books set aside for fees, in sun. */
  readonly setAside?: bigint;
  readonly config?: Partial<TronConfig>;
}

/** Starts a chain and its HTTP interface on a free port, with `funds` USDT and `fuel` TRX at the hot address. */
export async function tronWorld(options: WorldOptions = {}): Promise<TronWorld> {
  const { currency = 'USDT_TRC20', funds = '100000', fuel = '100000', setAside = 500_000_000n } = options;
  const chain = await openChain();
  const server = fastify();
  await server.register(async (scope) => chain.mount(scope), { prefix: '/sandbox/tron' });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const { KURS_TRON_API: api = '', KURS_USDT_TRC20: usdt = '' } = chain.environment(`http://127.0.0.1:${port}/sandbox/tron`);
  const config: TronConfig = { ...tron({ api, usdt }), timeoutMs: 1500, ...options.config };
  const signing = tronSigning(SEED, config);
  const requests: SignRequest[] = [];
  const signer: Signer = {
    sign: async (request) => {
      requests.push(request);
      if (world.refuse !== undefined) return { ok: false, reason: world.refuse };
      signing.read(request);
      return { ok: true, ...(await signing.sign(request)) };
    },
  };
  const keys = tronPublicKeys(SEED);
  const rail = tronRail(config, keys, signer) as TronWorld['rail'];
  if (funds !== '0') await chain.fund({ currency: 'USDT_TRC20', to: keys.hot, amount: funds });
  if (fuel !== '0') await chain.fund({ currency: 'TRX', to: keys.hot, amount: fuel });

  let next = 1;
  const open = new Map<string, Attempt>();
  const { to: ours } = rail.payin.instruct(currency, 5);
  const unit = UNITS[currency] as string;
  const world: TronWorld = {
    rail,
    chain,
    config,
    hot: keys.hot,
    signing,
    requests,
    signer,
    refuse: undefined,
    currency,
    unit,
    parts: 25_500_000n,
    finalBlocks: 20,
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { address: '  ' }, problem: 'empty' },
      { fields: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, problem: 'wrong_network' },
      { fields: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, problem: 'wrong_network' },
      { fields: { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, problem: 'wrong_network' },
      { fields: { address: mistyped(ours) }, problem: 'bad_checksum' },
      { fields: { address: 'T1234' }, problem: 'bad_format' },
      { fields: { address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' }, problem: 'unusable' },
      { fields: { address: usdt }, problem: 'unusable' },
    ],
    expire: async () => {
      // Blocks mined together are a millisecond apart, so the chain may be ahead of its clock.
      chain.chain.skip(Number.parseInt(config.lifeMs.toString(), 10) + 10_000);
      chain.chain.mine(1);
    },
    nextIndex: () => {
      next += 1;
      return next - 1;
    },
    pay: async (to, parts) =>
      void (await chain.pay({ currency, to, amount: format(money(unit, parts)), fee: 'normal', isReplaceable: false })),
    blocks: async (count) => void (await chain.mine(count)),
    reorg: async (depth, drop) => void (await chain.reorg(depth, drop)),
    receiver: async () => ({ address: await chain.address(currency) }),
    received: async (to) => BigInt((await chain.balance(currency, to['address'] ?? '')).replace('.', '')),
    state: (): WalletState => ({
      spent: [...open.values()].flatMap(({ spends }) => spends),
      unconfirmed: [],
      indexes: Array.from({ length: next }, (_, index) => index),
      changeIndex: 0,
      fuel: setAside,
    }),
    note: (attempt, done = false) => {
      if (done) open.delete(attempt.reference);
      else open.set(attempt.reference, attempt);
    },
    close: async () => {
      await server.close();
      await chain.close();
    },
  };
  return world;
}

/** Changes one letter, which breaks the checksum. */
function mistyped(address: string): string {
  return address.slice(0, 10) + (address.charAt(10) === 'a' ? 'b' : 'a') + address.slice(11);
}
