import type { Payout, PayoutItem, Prepared, Proof, Signer, WalletState } from '../rail.ts';
import { checkAddress } from './address.ts';
import { type Chain, type Head, type Prices, atHand, coinOf, energyOf, tokenOf, tokensOf } from './chain.ts';
import type { TronToken } from './config.ts';
import { attemptsSigned } from '../signed-before.ts';
import { readSpend } from './transaction.ts';
import { type Taken, find, grounded, notPrepared, prepared, send, signed, weightOf, ownSends } from './sending.ts';

/** A transaction is mined, or it is absent after its expiration has passed on the solid chain. */
const PROOF: Proof = { lookUp: 'presence and absence', dedupeMinutes: 0 };

/** Returns the payout side: each attempt is one transfer from the hot wallet. Fees can't be raised: an unmined transfer expires. */
export function tronPayout(chain: Chain, signer: Signer): Payout {
  const taken: Taken = new Map();
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: (items, state) => prepared(() => prepare(chain, signer, items, state)),
    send: (attempt) => send(chain, taken, attempt),
    find: (attempt) => find(chain, taken, attempt),
    ownSends: (request) => ownSends(chain, request),
    signedBefore: async (payouts) => {
      const attempts = await attemptsSigned(signer, chain.config.id, payouts, ({ spends: [spend = ''] }) => ({
        expiresAt: new Date(Number.parseInt(readSpend(spend).expiration.toString(), 10)),
      }));
      return attempts.map((attempt) => ({ ...attempt, fee: { ...attempt.fee, isMaximum: true } }));
    },
    estimate: async (currency) => {
      const token = tokenOf(chain.config, currency);
      const prices = await chain.prices();
      if (!token) return inCoin(chain, prices.activation);
      const bandwidth = (await weightToward(chain, chain.deposit(0), token)) * prices.byte;
      return inCoin(chain, token.transferEnergy * prices.energy + bandwidth);
    },
    estimateFor: (currency, { address = '' }) => estimateFor(chain, currency, address),
  };
}

interface Cost {
  readonly currency: string;
  readonly parts: bigint;
}

const inCoin = ({ config }: Chain, parts: bigint): Cost => ({ currency: config.coin.code, parts });

/** Returns the bandwidth, in bytes, of a typical transfer to an address. */
async function weightToward(chain: Chain, to: string, token: TronToken | undefined): Promise<bigint> {
  const what = { owner: chain.hot, to, value: 10n ** 9n, feeLimit: token ? 10n ** 7n : 0n };
  return weightOf(chain, await chain.head(), { ...what, ...(token && { contract: token.contract }) });
}

/**
 * Returns the current cost of a transfer to an address, in sun. For a token the node measures the energy, about twice as much
 * if the receiver holds none of it. For TRX it is the activation of a new account, or the bandwidth. The measured transfer is
 * the smallest one, so that it needs no float. Throws `Reverts` for a receiver that the token blocks, and `Unreachable`.
 */
async function estimateFor(chain: Chain, currency: string, to: string): Promise<Cost> {
  const { client, hot } = chain;
  const token = tokenOf(chain.config, currency);
  const [prices, bytes] = await Promise.all([chain.prices(), weightToward(chain, to, token)]);
  const bandwidth = bytes * prices.byte;
  if (token) return inCoin(chain, (await energyOf(client, token, { from: hot, to, value: 1n })) * prices.energy + bandwidth);
  const isNew = (await coinOf(client, 'wallet', to)) === undefined;
  return inCoin(chain, isNew ? prices.activation : bandwidth);
}

async function prepare(chain: Chain, signer: Signer, items: readonly PayoutItem[], state: WalletState): Promise<Prepared> {
  const item = items[0];
  if (!item || items.length > 1) throw new Error('One attempt carries one payout here');
  const token = tokenOf(chain.config, item.currency);
  const account = checkAddress(
    item.to,
    chain.config.tokens.map(({ contract }) => contract),
  );
  if (!account.ok) return notPrepared('refused', `${account.field}: ${account.problem}`);
  const to = account.fields['address'] as string;
  const [head, prices] = await Promise.all([chain.head(), chain.prices()]);
  return token
    ? payTokens(chain, signer, { item, to, token, head, prices, state })
    : payCoin(chain, signer, { item, to, head, prices, state });
}

interface Paying {
  readonly item: PayoutItem;
  readonly to: string;
  readonly head: Head;
  readonly prices: Prices;
  readonly state: WalletState;
}

async function payTokens(
  chain: Chain,
  signer: Signer,
  { item, to, token, head, prices, state }: Paying & { readonly token: TronToken },
): Promise<Prepared> {
  const { client, hot, config } = chain;
  const value = item.parts;
  const held = await atHand((view) => tokensOf(client, view, token, hot));
  if (held < value) return notPrepared('no_float', `The hot wallet holds ${held} of ${value}`);
  const feeLimit = energyLimit(await energyOf(client, token, { from: hot, to, value })) * prices.energy;
  const transfer = grounded(chain, head, { owner: hot, contract: token.contract, to, value, feeLimit });
  const fee = feeLimit + weightOf(chain, head, transfer) * prices.byte;
  if (fee > config.maxFee) return notPrepared('fee_cap', `A transfer may cost ${fee} sun, which is above the cap`);
  const fuel = fuelOf(await atHand((view) => coinOf(client, view, hot)), state);
  if (fuel < fee) return notPrepared('no_fuel', `The hot wallet has ${fuel} sun, it may need ${fee}`);
  return signed(chain, signer, transfer, fee, { payouts: [item.id], purpose: 'payout' });
}

async function payCoin(chain: Chain, signer: Signer, { item, to, head, prices, state }: Paying): Promise<Prepared> {
  const { client, hot, config } = chain;
  const transfer = grounded(chain, head, { owner: hot, to, value: item.parts, feeLimit: 0n });
  const isNew = (await coinOf(client, 'wallet', to)) === undefined;
  const fee = isNew ? prices.activation : weightOf(chain, head, transfer) * prices.byte;
  if (fee > config.maxFee) return notPrepared('fee_cap', `A transfer costs ${fee} sun, which is above the cap`);
  const held = await atHand((view) => coinOf(client, view, hot));
  const free = held - (state.fuel ?? 0n);
  if (free < item.parts) return notPrepared('no_float', `The hot wallet holds ${free} of ${item.parts} sun`);
  const fuel = fuelOf(held, state);
  if (fuel < fee || held < item.parts + fee)
    return notPrepared('no_fuel', `The hot wallet has ${fuel} sun for fees, it may need ${fee}`);
  return signed(chain, signer, transfer, fee, { payouts: [item.id], purpose: 'payout' });
}

/** Returns the hot wallet's TRX for fees, in sun: the sum that the books set aside, at most `held`; all of it without that sum. */
export function fuelOf(held: bigint, { fuel }: Pick<WalletState, 'fuel'>): bigint {
  return fuel === undefined || fuel > held ? held : fuel;
}

/**
 * Returns the energy limit: a fifth above the estimate. The energy doubles if the receiver spends all of its tokens before the
 * block; then the transfer fails and burns its limit.
 */
export function energyLimit(estimated: bigint): bigint {
  return (estimated * 12n) / 10n;
}
