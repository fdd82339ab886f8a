import type { Address } from 'viem';
import type { Attempt, Payout, PayoutItem, Prepared, Proof, Signer, WalletState } from '../../rail.ts';
import { attemptsSigned } from '../../signed-before.ts';
import type { SignRequest } from '../../signer.ts';
import { checkAddress, sameAddress } from '../address.ts';
import { type Chain, balanceCall, baseFeeOf, coinCall, isCoin, suggestedTip, toChain, tokenOf } from '../chain.ts';
import { ownSends } from './own-sends.ts';
import { COIN_GAS, gasLimit, gasPrice, replacementPrice } from './fees.ts';
import {
  atHand,
  carried,
  estimateGas,
  find,
  market,
  maxOf,
  notPrepared,
  prepared,
  ruledOutBy,
  send,
  signed,
  spender,
} from './sending.ts';
import { type Transfer, lastNonce, transferData } from './transaction.ts';

/** The look-up proves that a transaction exists, or that another one in a finalised block has used its nonce. */
const PROOF: Proof = { lookUp: 'presence and absence', dedupeMinutes: 0 };

/** Returns the payout side: each attempt is one transfer of tokens or coin from the hot wallet, in the order of its nonces. */
export function evmPayout(chain: Chain, signer: Signer): Payout {
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: (items, state) => prepared(() => prepare(chain, signer, items, state)),
    send: (attempt) => send(chain, attempt),
    find: (attempt) => find(chain, attempt),
    ruledOutBy: (attempt) => ruledOutBy(chain, attempt),
    signedBefore: (payouts) =>
      attemptsSigned(signer, chain.config.id, payouts, ({ spends }) => {
        const nonce = lastNonce(spends, chain.config.chainId, chain.hot);
        return nonce === undefined ? undefined : { nonce };
      }),
    bump: (attempt, state) => prepared(() => bump(chain, signer, attempt, state)),
    ownSends: ({ state }) => ownSends(chain, state),
    estimate: async (currency) => {
      const gas = isCoin(chain.config, currency) ? COIN_GAS : tokenOf(chain.config, currency).transferGas;
      const [head, tip] = await Promise.all([chain.head(), suggestedTip(chain.client)]);
      return { currency: chain.config.native, parts: gas * (baseFeeOf(head) + tip) };
    },
  };
}

async function prepare(chain: Chain, signer: Signer, items: readonly PayoutItem[], state: WalletState): Promise<Prepared> {
  const { config, hot } = chain;
  const item = items[0];
  if (!item || items.length > 1) throw new Error('One attempt carries one payout here');
  const account = checkAddress(
    item.to,
    config.tokens.map((other) => other.contract),
  );
  if (!account.ok) return notPrepared('refused', `${account.field}: ${account.problem}`);
  const to = account.fields['address'] as Address;
  const token = isCoin(config, item.currency) ? undefined : tokenOf(config, item.currency);
  const value = token ? toChain(token, item.parts) : item.parts;
  const coin = await atHand(chain, (block) => coinCall(hot, block));
  // Gas takes only the coin that the books set aside for it, and a payout of coin takes only the rest.
  const fuel = state.fuel === undefined || state.fuel > coin ? coin : state.fuel;
  const held = token ? await atHand(chain, (block) => balanceCall(token.contract, hot, block)) : coin - (state.fuel ?? 0n);
  if (held < value) return notPrepared('no_float', `The hot wallet holds ${held} of ${value}`);
  const call = token ? { to: token.contract, data: transferData(to, value) } : { to, value };
  const gas = gasLimit(await estimateGas(chain, { from: hot, ...call }));
  const { nonce, baseFee, tip } = await market(chain, hot, state.spent, state.nextNonce);
  const price = gasPrice(baseFee, tip, gas, config);
  if (!price) return notPrepared('fee_cap', `Gas at ${baseFee + tip} wei is above the cap`);
  const max = maxOf(gas, price);
  if (fuel < max || (!token && coin < value + max)) {
    return notPrepared('no_fuel', `The hot wallet has ${fuel} wei for gas, it may need ${max}`);
  }
  const sum = token ? { contract: token.contract, to, value } : { to, value };
  const transfer: Transfer = { chainId: config.chainId, nonce, gas, ...price, ...sum };
  return signed(chain, signer, hot, transfer, { payouts: [item.id], purpose: 'payout' });
}

/** Prepares the same transfer with the same nonce at a higher price: at most one of the two is mined. */
async function bump(chain: Chain, signer: Signer, attempt: Attempt, state: WalletState): Promise<Prepared> {
  const before = carried(chain, attempt);
  const { from } = spender(attempt);
  const [head, tip] = await Promise.all([chain.head(), suggestedTip(chain.client)]);
  const price = replacementPrice(before, baseFeeOf(head), tip, before.gas, chain.config);
  if (!price) return notPrepared('fee_cap', 'A higher price would be above the cap');
  const purpose = purposeOf(chain, attempt, before, state);
  if (purpose?.purpose === 'sweep' && !before.contract) return notPrepared('fee_cap', 'All that lies there is in it already');
  if (!purpose) return notPrepared('unavailable', `The attempt ${attempt.reference} concerns no place of the indexes given`);
  return signed(chain, signer, from, { ...before, ...price }, purpose);
}

/**
 * Returns a replacement's purpose for the signer. Gas and sweeps are recognized by their deposit address; undefined if it is not among
 * the state's indexes.
 */
function purposeOf(
  chain: Chain,
  attempt: Attempt,
  transfer: Transfer,
  state: WalletState,
): Pick<SignRequest, 'payouts' | 'purpose' | 'index'> | undefined {
  if (attempt.items.length > 0) return { payouts: attempt.items, purpose: 'payout' };
  const { from } = spender(attempt);
  const purpose = sameAddress(from, chain.hot) ? 'fuel' : 'sweep';
  const place = purpose === 'fuel' ? transfer.to : from;
  const index = state.indexes.find((candidate) => sameAddress(chain.deposit(candidate), place));
  return index === undefined ? undefined : { payouts: [], purpose, index };
}
