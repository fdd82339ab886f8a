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
 * The bitcoin side of the sandbox: a real regtest chain in this process, told over the Esplora API, and a customer.
 *
 * - **Treasury**: where every block's reward goes; the customer pays from it through a fresh account each time.
 * - **Quiet**: nothing waits and the newest transaction is deep; then blocks come once a minute.
 */

const FEE_RATES = { normal: 15, low: 1 };
const FUNDING_OUTPUTS = 10;
/** Blocks come quickly until the newest transaction is this deep. */
const QUIET_DEPTH = 70;
const IDLE_BLOCK_MS = 60_000;

interface BitcoinOptions {
  /** The sandbox's own folder; absent: nothing is kept. */
  readonly folder?: string;
  /** Milliseconds between blocks while there is something to mine; absent: only when told. */
  readonly blockMs?: number;
}

/** The bitcoin counterpart, with its parts for the tests beside it. */
export interface Bitcoin extends ChainCounterpart {
  readonly regtest: Regtest;
  readonly wallet: CustomerWallet;
}

/** Opens the chain (from its folder, or a new one) and begins to mine. */
export async function openBitcoin(options: BitcoinOptions = {}): Promise<Bitcoin> {
  if (options.folder !== undefined) mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const kept = (name: string): string | undefined => (options.folder === undefined ? undefined : join(options.folder, name));
  const [walletFile, chainFile] = [kept('btc.wallet'), kept('btc.blocks')];
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
 * How the server's pages are from now on (`pages`), and what a payer can do to a payment of theirs (`txid`): replace it by one
 * with a higher fee, spend its coin elsewhere in the next block, or in the first block of a reorg, so that it can never come
 * back.
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
    replaceable: payment.replaceable,
  });
}

/** Many coins rather than one, so that payouts need not wait for each other's change. */
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

/** Satoshi as bcoin counts them: whole numbers far below 2^53. */
function satoshi(amount: string): number {
  try {
    const { parts } = parse('BTC', amount);
    if (parts > 0n && parts <= 21_000_000n * 100_000_000n) return Number(parts);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Refused('amount', 'No amount of bitcoin');
}
