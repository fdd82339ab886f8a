import type { Money } from '@kurs/money';
import type { Payin } from '../rail.ts';
import { checkAddress } from './address.ts';
import { type Chain, toChain, tokenOf } from './chain.ts';
import { sightingsReader } from './sightings.ts';

/** The pay-in side: addresses of our own, one per index, and what arrives at them. */
export function evmPayin(chain: Chain): Payin {
  const { config } = chain;
  const never = config.tokens.map((token) => token.contract);
  return {
    checkAccount: (currency, fields) => {
      tokenOf(config, currency);
      return checkAddress(fields, never);
    },
    instruct: (currency, index) => {
      tokenOf(config, currency);
      return { to: chain.deposit(index) };
    },
    uri: (currency, to, amount) => paymentUri(chain, currency, to, amount),
    observe: sightingsReader(chain),
    tip: async () => {
      const { height, hash } = await chain.head();
      return { height, hash };
    },
  };
}

/** EIP-681: a request for a token's `transfer`, with the amount as the contract counts it. */
function paymentUri(chain: Chain, currency: string, to: string, amount: Money): string {
  const token = tokenOf(chain.config, currency);
  if (amount.unit !== token.unit) throw new Error(`${currency} is paid in ${token.unit}, not ${amount.unit}`);
  return `ethereum:${token.contract}@${chain.config.chainId}/transfer?address=${to}&uint256=${toChain(token, amount.parts)}`;
}
