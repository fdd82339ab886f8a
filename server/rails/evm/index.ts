/**
 * Tokens and the coin of a chain that speaks Ethereum's JSON-RPC (USDT and ETH on Ethereum, USDT and BNB on BNB Smart
 * Chain).
 *
 * - **Deposit**: an address of ours per pay-in, child of the xpub. **Hot**: the one address that pays out.
 * - **Arrival**: a `Transfer` event of an allow-listed contract to a deposit, or a transaction that carries the coin to it,
 *   proved by its receipt.
 * - **Fuel**: the chain's own coin, which pays for gas; custody place `fuel` is as much of what the
 *   hot address has of it as the books set aside; the rest of it is the currency's own `hot`.
 * - **Behind**: a node that answers from the past. Its answers count for nothing.
 */
import { scaleOf } from '@kurs/money';
import type { Rail, RailBalance, RailCurrency, Signer } from '../rail.ts';
import type { PublicKeys } from '../signer.ts';
import { topicOf } from './address.ts';
import { type Chain, WrongNode, balanceCall, coinCall, openChain, toParts } from './chain.ts';
import { expect, hex, quantity } from './client.ts';
import type { EvmConfig, EvmToken } from './config.ts';
import { openDeposits } from './payins/deposits.ts';
import { evmPayin } from './payins/payin.ts';
import { evmScan } from './payins/scan.ts';
import { evmPayout } from './payouts/payout.ts';
import { evmSweep } from './payouts/sweep.ts';
import { TRANSFER_TOPIC } from './payouts/transaction.ts';

export { type EvmConfig, type EvmEndpoint, bsc, ethereum } from './config.ts';
export { evmAddresses } from './address.ts';
export { evmPublicKeys, evmSigning } from './payouts/signing.ts';

/** What arrived at the hot address in the newest blocks isn't payable yet: a reorg may take it away. */
const SETTLE_BLOCKS = 12;

/** The rail of one chain. Opens no connection until it is asked something. */
export function evmRail(config: EvmConfig, keys: PublicKeys['evm'], signer: Signer): Rail {
  const chain = openChain(config, keys);
  const deposits = openDeposits(chain);
  return {
    id: config.id,
    kind: 'chain',
    currencies: [...config.tokens.map((token) => tokenCurrency(config, token)), ...coinCurrency(config)],
    ownAccount: () => chain.hot,
    payin: evmPayin(chain),
    payout: evmPayout(chain, signer),
    sweep: evmSweep(chain, signer),
    scan: evmScan(chain),
    reserve: async (state) => [...(await reserve(chain, state?.fuel)), ...(state ? await deposits.balances(state) : [])],
    health: async () => {
      try {
        const head = await chain.head();
        return { up: true, height: head.height, detail: `block ${head.height}` };
      } catch (error) {
        return { up: false, silent: !(error instanceof WrongNode), detail: error instanceof Error ? error.message : 'no answer' };
      }
    },
    calls: chain.client.calls,
    close: async () => {},
  };
}

const FIELDS = [
  { name: 'address', label: 'accounts.address', type: 'address', required: true, pattern: '^0x[0-9a-fA-F]{40}$' },
] as const;

function tokenCurrency(config: EvmConfig, token: EvmToken): RailCurrency {
  if (token.decimals < scaleOf(token.unit)) throw new Error(`${token.code} has fewer decimals than ${token.unit}`);
  return {
    code: token.code,
    unit: token.unit,
    railScale: token.decimals,
    payDigits: token.payDigits,
    network: config.network,
    fields: FIELDS,
    dust: token.dust,
    fuel: config.native,
    arrivesAt: 'deposit',
  };
}

/** The chain's own coin where it is a currency: its network is the chain itself (`Ethereum`), not a kind of token. */
function coinCurrency({ native, coin, network }: EvmConfig): RailCurrency[] {
  if (!coin) return [];
  return [
    {
      code: native,
      unit: native,
      railScale: scaleOf(native),
      payDigits: coin.payDigits,
      network: network.split(' · ')[0] as string,
      fields: FIELDS,
      dust: coin.dust,
      fuel: native,
      feesFrom: 'fuel',
      arrivesAt: 'deposit',
    },
  ];
}

/**
 * What the hot wallet has: tokens, coin, and of the coin as much as fuel as the books set aside for gas (all of it where
 * they don't say, or where the coin is no currency): both lie at the one address.
 */
async function reserve(chain: Chain, setAside: bigint | undefined): Promise<RailBalance[]> {
  const { config, client, hot } = chain;
  const head = await chain.head();
  const since = Math.max(0, head.height - SETTLE_BLOCKS + 1);
  const filter = (token: EvmToken) => ({
    address: token.contract,
    topics: [TRANSFER_TOPIC, null, topicOf(hot)],
    fromBlock: hex(since),
    toBlock: 'latest',
  });
  const results = await client.batch([
    coinCall(hot),
    coinCall(hot, hex(Math.max(0, since - 1))),
    ...config.tokens.flatMap((token) => [balanceCall(token.contract, hot), { method: 'eth_getLogs', params: [filter(token)] }]),
  ]);
  const tokens = config.tokens.map((token, at): RailBalance => {
    const held = quantity(expect(results[2 + 2 * at]));
    const fresh = expect<{ data: string }[]>(results[3 + 2 * at]).reduce((sum, log) => sum + quantity(log.data), 0n);
    const settled = held > fresh ? held - fresh : 0n;
    return { currency: token.code, place: 'hot', parts: toParts(token, held), payable: toParts(token, settled) };
  });
  const held = quantity(expect(results[0]));
  const fuel = !config.coin || setAside === undefined || setAside > held ? held : setAside;
  const fuels: RailBalance = { currency: config.native, place: 'fuel', parts: fuel, payable: fuel };
  if (!config.coin) return [...tokens, fuels];
  // A node that has no state so young has just been started.
  const before = results[1] instanceof Error ? held : quantity(results[1]);
  const settled = before < held ? before : held;
  const payable = settled > fuel ? settled - fuel : 0n;
  return [...tokens, { currency: config.native, place: 'hot', parts: held - fuel, payable }, fuels];
}
