import { m } from '../../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { answered } from '../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import type { StoreRefund } from '../refunds/refund-words.ts';

/** Data of the page of one refund. */
export interface StoreRefundData extends StoreData {
  readonly now: string;
  readonly refund: StoreRefund;
}

/** Loads the refund that the URL names. Throws the page that says that the store has no such refund. */
export async function load(visit: Visit): Promise<StoreRefundData> {
  const own = await ownStore(visit, 'storeRefunds');
  const refund = await read(visit, own.store.id);
  const head = { title: `${own.store.name} · ${m.refunds_number({ number: refund.number })}` };
  return { ...own, head, now: visit.now, refund };
}

/** Cancels the refund, or confirms or refuses a claim. */
export const submit = (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, () => {
    const [store, claim] = [storeIdOf(visit), form.get('id') ?? ''];
    if (form.get('intent') === 'confirm') return visit.client.claimConfirm({ store, id: claim });
    if (form.get('intent') === 'refuse') return visit.client.claimRefuse({ store, id: claim });
    return visit.client.refundCancel({ store, id: visit.url.searchParams.get('id') ?? '' });
  });

async function read(visit: Visit, store: string): Promise<StoreRefund> {
  try {
    return await visit.client.storeRefund({ store, id: visit.url.searchParams.get('id') ?? '' });
  } catch (error) {
    if (failedWith(error, 'refund_unknown', 'validation')) notThere(visit, m.refunds_missing_title(), m.refunds_missing_lead());
    throw error;
  }
}
