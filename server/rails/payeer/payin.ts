import { z } from 'zod';
import { Unreachable, type ProviderContext, booked, checkWallet, observeEach } from '../provider/index.ts';
import { readEach } from '../odd.ts';
import { partsRead } from '../provider/amounts.ts';
import type { Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { type PayeerClient, amount, listOf } from './client.ts';
import { ACCOUNT, CURRENCIES, FORM, type PayeerSettings, SCALE } from './config.ts';
import { answerTo, checkMessage, paymentForm } from './forms.ts';

const BATCH_SIZE = 8;

/** One payment of a reference, as `paymentDetails` shows it. An unpaid one lacks the nullish fields. */
const item = z.looseObject({
  amount,
  currency: z.string(),
  referenceId: z.string(),
  processed_ts: z.coerce.number().nullish(),
  clientAccount: z.string().nullish(),
  profitAmount: amount.nullish(),
  profitCurrency: z.string().nullish(),
  profitTransactionId: z.string().nullish(),
});
const details = z.looseObject({ items: listOf(z.unknown()) });

type Item = z.output<typeof item>;

/** Returns the pay-ins by Payeer's merchant form, looked up by our reference (`paymentDetails`). */
export function payeerPayin(settings: PayeerSettings, client: PayeerClient, { reference }: ProviderContext): Payin {
  return {
    checkAccount: (_currency, fields) => checkWallet('account', FORM, fields),
    instruct: (_currency, index) => ({ to: reference(index) }),
    uri: () => '',
    tip: async () => ({ height: 0, hash: '' }),
    open: async (request) => {
      const fields = paymentForm(settings, request);
      if (!fields) return { ok: false, reason: 'refused', detail: `${request.currency} is no currency of Payeer` };
      return { ok: true, way: { kind: 'redirect', method: 'POST', url: settings.merchantUrl, fields } };
    },
    observe: observeEach(BATCH_SIZE, (ours) => paymentsAt(settings, client, ours)),
    check: (webhook) => checkMessage(settings, webhook),
    reply: answerTo,
  };
}

async function paymentsAt(
  { shop }: PayeerSettings,
  client: PayeerClient,
  reference: ReceivingAddress,
): Promise<ObservedPayment[]> {
  const { items } = await client.call('paymentDetails', { merchantId: shop, referenceId: reference.to }, details);
  const read = readEach('payeer', 'paymentDetails.items', items, (one) => item.parse(one));
  const paid = read.filter(
    ({ referenceId, processed_ts: at }) => referenceId === reference.to && typeof at === 'number' && at > 0,
  );
  // Payeer shows only the last ten payments of a reference. Customers who pay more often hide only their own first payments, so
  // that is no error.
  const observedPayments = readEach('payeer', 'paymentDetails.items', paid, (one) => observedPaymentOf(reference, one));
  const seen = new Map(observedPayments.map((observedPayment) => [observedPayment.key, observedPayment]));
  return [...seen.values()];
}

/**
 * Returns a booked payment: the order's amount, and Payeer's fee. If the account is set to exchange payments, another currency than
 * the requested one was credited; then the credited amount is the payment. Throws `Unreachable` for an incomplete one.
 */
function observedPaymentOf({ to, currency: request }: ReceivingAddress, paid: Item): ObservedPayment {
  const { profitTransactionId: id, profitAmount, profitCurrency, processed_ts: at, clientAccount: payer } = paid;
  if (id == null || profitAmount == null || profitCurrency == null || at == null)
    throw new Unreachable('payeer: a payment without what was credited');
  const currency = codeOf(profitCurrency);
  const isRequested = profitCurrency === paid.currency && currency === request;
  const net = partsRead(profitAmount, SCALE);
  const parts = isRequested ? partsRead(paid.amount, SCALE) : net;
  const isAccount = payer != null && ACCOUNT.test(payer);
  return {
    key: id,
    txid: id,
    currency,
    to,
    parts: parts < net ? net : parts,
    fee: parts < net ? 0n : parts - net,
    from: payer == null || payer === '' ? [] : [payer],
    ...(isAccount && { source: { fields: { account: payer }, key: payer } }),
    status: booked(new Date(at * 1_000)),
  };
}

function codeOf(name: string): string {
  for (const [code, known] of CURRENCIES) if (known === name) return code;
  throw new Unreachable(`payeer: a payment was credited in ${name.slice(0, 8)}`);
}
