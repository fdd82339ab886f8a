import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { format, money, MoneyError, parse } from '@kurs/money';
import type { FastifyInstance } from 'fastify';
import { type ChainCounterpart, type Funding, type Paid, type Payment, Refused } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import type { TX } from './bcoin.ts';
import { mountEsplora, placeOf, unspent } from './esplora.ts';
import { Pages } from './pages.ts';
import { Regtest } from './regtest.ts';
import { CustomerWallet } from './wallet.ts';

/**
 * Bitcoin side of the sandbox: a real regtest chain in this process, served over Esplora's API, and a customer.
 *
 * - **Treasury**: receives every block's reward; the customer pays from it through a fresh account each time.
 * - **Quiet**: no transaction waits, and the newest one is deep. Then a block comes once a minute.
 */

const FEE_RATES = { normal: 15, low: 1 };
const FUNDING_OUTPUTS = 10;
/** Depth of the newest transaction up to which blocks come quickly. */
const QUIET_DEPTH = 70;
const IDLE_BLOCK_MS = 60_000;

interface BitcoinOptions {
  /** Folder of the sandbox; if absent, nothing is stored. */
  readonly folder?: string;
  /** Time between blocks while there is something to mine, in ms; if absent, blocks are mined on request only. */
  readonly blockMs?: number;
}

/** Bitcoin counterpart. Its parts are exposed to tests of this folder. */
export interface Bitcoin extends ChainCounterpart {
  readonly regtest: Regtest;
  readonly wallet: CustomerWallet;
}

/** Opens the chain (from its folder, or a new one) and starts mining. */
export async function openBitcoin(options: BitcoinOptions = {}): Promise<Bitcoin> {
  if (options.folder !== undefined) mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string | undefined => (options.folder === undefined ? undefined : join(options.folder, name));
  const [walletFile, chainFile] = [pathOf('btc.wallet'), pathOf('btc.blocks')];
  const wallet = new CustomerWallet(walletFile);
  const regtest = await Regtest.open({
    ...(chainFile !== undefined && { file: chainFile }),
    reward: wallet.treasury,
    onBlock: (block, connected, height) => wallet.follow(block, connected, height),
  });
  const [faults, pages] = [new Faults(), new Pages()];
  const timer = options.blockMs === undefined ? undefined : mineByItself(regtest, options.blockMs);
  return {
    rail: 'bitcoin',
    currencies: ['BTC'],
    faults,
    regtest,
    wallet,
    environment: (base) => ({ KURS_ESPLORA: base, KURS_BITCOIN_NETWORK: 'regtest' }),
    mount: (scope: FastifyInstance) => {
      faults.mount(scope);
      mountEsplora(scope, regtest, faults, pages);
    },
    pay: (payment) => pay(regtest, wallet, payment),
    address: async () => wallet.fresh().toString(),
    balance: async (_currency, account) => {
      const coins = await unspent(regtest, place(account, 'account'));
      return format(
        money(
          'BTC',
          coins.reduce((sum, { value }) => sum + BigInt(value), 0n),
        ),
      );
    },
    mine: (count) => regtest.mine(count),
    reorg: (depth, drop) => regtest.reorg(depth, drop),
    fund: (funding) => fund(regtest, wallet, funding),
    tricks: tricksOf(regtest, wallet, pages),
    close: async () => {
      clearInterval(timer);
      await regtest.close();
    },
  };
}

/**
 * Returns the tricks for tests. `pages` sets the behaviour of the server's answers. The others change a payment (`txid`): replace
 * it by one with a higher fee, double-spend it in the next block, or double-spend it in the first block of a reorg, so that it
 * can never return.
 */
function tricksOf(regtest: Regtest, wallet: CustomerWallet, pages: Pages): NonNullable<ChainCounterpart['tricks']> {
  const conflict = (txid: unknown): TX[] => [wallet.doubleSpend(String(txid))];
  return {
    pages: async (tricks) => {
      pages.set(tricks);
      return {};
    },
    replace: async ({ txid, fee_rate: rate }) => ({
      txid: await wallet.replace(regtest, String(txid), typeof rate === 'number' ? rate : 40),
    }),
    'double-spend': async ({ txid }) => ({ height: await regtest.mine(1, conflict(txid)) }),
    'reorg-conflict': async ({ txid, depth }) => ({
      height: await regtest.reorg(typeof depth === 'number' ? depth : 1, false, conflict(txid)),
    }),
  };
}

async function pay(regtest: Regtest, wallet: CustomerWallet, payment: Payment): Promise<Paid> {
  return wallet.pay(regtest, place(payment.to, 'to').address, satoshi(payment.amount), {
    feeRate: FEE_RATES[payment.fee],
    isReplaceable: payment.isReplaceable,
  });
}

/** Funds an address with several coins, so that payouts need not wait for each other's change. */
async function fund(regtest: Regtest, wallet: CustomerWallet, { to, amount }: Funding): Promise<void> {
  const total = satoshi(amount);
  const share = Math.floor(total / FUNDING_OUTPUTS);
  const values = Array.from({ length: FUNDING_OUTPUTS }, (_, index) =>
    index === 0 ? total - share * (FUNDING_OUTPUTS - 1) : share,
  );
  const { address } = place(to, 'to');
  const outputs = values.map((value) => ({ to: address, value }));
  await wallet.payMany(regtest, outputs, FEE_RATES.normal);
  await regtest.mine(6);
}

function mineByItself(regtest: Regtest, blockMs: number): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    const due = regtest.quietBlocks < QUIET_DEPTH || Date.now() - regtest.lastBlockAt >= IDLE_BLOCK_MS;
    if (busy || !due) return;
    busy = true;
    void regtest.mine(1).finally(() => {
      busy = false;
    });
  }, blockMs).unref();
}

function place(address: string, field: string): NonNullable<ReturnType<typeof placeOf>> {
  const found = placeOf(address);
  if (!found) throw new Refused(field, 'No address of this chain');
  return found;
}

/** Returns an amount in satoshi as a number, as bcoin uses them; these are far below 2^53. */
function satoshi(amount: string): number {
  try {
    const { parts } = parse('BTC', amount);
    if (parts > 0n && parts <= 21_000_000n * 100_000_000n) return Number(parts);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Refused('amount', 'No amount of bitcoin');
}
