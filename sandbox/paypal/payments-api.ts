import { type Mount, No, once } from './answers.ts';
import { type Capture, centsOf, textOf } from './book.ts';

interface RefundRequest {
  readonly amount?: { readonly currency_code: string; readonly value: string };
  readonly custom_id?: string;
  readonly note_to_payer?: string;
}

/** Mounts Payments v2: read captures, refund them, read refunds. */
export const mountPayments: Mount = (operate, side) => {
  const { book, shown, acts } = side;
  operate('payments', 'captures.get', ({ params }) => ({
    status: 200,
    body: shown.capture(found(book.capture(params['capture_id'] ?? ''))),
  }));
  operate('payments', 'refunds.get', ({ params }) => ({
    status: 200,
    body: shown.refund(found(book.refund(params['refund_id'] ?? ''))),
  }));
  operate('payments', 'captures.refund', (request) => {
    const answer = once(book, 'captures.refund', request, () => {
      const capture = found(book.capture(request.params['capture_id'] ?? ''));
      const { amount, custom_id: customId, note_to_payer: note } = (request.body ?? {}) as RefundRequest;
      checkRefundable(capture, acts.left(capture), amount);
      const value = centsOf(amount?.value ?? textOf(acts.left(capture)));
      if (book.held(book.cabinet.email, capture.code) < value) {
        throw new No(422, 'UNPROCESSABLE_ENTITY', 'REFUND_FAILED_INSUFFICIENT_FUNDS');
      }
      return { status: 201, body: shown.refund(acts.refund(capture, value, customId, note)) };
    });
    if (side.unheard > 0) {
      side.unheard -= 1;
      throw new No(500, 'INTERNAL_SERVER_ERROR');
    }
    return answer;
  });
};

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new No(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
  return thing;
}

function checkRefundable(capture: Capture, left: bigint, amount: RefundRequest['amount']): void {
  const no = (issue: string): No => new No(422, 'UNPROCESSABLE_ENTITY', issue);
  if (capture.isReversed) throw no('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
  if (capture.status === 'PENDING') throw no('PENDING_CAPTURE');
  if (capture.status === 'DECLINED') throw no('REFUND_NOT_ALLOWED');
  if (left === 0n) throw no('CAPTURE_FULLY_REFUNDED');
  if (!amount) return;
  if (amount.currency_code !== capture.code) throw no('REFUND_CAPTURE_CURRENCY_MISMATCH');
  if (!/^\d+(\.\d{1,2})?$/.test(amount.value)) throw no('DECIMAL_PRECISION');
  if (centsOf(amount.value) === 0n) throw no('CANNOT_BE_ZERO_OR_NEGATIVE');
  if (centsOf(amount.value) > left) throw no('REFUND_AMOUNT_EXCEEDED');
}
