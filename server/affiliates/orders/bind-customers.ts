// Binds customers to the affiliates who referred them, once an order is exchanged.

import { type OrderPublished, addressesThatOrdered } from '../../exchange/index.ts';
import { type Tx, canonicalEmail } from '../../platform/index.ts';
import { bindAll } from '../../referrals/index.ts';

/** Returns the address that a customer is counted by. */
export function addressOf({ customer: { shown, typed } }: Pick<OrderPublished, 'customer'>): string {
  const key = [...typed, ...shown].find((one) => one.startsWith('email:')) ?? '';
  return key.slice('email:'.length);
}

type Binding = Parameters<typeof bindAll>[1][number] & { readonly before: Date };

/**
 * Binds the customers of exchanged orders to their affiliates, unless both are the same person. It binds the signed-in holder, or
 * otherwise the typed address if it has no completed order. An order of a partner's program binds nobody.
 */
export async function bindCustomers(tx: Tx, exchanged: readonly OrderPublished[]): Promise<void> {
  const sent = exchanged.flatMap((body) => bindingOf(body) ?? []);
  const typed = sent.flatMap(({ who, before }) => ('email' in who ? [{ email: who.email, before }] : []));
  const ordered = await addressesThatOrdered(tx, typed);
  await bindAll(
    tx,
    sent.filter(({ who }) => !('email' in who && ordered.has(who.email))),
  );
}

function bindingOf(body: OrderPublished): Binding | undefined {
  const { sentBy, customer, at } = body;
  if (!sentBy || sentBy.shared !== null || sentBy.isByPartner) return undefined;
  const one = { ...sentBy, since: new Date(sentBy.since), before: new Date(at) };
  if (customer.holder !== null) return { ...one, who: { holderId: customer.holder } };
  const email = canonicalEmail(addressOf(body));
  return email === '' || sentBy.hadOrdered ? undefined : { ...one, who: { email } };
}
