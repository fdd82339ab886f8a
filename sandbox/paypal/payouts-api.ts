import { type Mount, No } from './answers.ts';
import { type Batch, centsOf, isCode } from './book.ts';

interface PayoutRequest {
  readonly sender_batch_header: {
    readonly sender_batch_id?: string;
    readonly email_subject?: string;
    readonly recipient_type?: string;
  };
  readonly items: readonly {
    readonly recipient_type?: string;
    readonly amount: { readonly currency: string; readonly value: string };
    readonly receiver: string;
    readonly sender_item_id?: string;
  }[];
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/**
 * Mounts Payouts v1, with batches of one item. A sender's id that was used before is refused with a link to the original in the
 * detail, as in PayPal's own sandbox, which ignores the request id.
 */
export const mountPayouts: Mount = (operate, side) => {
  const { book, shown, acts } = side;
  operate('payouts', 'payouts.post', ({ body }) => {
    const { sender_batch_header: header, items } = body as PayoutRequest;
    const [item, ...others] = items;
    if (!item || others.length > 0) throw invalid('items', 'This sandbox takes one item');
    const senderId = header.sender_batch_id ?? '';
    const original = senderId === '' ? undefined : book.batches().find((one) => one.senderId === senderId);
    if (original) throw repeated(shown.made(original)['links']);
    const { receiver, amount } = item;
    if ((item.recipient_type ?? header.recipient_type) !== 'EMAIL' || !EMAIL.test(receiver) || receiver.endsWith('.invalid')) {
      throw invalid('items[0].receiver', 'Receiver is invalid or does not match with type');
    }
    if (!isCode(amount.currency)) throw new No(400, 'NON_HOLDING_CURRENCY');
    if (!/^\d{1,5}\.\d{2}$/.test(amount.value) || centsOf(amount.value) === 0n || centsOf(amount.value) > 2_000_000n) {
      throw invalid('items[0].amount.value', 'Amount is invalid');
    }
    const wanted = { senderId, senderItemId: item.sender_item_id ?? '', subject: header.email_subject ?? '', receiver };
    const batch = payFrom(side, { ...wanted, code: amount.currency, value: amount.value });
    const process = (): void => acts.process(batch.id);
    if (side.payoutMs === 0) setImmediate(process);
    else setTimeout(process, side.payoutMs).unref();
    if (side.unheard > 0) {
      side.unheard -= 1;
      throw new No(500, 'INTERNAL_SERVER_ERROR');
    }
    return { status: 201, body: shown.made(batch) };
  });
  operate('payouts', 'payouts.get', ({ params }) => ({ status: 200, body: shown.batch(found(book.batch(params['id'] ?? ''))) }));
  const byItem = (id = ''): Batch => found(book.batches().find(({ item }) => item === id));
  operate('payouts', 'payouts-item.get', ({ params }) => ({ status: 200, body: shown.item(byItem(params['payout_item_id'])) }));
  operate('payouts', 'payouts-item.cancel', ({ params }) => {
    const batch = byItem(params['payout_item_id']);
    if (batch.itemStatus !== 'UNCLAIMED') throw new No(400, 'ITEM_ALREADY_CANCELLED', 'Item can not be cancelled');
    return { status: 200, body: shown.item(acts.become(batch, 'RETURNED')) };
  });
};

type Wanted = Parameters<Parameters<Mount>[1]['acts']['pay']>[0];

function payFrom({ acts }: Parameters<Mount>[1], wanted: Wanted): Batch {
  try {
    return acts.pay(wanted);
  } catch (error) {
    if (error instanceof RangeError) throw new No(422, 'INSUFFICIENT_FUNDS');
    throw error;
  }
}

const invalid = (field: string, issue: string): No => new No(400, 'VALIDATION_ERROR', issue, { field, location: 'body' });

const repeated = (link: unknown): No =>
  new No(400, 'USER_BUSINESS_ERROR', 'Batch with given sender_batch_id already exists', {
    field: 'SENDER_BATCH_ID',
    location: 'body',
    link,
  });

function found(batch: Batch | undefined): Batch {
  if (!batch) throw new No(404, 'INVALID_RESOURCE_ID');
  return batch;
}
