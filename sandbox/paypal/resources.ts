import type { Where } from '../counterpart.ts';
import { type Batch, type Book, type Capture, type Order, type Refund, centsOf, textOf } from './book.ts';

/** Writes resources in the format of PayPal's OpenAPI files, with links below the counterpart's addresses. */
export class Resources {
  readonly #book: Book;
  readonly #where: () => Where;

  constructor(book: Book, where: () => Where) {
    this.#book = book;
    this.#where = where;
  }

  #link(path: string, rel: string, method = 'GET'): { href: string; rel: string; method: string } {
    return { href: `${this.#where().base}${path}`, rel, method };
  }

  /** Returns the page on which a payer approves an order. */
  pageOf({ id }: Order): string {
    return `${this.#where().pages}/checkoutnow?token=${id}`;
  }

  order(order: Order): Record<string, unknown> {
    const { id, status, unit, at, changedAt, payer } = order;
    const self = `/v2/checkout/orders/${id}`;
    const captures = this.#book.captures(id);
    const refunds = captures.flatMap((capture) => this.#book.refunds(capture.id));
    const account = payer === undefined ? undefined : this.#book.account(payer);
    return {
      id,
      intent: 'CAPTURE',
      status,
      purchase_units: [
        {
          ...unit,
          payee: { email_address: this.#book.cabinet.email, merchant_id: this.#book.cabinet.merchantId },
          ...(captures.length > 0 && {
            payments: {
              captures: captures.map((one) => this.capture(one)),
              ...(refunds.length > 0 && { refunds: refunds.map((one) => this.refund(one)) }),
            },
          }),
        },
      ],
      payment_source: {
        paypal: account ? { email_address: account.email, account_id: account.id, account_status: 'VERIFIED' } : {},
      },
      ...(account && { payer: { email_address: account.email, payer_id: account.id } }),
      create_time: at,
      update_time: changedAt,
      links: [
        this.#link(self, 'self'),
        ...(status === 'PAYER_ACTION_REQUIRED' ? [{ href: this.pageOf(order), rel: 'payer-action', method: 'GET' }] : []),
        ...(status === 'APPROVED' ? [this.#link(`${self}/capture`, 'capture', 'POST')] : []),
      ],
    };
  }

  capture(capture: Capture): Record<string, unknown> {
    const { id, order, status, code, value, fee, customId, invoiceId, at, changedAt, pending } = capture;
    const money = (text: string): object => ({ currency_code: code, value: text });
    const self = `/v2/payments/captures/${id}`;
    const net = textOf(centsOf(value) - centsOf(fee));
    return {
      id,
      status,
      ...(status === 'PENDING' && { status_details: { reason: pending ?? 'OTHER' } }),
      amount: money(value),
      final_capture: true,
      ...(customId !== undefined && { custom_id: customId }),
      ...(invoiceId !== undefined && { invoice_id: invoiceId }),
      ...(status !== 'PENDING' &&
        status !== 'DECLINED' && {
          seller_receivable_breakdown: { gross_amount: money(value), paypal_fee: money(fee), net_amount: money(net) },
        }),
      supplementary_data: { related_ids: { order_id: order } },
      create_time: at,
      update_time: changedAt,
      links: [
        this.#link(self, 'self'),
        this.#link(`${self}/refund`, 'refund', 'POST'),
        this.#link(`/v2/checkout/orders/${order}`, 'up'),
      ],
    };
  }

  refund({ id, capture, status, code, value, customId, note, at }: Refund): Record<string, unknown> {
    const money = (text: string): object => ({ currency_code: code, value: text });
    return {
      id,
      status,
      amount: money(value),
      ...(customId !== undefined && { custom_id: customId }),
      ...(note !== undefined && { note_to_payer: note }),
      // PayPal keeps its fee when a payment is refunded.
      seller_payable_breakdown: {
        gross_amount: money(value),
        paypal_fee: money('0.00'),
        net_amount: money(value),
        total_refunded_amount: money(value),
      },
      create_time: at,
      update_time: at,
      links: [this.#link(`/v2/payments/refunds/${id}`, 'self'), this.#link(`/v2/payments/captures/${capture}`, 'up')],
    };
  }

  #header({ id, status, senderId, subject, at }: Batch): Record<string, unknown> {
    return {
      payout_batch_id: id,
      batch_status: status,
      time_created: at,
      sender_batch_header: { sender_batch_id: senderId, email_subject: subject },
    };
  }

  /** Returns the short answer to a new batch. */
  made(batch: Batch): Record<string, unknown> {
    return { batch_header: this.#header(batch), links: [this.#link(`/v1/payments/payouts/${batch.id}`, 'self')] };
  }

  batch(batch: Batch): Record<string, unknown> {
    const { code, value, fee, status, id } = batch;
    const money = (text: string): object => ({ currency: code, value: text });
    return {
      total_items: 1,
      total_pages: 1,
      batch_header: { ...this.#header(batch), funding_source: 'BALANCE', amount: money(value), fees: money(fee) },
      ...(status !== 'PENDING' && { items: [this.item(batch)] }),
      links: [this.#link(`/v1/payments/payouts/${id}`, 'self')],
    };
  }

  item(batch: Batch): Record<string, unknown> {
    const { item, id, senderId, senderItemId, receiver, code, value, fee, itemStatus, transaction, at } = batch;
    const path = `/v1/payments/payouts-item/${item}`;
    return {
      payout_item_id: item,
      ...(itemStatus !== 'FAILED' && itemStatus !== 'BLOCKED' && { transaction_id: transaction }),
      transaction_status: itemStatus,
      payout_item_fee: { currency: code, value: fee },
      payout_batch_id: id,
      sender_batch_id: senderId,
      payout_item: {
        recipient_type: 'EMAIL',
        amount: { currency: code, value },
        receiver,
        sender_item_id: senderItemId,
        recipient_wallet: 'PAYPAL',
      },
      time_processed: at,
      ...(itemStatus === 'UNCLAIMED' && {
        errors: { name: 'RECEIVER_UNREGISTERED', message: 'Receiver is unregistered', debug_id: id.toLowerCase() },
      }),
      links: [this.#link(path, 'item'), ...(itemStatus === 'UNCLAIMED' ? [this.#link(`${path}/cancel`, 'cancel', 'POST')] : [])],
    };
  }
}
