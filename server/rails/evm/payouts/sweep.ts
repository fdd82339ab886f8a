import { readEach } from '../../odd.ts';
import type { Prepared, Signer, Sweep, WalletState } from '../../rail.ts';
import { type Chain, balanceCall, coinCall, isCoin, toChain, toParts, tokenOf } from '../chain.ts';
import { expect, quantity } from '../client.ts';
import { COIN_GAS, emptyingPrice, gasLimit, gasPrice } from './fees.ts';
import { type Market, atHand, estimateGas, market, maxOf, notPrepared, prepared, signed } from './sending.ts';
import { lastNonce, transferData } from './transaction.ts';

type Step = Prepared & { readonly parts?: bigint };

/**
 * Returns the sweep of deposits into the hot wallet, in two steps. `fuel` sends the missing coin for gas to the address (`parts` in
 * wei). `collect` moves the address's whole token balance (`parts` in the token's unit). `collect` returns `no_fuel` until the gas is
 * there, and `fuel` returns `refused` if nothing is missing. The chain's own coin needs no `fuel`: `collect` moves the whole balance
 * less the fee, to the last wei.
 */
export function evmSweep(chain: Chain, signer: Signer): Sweep {
  return {
    holdings: (indexes) => holdings(chain, indexes),
    prepare: (index, currency, step, state) =>
      prepared<Step>(() =>
        isCoin(chain.config, currency)
          ? step === 'fuel'
            ? Promise.resolve(notPrepared('refused', 'Coin needs no gas beside it'))
            : empty(chain, signer, index, state)
          : step === 'fuel'
            ? fuel(chain, signer, index, currency, state)
            : collect(chain, signer, index, currency, state),
      ),
  };
}

/** Returns balances worth sweeping. An address's tokens come before its coin, which pays for their gas. */
async function holdings(chain: Chain, indexes: readonly number[]): Promise<Awaited<ReturnType<Sweep['holdings']>>> {
  const { tokens, coin, native } = chain.config;
  const addresses = indexes.map((index) => chain.deposit(index));
  const calls = addresses.flatMap((address) => [
    coinCall(address),
    ...tokens.map((token) => balanceCall(token.contract, address)),
  ]);
  const results = await chain.client.batch(calls);
  const each = tokens.length + 1;
  return readEach(chain.config.id, 'what lies at a place', [...indexes.entries()], ([at, index]) => {
    const sums = results.slice(at * each, (at + 1) * each).map((result) => quantity(expect(result)));
    const [fuelParts = 0n, ...held] = sums;
    const found = tokens.map((token, of) => ({ token, parts: toParts(token, held[of] ?? 0n) }));
    return [
      ...found
        .filter(({ token, parts }) => parts >= token.dust)
        .map(({ token, parts }) => ({ index, currency: token.code, parts, fuelParts })),
      ...(coin && fuelParts >= coin.dust ? [{ index, currency: native, parts: fuelParts, fuelParts }] : []),
    ];
  }).flat();
}

/** Prepares the transfer of all coin of an address less the fee, which is known beforehand. */
async function empty(chain: Chain, signer: Signer, index: number, state: WalletState): Promise<Step> {
  const { chainId } = chain.config;
  const address = chain.deposit(index);
  if (lastNonce(state.spent, chainId, address) !== undefined)
    return notPrepared('unavailable', 'A sweep of this place is under way');
  const [there, { nonce, baseFee, tip }] = await Promise.all([
    atHand(chain, (block) => coinCall(address, block)),
    market(chain, address, state.spent),
  ]);
  const price = emptyingPrice(baseFee, tip, chain.config);
  if (!price) return notPrepared('fee_cap', 'Gas is above the cap');
  const value = there - maxOf(COIN_GAS, price);
  if (value <= 0n) return notPrepared('refused', `The ${there} wei there don't pay their own way`);
  const transfer = { chainId, nonce, gas: COIN_GAS, ...price, to: chain.hot, value };
  return { ...(await signed(chain, signer, address, transfer, { payouts: [], purpose: 'sweep', index })), parts: value };
}

/** Plans a sweep of tokens: amount, gas and prices. The amount is in whole minor units, so that the books stay exact. */
async function plan(chain: Chain, index: number, currency: string, state: WalletState) {
  const token = tokenOf(chain.config, currency);
  const address = chain.deposit(index);
  const parts = toParts(token, await atHand(chain, (block) => balanceCall(token.contract, address, block)));
  const value = toChain(token, parts);
  const [estimated, conditions] = await Promise.all([
    parts === 0n ? 0n : estimateGas(chain, { from: address, to: token.contract, data: transferData(chain.hot, value) }),
    market(chain, address, state.spent),
  ]);
  const gas = gasLimit(estimated);
  return { token, address, parts, value, gas, conditions };
}

async function fuel(chain: Chain, signer: Signer, index: number, currency: string, state: WalletState): Promise<Step> {
  const { address, parts, gas, conditions } = await plan(chain, index, currency, state);
  if (parts === 0n) return notPrepared('refused', 'Nothing lies there');
  const price = priceOf(chain, gas, conditions);
  if (!price) return notPrepared('fee_cap', 'Gas is above the cap');
  const there = await atHand(chain, (block) => coinCall(address, block));
  // Twice the cost, since the price may rise before the second step.
  const missing = 2n * maxOf(gas, price) - there;
  if (there >= maxOf(gas, price) || missing <= 0n) return notPrepared('refused', 'The gas money is there');
  const own = await market(chain, chain.hot, state.spent, state.nextNonce);
  const fuelPrice = priceOf(chain, COIN_GAS, own);
  if (!fuelPrice) return notPrepared('fee_cap', 'Gas is above the cap');
  const coin = await atHand(chain, (block) => coinCall(chain.hot, block));
  const held = state.fuel === undefined || state.fuel > coin ? coin : state.fuel;
  if (held < missing + maxOf(COIN_GAS, fuelPrice)) return notPrepared('no_fuel', `The hot wallet has ${held} wei for gas`);
  const transfer = { chainId: chain.config.chainId, nonce: own.nonce, gas: COIN_GAS, ...fuelPrice, to: address, value: missing };
  return { ...(await signed(chain, signer, chain.hot, transfer, { payouts: [], purpose: 'fuel', index })), parts: missing };
}

async function collect(chain: Chain, signer: Signer, index: number, currency: string, state: WalletState): Promise<Step> {
  if (lastNonce(state.spent, chain.config.chainId, chain.deposit(index)) !== undefined) {
    return notPrepared('unavailable', 'A sweep of this place is under way');
  }
  const { token, address, parts, value, gas, conditions } = await plan(chain, index, currency, state);
  if (parts === 0n) return notPrepared('refused', 'Nothing lies there');
  const price = priceOf(chain, gas, conditions);
  if (!price) return notPrepared('fee_cap', 'Gas is above the cap');
  const there = await atHand(chain, (block) => coinCall(address, block));
  if (there < maxOf(gas, price)) return notPrepared('no_fuel', `The place has ${there} wei, it may need ${maxOf(gas, price)}`);
  const { chainId } = chain.config;
  const transfer = { chainId, nonce: conditions.nonce, gas, ...price, contract: token.contract, to: chain.hot, value };
  return { ...(await signed(chain, signer, address, transfer, { payouts: [], purpose: 'sweep', index })), parts };
}

function priceOf(chain: Chain, gas: bigint, { baseFee, tip }: Market) {
  return gasPrice(baseFee, tip, gas, chain.config);
}
