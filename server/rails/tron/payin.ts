import { type Money, format } from '@kurs/money';
import type { Payin } from '../rail.ts';
import { handedOnApart } from '../account-chain/internal-transfers.ts';
import { checkAddress } from './address.ts';
import { type Chain, moneyOf, tokenOf } from './chain.ts';
import { handedOnAt, lies, tracer } from './internal-transfers.ts';
import { seeker } from './missing-payments.ts';
import { observedPayment, observedPaymentsReader, prove } from './observed-payments.ts';

/** Returns the pay-in side: one address per index, and the payments to it. */
export function tronPayin(chain: Chain): Payin {
  const { config } = chain;
  const observe = observedPaymentsReader(chain);
  const never = config.tokens.map(({ contract }) => contract);
  return {
    isBlocksOnly: true,
    checkAccount: (currency, fields) => {
      moneyOf(config, currency);
      return checkAddress(fields, never);
    },
    instruct: (currency, index) => {
      moneyOf(config, currency);
      return { to: chain.deposit(index) };
    },
    uri: (currency, to, amount) => paymentUri(chain, currency, to, amount),
    observe: async (addresses, unread) => [
      ...(await observe(addresses, unread)),
      ...(await handedOnApart(addresses, unread, (known) => handedOnAt(chain, known))),
    ],
    lies: (addresses) => lies(chain, addresses),
    ...tracer(chain),
    seek: seeker(chain),
    paidBy: async ({ currency, to }, hash) => {
      const head = await chain.head();
      const { arrivals, isUnknown } = await prove(chain, head, to, hash);
      const payments = arrivals.filter((one) => one.currency === currency).map((one) => observedPayment(one, head));
      return isUnknown ? { is: 'unknown' } : { is: 'mined', payments };
    },
    tip: async () => {
      const { height, id } = await chain.head();
      return { height, hash: id };
    },
  };
}

/** Returns a payment link. There is no standard: wallets read the address after `tron:`, some also the amount and contract. */
function paymentUri({ config }: Chain, currency: string, to: string, amount: Money): string {
  const { unit } = moneyOf(config, currency);
  if (amount.unit !== unit) throw new Error(`${currency} is paid in ${unit}, not ${amount.unit}`);
  const token = tokenOf(config, currency);
  return `tron:${to}?amount=${format(amount)}${token ? `&token=${token.contract}` : ''}`;
}
