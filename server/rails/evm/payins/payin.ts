import type { Money } from '@kurs/money';
import type { Payin } from '../../rail.ts';
import { handedOnApart } from '../../account-chain/internal-transfers.ts';
import { checkAddress } from '../address.ts';
import { type Chain, isCoin, toChain, tokenOf } from '../chain.ts';
import { handedOnAt, lies, tracer } from './internal-transfers.ts';
import { paidBy } from './paid-by.ts';
import { seeker } from './missing-payments.ts';
import { observedPaymentsReader } from './observed-payments.ts';

/** Returns the pay-in side: our own addresses, one per index, and the payments to them. */
export function evmPayin(chain: Chain): Payin {
  const { config } = chain;
  const observe = observedPaymentsReader(chain);
  const never = config.tokens.map((token) => token.contract);
  return {
    isBlocksOnly: true,
    checkAccount: (currency, fields) => {
      isCoin(config, currency);
      return checkAddress(fields, never, config.links);
    },
    instruct: (currency, index) => {
      isCoin(config, currency);
      return { to: chain.deposit(index) };
    },
    uri: (currency, to, amount) => paymentUri(chain, currency, to, amount),
    observe: async (addresses, unread) => [
      ...(await observe(addresses, unread)),
      ...(await handedOnApart(addresses, unread, (known) => handedOnAt(chain, known))),
    ],
    seek: seeker(chain),
    paidBy: paidBy(chain),
    ...(config.coin && { lies: (addresses: readonly string[]) => lies(chain, addresses), ...tracer(chain) }),
    tip: async () => {
      const { height, hash } = await chain.head();
      return { height, hash };
    },
  };
}

/** Returns a payment link (EIP-681) for the chain's own coin or a token's `transfer`, with the amount as an on-chain integer. */
function paymentUri({ config }: Chain, currency: string, to: string, amount: Money): string {
  const token = isCoin(config, currency) ? undefined : tokenOf(config, currency);
  const unit = token?.unit ?? config.native;
  if (amount.unit !== unit) throw new Error(`${currency} is paid in ${unit}, not ${amount.unit}`);
  return token
    ? `ethereum:${token.contract}@${config.chainId}/transfer?address=${to}&uint256=${toChain(token, amount.parts)}`
    : `ethereum:${to}@${config.chainId}?value=${amount.parts}`;
}
