import type { Prepared, Signer, Sweep, WalletState } from '../rail.ts';
import { type Chain, atHand, coinOf, energyOf, tokenOf, tokensOf } from './chain.ts';
import { each, eachApart } from './client.ts';
import type { TronToken } from './config.ts';
import { energyLimit, fuelOf } from './payout.ts';
import { grounded, notPrepared, prepared, signed, weightOf } from './sending.ts';
import { readSpend } from './transaction.ts';

type Step = Prepared & { readonly parts?: bigint };

/**
 * Returns the sweep of deposits into the hot wallet. Tokens take two steps: `fuel` sends the TRX that the address lacks for
 * fees, `collect` moves the whole balance. TRX needs no fuel: its fee is paid from the balance.
 */
export function tronSweep(chain: Chain, signer: Signer): Sweep {
  return {
    holdings: (indexes) => holdings(chain, indexes),
    prepare: (index, currency, step, state) =>
      prepared<Step>(async () => {
        if (isUnderWay(state, chain.deposit(index))) return notPrepared('unavailable', 'A sweep of this place is under way');
        const token = tokenOf(chain.config, currency);
        if (!token) return step === 'fuel' ? notPrepared('refused', 'TRX needs no fuel') : collectCoin(chain, signer, index);
        return step === 'fuel' ? fuel(chain, signer, index, token, state) : collectTokens(chain, signer, index, token);
      }),
  };
}

/** Returns true if an attempt from this address is unfinished: the node may still show the balance that it moves. */
function isUnderWay({ spent }: WalletState, address: string): boolean {
  return spent.some((spend) => readSpend(spend).owner === address);
}

/** Returns balances worth a sweep. TRX at an address with tokens is left out, since it pays for the sweep of the tokens. */
async function holdings(chain: Chain, indexes: readonly number[]): Promise<Awaited<ReturnType<Sweep['holdings']>>> {
  const { client, config } = chain;
  const found = await eachApart(config.id, 'a balance of an address', indexes, async (index) => {
    const address = chain.deposit(index);
    const coin = (await coinOf(client, 'wallet', address)) ?? 0n;
    const tokens = await each(config.tokens, async (token) => ({
      token,
      parts: await tokensOf(client, 'wallet', token, address),
    }));
    const held = tokens.flatMap(({ token, parts }) =>
      parts < token.sweepFrom ? [] : [{ index, currency: token.code, parts, fuelParts: coin }],
    );
    if (held.length > 0 || coin < config.coin.sweepFrom) return held;
    return [{ index, currency: config.coin.code, parts: coin, fuelParts: coin }];
  });
  return found.flat();
}

/** Plans a sweep of tokens at current prices: the sum, and the highest fee in sun. */
async function plan(chain: Chain, address: string, token: TronToken) {
  const { client, hot } = chain;
  const [head, prices] = await Promise.all([chain.head(), chain.prices()]);
  const value = await atHand((view) => tokensOf(client, view, token, address));
  const energy = value === 0n ? 0n : await energyOf(client, token, { from: address, to: hot, value });
  const feeLimit = energyLimit(energy) * prices.energy;
  const what = { owner: address, contract: token.contract, to: hot, value, feeLimit };
  return { head, prices, value, what, fee: feeLimit + weightOf(chain, head, what) * prices.byte };
}

async function fuel(chain: Chain, signer: Signer, index: number, token: TronToken, state: WalletState): Promise<Step> {
  const { client, hot, config } = chain;
  const address = chain.deposit(index);
  const { head, prices, value, fee } = await plan(chain, address, token);
  if (value === 0n) return notPrepared('refused', 'Nothing lies there');
  if (fee > config.maxFee) return notPrepared('fee_cap', `A sweep may cost ${fee} sun, which is above the cap`);
  const there = await coinOf(client, 'wallet', address);
  const missing = fee - (there ?? 0n);
  if (missing <= 0n) return notPrepared('refused', 'The TRX is there');
  const transfer = grounded(chain, head, { owner: hot, to: address, value: missing, feeLimit: 0n });
  const cost = there === undefined ? prices.activation : weightOf(chain, head, transfer) * prices.byte;
  const held = fuelOf(await atHand((view) => coinOf(client, view, hot)), state);
  if (held < missing + cost) return notPrepared('no_fuel', `The hot wallet has ${held} sun for fees`);
  return { ...(await signed(chain, signer, transfer, cost, { payouts: [], purpose: 'fuel', index })), parts: missing };
}

async function collectTokens(chain: Chain, signer: Signer, index: number, token: TronToken): Promise<Step> {
  const { client, config } = chain;
  const address = chain.deposit(index);
  const { head, value, what, fee } = await plan(chain, address, token);
  if (value === 0n) return notPrepared('unavailable', 'Nothing solid lies there');
  if (fee > config.maxFee) return notPrepared('fee_cap', `A sweep may cost ${fee} sun, which is above the cap`);
  const there = (await coinOf(client, 'wallet', address)) ?? 0n;
  if (there < fee) return notPrepared('no_fuel', `The place has ${there} sun, it may need ${fee}`);
  return {
    ...(await signed(chain, signer, grounded(chain, head, what), fee, { payouts: [], purpose: 'sweep', index })),
    parts: value,
  };
}

async function collectCoin(chain: Chain, signer: Signer, index: number): Promise<Step> {
  const { client, hot } = chain;
  const address = chain.deposit(index);
  const [head, prices] = await Promise.all([chain.head(), chain.prices()]);
  const held = await atHand((view) => coinOf(client, view, address));
  const what = { owner: address, to: hot, value: held, feeLimit: 0n };
  const fee = held === 0n ? 0n : weightOf(chain, head, what) * prices.byte;
  if (held <= fee) return notPrepared('unavailable', 'Nothing solid lies there that is worth its cost');
  const parts = held - fee;
  const transfer = grounded(chain, head, { ...what, value: parts });
  return { ...(await signed(chain, signer, transfer, fee, { payouts: [], purpose: 'sweep', index })), parts };
}
