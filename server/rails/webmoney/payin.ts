import { PENDING, type ProviderContext, booked, checkWallet, notOurs, observeEach } from '../provider/index.ts';
import type { AccountCheck, Fields, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { LARGEST_NUMBER, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';
import { merchantPayment } from './look-up.ts';
import { formFor, proofOf, replyTo } from './merchant.ts';

/** Name of the only field of an account: the purse. */
export const FIELD = 'account';
const BATCH_SIZE = 4;
const NO_BLOCKS = { height: 0, hash: '' };

/** Returns the pay-in side, by the merchant service. A reference is an integer: the sum of the first number and the index. */
export function payinOf(settings: WebMoneySettings, context: ProviderContext, currencies: readonly WebMoneyCurrency[]): Payin {
  const known = (code: string): WebMoneyCurrency => {
    const found = currencies.find((one) => one.code === code);
    if (!found) throw new Error(`WebMoney has no purse of ours in ${code}`);
    return found;
  };
  return {
    checkAccount: (currency, fields) => notOurs(FIELD, checkAccount(known(currency), fields), [known(currency).purse]),
    instruct: (_currency, index) => ({ to: numberOf(settings, index) }),
    uri: () => '',
    open: async (request) => ({ ok: true, way: formFor(settings, context, known(request.currency), request) }),
    observe: observeEach(BATCH_SIZE, async (reference) => {
      const seen = await poll(settings, known(reference.currency), reference);
      return seen ? [seen] : [];
    }),
    tip: async () => NO_BLOCKS,
    check: (webhook) => proofOf(settings, currencies, webhook),
    reply: (_webhook, proof) => replyTo(proof),
  };
}

/** Returns the number of a reference. Throws an Error once all numbers are used up. */
function numberOf({ firstNumber }: WebMoneySettings, index: number): string {
  const number = firstNumber + index;
  if (number > LARGEST_NUMBER) throw new Error('The numbers of WebMoney’s payments are used up');
  return `${number}`;
}

/** Checks a purse of a currency: its letter and twelve digits. A WMID, only twelve digits, is no purse. */
export const checkAccount = ({ letter }: Pick<WebMoneyCurrency, 'letter'>, fields: Fields): AccountCheck =>
  checkWallet(FIELD, { letter, min: 12, max: 12 }, fields);

/** Looks the payment of a reference up by our purse and number, so it is always in the purse's currency. */
async function poll(
  settings: WebMoneySettings,
  currency: WebMoneyCurrency,
  { to }: ReceivingAddress,
): Promise<ObservedPayment | undefined> {
  const paid = await merchantPayment(settings, currency, to);
  if (!paid) return undefined;
  const payer = checkAccount(currency, { [FIELD]: paid.from });
  return {
    key: paid.id,
    txid: paid.id,
    currency: currency.code,
    to,
    parts: paid.parts,
    from: [paid.from],
    status: paid.isHeld ? PENDING : booked(paid.at),
    ...(payer.ok && { source: { fields: payer.fields, key: payer.key } }),
  };
}
