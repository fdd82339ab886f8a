import { type RedirectFunction, redirect } from 'react-router';
import { m } from '../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../pages.ts';
import { type Key, type OrderData, actOn, orderData } from '../../../order/page.server.ts';

type OwnOrder = Awaited<ReturnType<Visit['client']['userOrder']>> & { readonly token: string };

/** Loads one order of the account by its number, with the same data as its public page. */
export async function load(visit: Visit): Promise<OrderData | ReturnType<RedirectFunction>> {
  const id = visit.url.searchParams.get('id');
  if (id === null) return redirect(pageUrl(visit.locale, 'orders'));
  const { token, ...order } = await ownOrder(visit, id);
  return orderData(visit, order, token);
}

/** Handles the forms on the order's page. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { id, token } = await ownOrder(visit, visit.url.searchParams.get('id') ?? '');
  return actOn(visit, { id, token } satisfies Key, form);
}

async function ownOrder(visit: Visit, id: string): Promise<OwnOrder> {
  try {
    const { token, ...order } = await visit.client.userOrder({ id });
    if (token === undefined) throw new Error('a session is given the secret of its own order');
    return { ...order, token };
  } catch (error) {
    if (failedWith(error, 'order_not_found', 'validation'))
      notThere(visit, m.own_order_missing_title(), m.own_order_missing_lead());
    throw error;
  }
}
