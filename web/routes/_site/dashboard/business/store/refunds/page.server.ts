import type { Input, Output, Routes } from '@kurs/contract';
import { readTyped } from '@kurs/money';
import { CallError } from '@kurs/contract/client';
import { unreadable } from '../../../../../../features/unreadable.ts';
import { m } from '../../../../../../features/words.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type Meta, askRows, pageOf, rowsOf } from '../../../orders/rows.ts';
import { answered } from '../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { REFUND_LOOKS, type ListedRefund, type RefundState } from './refund-words.ts';

/** Data of the page with a store's refunds. */
export interface RefundsData extends StoreData {
  readonly now: string;
  readonly state: RefundState | 'all';
  readonly q: string;
  /** Fields of the API's filter. */
  readonly request: Pick<Input<Routes['refunds']>, 'store' | 'state' | 'q'>;
  readonly refunds: readonly ListedRefund[];
  readonly meta: Meta;
  /** Caps of managers and keys; undefined for everybody but the owner. */
  readonly caps: Output<Routes['refundCaps']> | undefined;
}

/** Loads a page of the store's refunds, by the filter in the URL. */
export async function load(visit: Visit): Promise<RefundsData> {
  const own = await ownStore(visit, 'storeRefunds');
  const query = visit.url.searchParams;
  const [asked, q] = [query.get('state') ?? '', (query.get('q') ?? '').trim().slice(0, 120)];
  const state = Object.hasOwn(REFUND_LOOKS, asked) ? (asked as RefundState) : 'all';
  const request = { store: own.store.id, ...(state !== 'all' && { state: [state] }), ...(q !== '' && { q }) };
  const ask = (page: number, per_page: number) => visit.client.refunds({ ...request, page, per_page });
  const { data, meta } = await askRows(ask, { page: pageOf(query), rows: rowsOf(query) });
  const isOwner = own.store.permissions.includes('members.manage');
  const caps = isOwner ? await visit.client.refundCaps({ store: own.store.id }) : undefined;
  return { ...own, now: visit.now, state, q, request, refunds: data, meta, caps };
}

/** Sets a cap. */
export const submit = (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, async () => {
    const text = (form.get('cap') ?? '').trim();
    const cap = readTyped(text, visit.locale, 2);
    if (cap === undefined || cap === '')
      throw new CallError(422, {
        code: 'validation',
        message: m.fields_to_check({ count: 1 }),
        errors: { cap: [unreadable(text)] },
      });
    const key = form.get('id') ?? '';
    await visit.client.refundCapSet({ store: storeIdOf(visit), cap, ...(key !== '' && { key }) });
  });
