import { type Mount, No, once } from './answers.ts';
import { type Order, centsOf, isCode, newId, now } from './book.ts';

interface OrderRequest {
  readonly intent: string;
  readonly purchase_units: readonly (Order['unit'] & { readonly payee?: { readonly merchant_id?: string } })[];
  readonly payment_source?: {
    readonly paypal?: {
      readonly experience_context?: {
        readonly return_url?: string;
        readonly cancel_url?: string;
        readonly payment_method_preference?: string;
      };
    };
  };
  readonly application_context?: { readonly return_url?: string; readonly cancel_url?: string };
}

/** Mounts Orders v2: create, read and capture. */
export const mountOrders: Mount = (operate, { book, shown, acts }) => {
  operate('orders', 'orders.create', (request) =>
    once(book, 'orders.create', request, () => {
      const { intent, purchase_units: units, payment_source: source, application_context: older } = request.body as OrderRequest;
      const [unit, ...others] = units;
      if (intent !== 'CAPTURE') throw new No(422, 'UNPROCESSABLE_ENTITY', 'UNSUPPORTED_INTENT');
      if (!unit || others.length > 0) throw new No(422, 'UNPROCESSABLE_ENTITY', 'UNSUPPORTED_PAYMENT_INSTRUCTION');
      if (unit.payee?.merchant_id !== undefined && unit.payee.merchant_id !== book.cabinet.merchantId) {
        throw new No(422, 'UNPROCESSABLE_ENTITY', 'PAYEE_ACCOUNT_INVALID');
      }
      checkAmount(unit.amount);
      const context = source?.paypal?.experience_context ?? older;
      const order: Order = {
        id: newId(17),
        status: 'PAYER_ACTION_REQUIRED',
        unit: { ...unit, reference_id: unit.reference_id ?? 'default' },
        returnUrl: context?.return_url ?? '',
        cancelUrl: context?.cancel_url ?? '',
        isImmediate: source?.paypal?.experience_context?.payment_method_preference === 'IMMEDIATE_PAYMENT_REQUIRED',
        at: now(),
        changedAt: now(),
      };
      book.put('order', order);
      return { status: 201, body: shown.order(order) };
    }),
  );
  operate('orders', 'orders.get', ({ params }) => ({ status: 200, body: shown.order(found(book.order(params['id'] ?? ''))) }));
  operate('orders', 'orders.capture', (request) =>
    once(book, 'orders.capture', request, () => {
      const order = found(book.order(request.params['id'] ?? ''));
      if (order.status === 'COMPLETED') throw new No(422, 'UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
      if (order.status !== 'APPROVED') throw new No(422, 'UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED');
      const { invoice_id: invoice } = order.unit;
      if (
        invoice !== undefined &&
        book.captures().some(({ invoiceId, status }) => invoiceId === invoice && status !== 'DECLINED')
      ) {
        throw new No(422, 'UNPROCESSABLE_ENTITY', 'DUPLICATE_INVOICE_ID');
      }
      if (!acts.take(order)) throw new No(422, 'UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED');
      return { status: 201, body: shown.order(found(book.order(order.id))) };
    }),
  );
};

function found(order: Order | undefined): Order {
  if (!order) throw new No(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
  return order;
}

function checkAmount({ currency_code: code, value }: { readonly currency_code: string; readonly value: string }): void {
  if (!isCode(code)) throw new No(422, 'UNPROCESSABLE_ENTITY', 'INVALID_CURRENCY_CODE');
  if (!/^\d+(\.\d{1,2})?$/.test(value)) throw new No(422, 'UNPROCESSABLE_ENTITY', 'DECIMAL_PRECISION');
  if (centsOf(value) === 0n) throw new No(422, 'UNPROCESSABLE_ENTITY', 'CANNOT_BE_ZERO_OR_NEGATIVE');
}
