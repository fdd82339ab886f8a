/**
 * TRX and tokens on TRON (USDT), over a node's HTTP interface and TronGrid's index. It needs no library: the two kinds of
 * transactions that we make are a few fields of protobuf (decision 13).
 *
 * - **Deposit**: our address for one pay-in, a child of the xpub. **Hot**: the one address that pays out.
 * - **Solid**: a block that 19 of the 27 witnesses have built upon; never reverted. **Arrival**: a payment proved by the node.
 * - **Energy, bandwidth**: resources that transactions use; TRX is burnt for them. **Fuel**: the part of the hot wallet's TRX
 *   that the books set aside for fees.
 * - **Expiration**: the time after which a signed transaction can't be mined. TRON has no nonces; expiration replaces them.
 */
import { scaleOf } from '@kurs/money';
import type { Rail, RailBalance, RailCurrency, Signer } from '../rail.ts';
import type { PublicKeys } from '../signer.ts';
import { type Chain, type View, WrongNode, atHand, coinOf, openChain, tokensOf } from './chain.ts';
import type { TronConfig, TronMoney } from './config.ts';
import { openDeposits } from './deposits.ts';
import { tronPayin } from './payin.ts';
import { tronPayout } from './payout.ts';
import { tronScan } from './scan.ts';
import { tronSweep } from './sweep.ts';

export { type TronConfig, tron } from './config.ts';
export { tronAddresses } from './address.ts';
export { tronPublicKeys, tronSigning } from './signing.ts';

/** Opens the rail, without a connection until its first call. Throws an Error for an invalid token contract or decimals. */
export function tronRail(config: TronConfig, keys: PublicKeys['tron'], signer: Signer): Rail {
  const chain = openChain(config, keys);
  const deposits = openDeposits(chain);
  return {
    id: config.id,
    kind: 'chain',
    currencies: [...config.tokens, config.coin].map((money) => railCurrency(config, money)),
    ownAccount: () => chain.hot,
    payin: tronPayin(chain),
    payout: tronPayout(chain, signer),
    sweep: tronSweep(chain, signer),
    scan: tronScan(chain),
    reserve: async (state) => [...(await reserve(chain, state?.fuel)), ...(state ? await deposits.balances(state) : [])],
    health: async () => {
      try {
        const head = await chain.head();
        // A node of another network doesn't know our contracts.
        for (const token of config.tokens) await tokensOf(chain.client, 'wallet', token, chain.hot);
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

function railCurrency(config: TronConfig, { code, unit, network, decimals, payDigits, dust }: TronMoney): RailCurrency {
  if (decimals !== scaleOf(unit)) throw new Error(`${code} has other decimals than ${unit}`);
  return {
    code,
    unit,
    railScale: decimals,
    payDigits,
    network,
    fields: [
      { name: 'address', label: 'accounts.address', type: 'address', required: true, pattern: '^T[1-9A-HJ-NP-Za-km-z]{33}$' },
    ],
    dust,
    fuel: config.coin.code,
    ...(code === config.coin.code && { feesFrom: 'fuel' as const }),
    arrivesAt: 'deposit',
  };
}

/** Returns the hot wallet's balances. The TRX that the books set aside for fees is fuel; without that sum all TRX is. */
async function reserve({ client, config, hot }: Chain, setAside: bigint | undefined): Promise<RailBalance[]> {
  const tokens = config.tokens.map(async (token): Promise<RailBalance> => {
    const ask = (view: View) => tokensOf(client, view, token, hot);
    const [parts, payable] = await Promise.all([ask('wallet'), atHand(ask)]);
    return { currency: token.code, place: 'hot', parts, payable };
  });
  const ask = (view: View) => coinOf(client, view, hot);
  const [held = 0n, sure] = await Promise.all([ask('wallet'), atHand(ask)]);
  const fuel = setAside === undefined || setAside > held ? held : setAside;
  const currency = config.coin.code;
  return [
    ...(await Promise.all(tokens)),
    { currency, place: 'hot', parts: held - fuel, payable: sure > fuel ? sure - fuel : 0n },
    { currency, place: 'fuel', parts: fuel, payable: fuel },
  ];
}
