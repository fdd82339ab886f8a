/**
 * Tokens and the coin of a chain with Ethereum's JSON-RPC (USDT and ETH on Ethereum, USDT and BNB on BNB Smart Chain).
 *
 * - **Deposit**: our address for one pay-in, a child of the xpub. **Hot**: our one address that pays out.
 * - **Arrival**: a payment to a deposit, proved by its receipt: a `Transfer` event of an allow-listed contract, or a transaction that
 *   carries the coin itself.
 * - **Fuel**: the chain's own coin, which pays for gas. The custody place `fuel` is the coin at the hot address that the books set
 *   aside for gas; the rest of the coin there is the currency's own `hot`.
 * - **Behind**: a node that answers from the past. Its answers are refused.
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

/** Number of newest blocks whose arrivals at the hot address aren't payable yet: a reorg may remove them. */
const SETTLE_BLOCKS = 12;

/** Returns the rail of one chain, without any call yet. Throws an Error for an impossible token in the configuration. */
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
        return { isUp: true, height: head.height, detail: `block ${head.height}` };
      } catch (error) {
        return {
          isUp: false,
          isSilent: !(error instanceof WrongNode),
          detail: error instanceof Error ? error.message : 'no answer',
        };
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

/** Describes the chain's own coin, if it is a currency. Its network is the chain itself (`Ethereum`), without a kind of token. */
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
 * Returns the balances of the hot wallet: tokens, coin and fuel. Coin and fuel are at the same address: fuel is the amount that the
 * books set aside for gas. Without `setAside`, or if the coin is no currency, all coin is fuel.
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
  // A node without so recent a state was just started: then all coin counts as settled.
  const before = results[1] instanceof Error ? held : quantity(results[1]);
  const settled = before < held ? before : held;
  const payable = settled > fuel ? settled - fuel : 0n;
  return [...tokens, { currency: config.native, place: 'hot', parts: held - fuel, payable }, fuels];
}
