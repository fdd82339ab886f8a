import {
  type Batch,
  type Book,
  type Capture,
  type Code,
  type Funding,
  type ItemStatus,
  type Order,
  type Refund,
  centsOf,
  newId,
  now,
  textOf,
} from './book.ts';
import type { Messages } from './messages.ts';
import type { Resources } from './resources.ts';

/** PayPal's fee for a payment: 3.49 % and a fixed part, in hundredths of a percent and in cents (PayPal, US fees). */
const SHARE = 349n;
const FIXED: Readonly<Record<Code, bigint>> = { USD: 49n, EUR: 39n };
/** Maximum fee for a payout, in cents; the fee is 2 %. */
const MAX: Readonly<Record<Code, bigint>> = { USD: 100n, EUR: 100n };

export const paymentFee = (cents: bigint, code: Code): bigint => (cents * SHARE + 9_999n) / 10_000n + FIXED[code];
export const payoutFee = (cents: bigint, code: Code): bigint => {
  const share = (cents * 2n + 99n) / 100n;
  return share < MAX[code] ? share : MAX[code];
};

/** Actions that move money here. Each sends a message. */
export class Acts {
  readonly #book: Book;
  readonly #shown: Resources;
  readonly #messages: Messages;

  constructor(book: Book, shown: Resources, messages: Messages) {
    this.#book = book;
    this.#shown = shown;
    this.#messages = messages;
  }

  get #desk(): string {
    return this.#book.cabinet.email;
  }

  /** Returns the balance of the desk's account. */
  heldByDesk(code: Code): string {
    return textOf(this.#book.held(this.#desk, code));
  }

  /** Approves an order as its payer. No money moves. */
  approve(order: Order, payer: string, funding: Funding): Order {
    const approved: Order = { ...order, status: 'APPROVED', payer, funding, changedAt: new Date().toISOString() };
    this.#book.put('order', approved);
    this.#messages.report(
      'CHECKOUT.ORDER.APPROVED',
      'checkout-order',
      this.#shown.order(approved),
      'An order has been approved by buyer',
    );
    return approved;
  }

  /** Captures the money of an approved order for the shop. Undefined if the payer's bank declines. */
  take(order: Order): Capture | undefined {
    const { unit, payer = '', funding } = order;
    if (funding === 'declined') {
      // The payer is asked to choose another way to pay.
      this.#book.put('order', { ...order, status: 'PAYER_ACTION_REQUIRED', changedAt: new Date().toISOString() });
      return undefined;
    }
    const code = unit.amount.currency_code;
    const cents = centsOf(unit.amount.value);
    const at = now();
    const pending = funding === 'echeck' ? 'ECHECK' : funding === 'review' ? 'PENDING_REVIEW' : undefined;
    const capture: Capture = {
      ...(pending && { pending }),
      ...{ id: newId(17), order: order.id, status: pending ? 'PENDING' : 'COMPLETED', code, value: textOf(cents) },
      fee: textOf(paymentFee(cents, code)),
      ...(unit.custom_id !== undefined && { customId: unit.custom_id }),
      ...(unit.invoice_id !== undefined && { invoiceId: unit.invoice_id }),
      at,
      changedAt: at,
    };
    this.#book.move(payer, code, -cents);
    if (capture.status === 'COMPLETED') this.#book.move(this.#desk, code, cents - centsOf(capture.fee));
    this.#book.put('capture', capture);
    this.#book.put('order', { ...order, status: 'COMPLETED', changedAt: at });
    this.#publishCapture(capture);
    return capture;
  }

  /** Settles a pending capture: an eCheck that arrived or a passed review (`ok`), or the opposite. */
  settle(capture: Capture, ok: boolean): Capture {
    if (capture.status !== 'PENDING') return capture;
    const { code, value, fee, order } = capture;
    if (ok) this.#book.move(this.#desk, code, centsOf(value) - centsOf(fee));
    else this.#book.move(this.#book.order(order)?.payer ?? '', code, centsOf(value));
    return this.#changed({ ...capture, status: ok ? 'COMPLETED' : 'DECLINED', changedAt: now() });
  }

  #changed(capture: Capture): Capture {
    this.#book.put('capture', capture);
    this.#publishCapture(capture);
    return capture;
  }

  #publishCapture(capture: Capture): void {
    const kind = capture.status === 'DECLINED' ? 'DENIED' : capture.status;
    this.#messages.report(
      `PAYMENT.CAPTURE.${kind}`,
      'capture',
      this.#shown.capture(capture),
      `Payment ${capture.status.toLowerCase()}`,
    );
  }

  /** Returns the cents of a capture that are not refunded yet. */
  left(capture: Capture): bigint {
    const done = this.#book.refunds(capture.id).filter(({ status }) => status !== 'FAILED');
    return centsOf(capture.value) - done.reduce((sum, { value }) => sum + centsOf(value), 0n);
  }

  /** Refunds a part of a capture for the shop: by its program with `customId`, or by hand without. */
  refund(capture: Capture, cents: bigint, customId?: string, note?: string): Refund {
    const { id, code } = capture;
    const refund: Refund = {
      ...{ id: newId(17), capture: id, status: 'COMPLETED', code, value: textOf(cents), at: now() },
      ...(customId !== undefined && { customId }),
      ...(note !== undefined && { note }),
    };
    this.#giveBack(capture, cents);
    this.#book.put('refund', refund);
    this.#book.put('capture', {
      ...capture,
      status: this.left(capture) === 0n ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
      changedAt: refund.at,
    });
    this.#messages.report(
      'PAYMENT.CAPTURE.REFUNDED',
      'refund',
      this.#shown.refund(refund),
      `A ${refund.value} ${code} capture payment was refunded`,
    );
    return refund;
  }

  /**
   * Reverses a capture by PayPal, after a chargeback or a lost dispute. It is no refund by the shop, and shows as a status only.
   */
  reverse(capture: Capture): Capture {
    const cents = this.left(capture);
    this.#giveBack(capture, cents);
    const reversed: Capture = { ...capture, status: 'REFUNDED', isReversed: true, changedAt: now() };
    this.#book.put('capture', reversed);
    this.#resolve(capture);
    this.#messages.report('PAYMENT.CAPTURE.REVERSED', 'capture', this.#shown.capture(reversed), 'A payment was reversed');
    return reversed;
  }

  /** Ends a dispute in the shop's favour: the money returns to its account, and the payment has its former status. */
  win(capture: Capture): Capture {
    const { isReversed, ...rest } = capture;
    if (!isReversed) return capture;
    const left = this.left(capture);
    this.#giveBack(capture, -left);
    const status = left === centsOf(capture.value) ? 'COMPLETED' : 'PARTIALLY_REFUNDED';
    const won: Capture = { ...rest, status, changedAt: now() };
    this.#book.put('capture', won);
    this.#publishDispute(won, `PP-R-${newId(3)}-${newId(9)}`, 'RESOLVED');
    return won;
  }

  /** Withdraws the open disputes of a payment, as its payer. */
  withdraw(capture: Capture): void {
    for (const id of this.#resolve(capture)) this.#publishDispute(capture, id, 'RESOLVED');
  }

  /** Ends the open disputes of a payment, and returns their ids. */
  #resolve({ id }: Capture): string[] {
    const open = this.#book.disputes(id).filter(({ status }) => status === 'OPEN');
    for (const one of open) this.#book.put('dispute', { ...one, status: 'RESOLVED' });
    return open.map((one) => one.id);
  }

  /** Charges the shop for a dispute. The charge affects its account only; no payment shows it. */
  charge({ code }: Capture, cents: bigint): void {
    this.#book.move(this.#desk, code, -cents);
  }

  #giveBack({ code, order }: Capture, cents: bigint): void {
    this.#book.move(this.#desk, code, -cents);
    this.#book.move(this.#book.order(order)?.payer ?? '', code, cents);
  }

  /** Opens a dispute as the payer; no money moves yet. */
  dispute(capture: Capture): string {
    const id = `PP-R-${newId(3)}-${newId(9)}`;
    this.#book.put('dispute', { id, capture: capture.id, status: 'OPEN', at: now() });
    this.#publishDispute(capture, id, 'CREATED');
    return id;
  }

  #publishDispute(capture: Capture, id: string, step: 'CREATED' | 'RESOLVED'): void {
    const resource = {
      dispute_id: id,
      create_time: new Date().toISOString(),
      disputed_transactions: [{ seller_transaction_id: capture.id, seller: { merchant_id: this.#book.cabinet.merchantId } }],
      reason: 'UNAUTHORISED',
      status: step === 'CREATED' ? 'OPEN' : 'RESOLVED',
      dispute_amount: { currency_code: capture.code, value: capture.value },
      dispute_life_cycle_stage: step === 'CREATED' ? 'INQUIRY' : 'CHARGEBACK',
      ...(step === 'RESOLVED' && { dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } }),
    };
    const words = step === 'CREATED' ? `A new dispute opened with Case # ${id}` : `Case # ${id} is resolved`;
    this.#messages.report(`CUSTOMER.DISPUTE.${step}`, 'dispute', resource, words);
  }

  /** Accepts a payout, whose outcome follows a little later. Throws if the account has too little. */
  pay(wanted: Pick<Batch, 'senderId' | 'senderItemId' | 'subject' | 'receiver' | 'code' | 'value'>): Batch {
    const { code, value } = wanted;
    const cents = centsOf(value);
    const fee = payoutFee(cents, code);
    if (this.#book.held(this.#desk, code) < cents + fee) throw new RangeError('INSUFFICIENT_FUNDS');
    this.#book.move(this.#desk, code, -cents - fee);
    const batch: Batch = {
      ...wanted,
      ...{
        id: newId(13),
        item: newId(13),
        fee: textOf(fee),
        status: 'PENDING',
        itemStatus: 'PENDING',
        transaction: newId(17),
        at: now(),
      },
    };
    this.#book.put('batch', batch);
    return batch;
  }

  /** Processes a batch. Its outcome depends on the receiver's name. */
  process(id: string): void {
    const batch = this.#book.batch(id);
    if (batch?.status !== 'PENDING') return;
    this.#messages.report(
      'PAYMENT.PAYOUTSBATCH.PROCESSING',
      'payouts',
      this.#shown.batch({ ...batch, status: 'PROCESSING' }),
      'Payouts batch is processing',
    );
    const outcome = outcomeFor(batch.receiver);
    this.become({ ...batch, status: outcome === 'DENIED' ? 'DENIED' : 'SUCCESS' }, outcome === 'DENIED' ? 'FAILED' : outcome);
    const { status } = this.#book.batch(id) ?? batch;
    this.#messages.report(
      `PAYMENT.PAYOUTSBATCH.${status}`,
      'payouts',
      this.#shown.batch({ ...batch, status }),
      `Payouts batch is ${status}`,
    );
  }

  /** Sets the status of a payout's item, and moves the money accordingly. */
  become(batch: Batch, itemStatus: ItemStatus): Batch {
    const { code, value, fee, receiver } = batch;
    const was = batch.itemStatus;
    if (itemStatus === 'SUCCESS' && was !== 'SUCCESS') this.#book.move(receiver, code, centsOf(value));
    if (isOver(itemStatus) && !isOver(was)) {
      if (was === 'SUCCESS') this.#book.move(receiver, code, -centsOf(value));
      this.#book.move(this.#desk, code, centsOf(value) + centsOf(fee));
    }
    const next: Batch = { ...batch, itemStatus };
    this.#book.put('batch', next);
    const kind =
      { SUCCESS: 'SUCCEEDED', ONHOLD: 'HELD', REVERSED: 'REFUNDED', PENDING: 'HELD' }[itemStatus as string] ?? itemStatus;
    this.#messages.report(
      `PAYMENT.PAYOUTS-ITEM.${kind}`,
      'payouts_item',
      this.#shown.item(next),
      `A payout item is ${itemStatus}`,
    );
    return next;
  }
}

/** True if the money has returned to the sender. */
const isOver = (status: ItemStatus): boolean => ['FAILED', 'RETURNED', 'BLOCKED', 'REFUNDED', 'REVERSED'].includes(status);

/** Returns the outcome that the receiver's name requests: `unclaimed-7@…`, `blocked@…`; success for other names. */
function outcomeFor(receiver: string): ItemStatus | 'DENIED' {
  const [name = ''] = receiver.split(/[@+.\d-]/);
  const outcomes: Record<string, ItemStatus | 'DENIED'> = {
    ...{ unclaimed: 'UNCLAIMED', blocked: 'BLOCKED', failed: 'FAILED', denied: 'DENIED', returned: 'RETURNED', onhold: 'ONHOLD' },
    ...{ refunded: 'REFUNDED', reversed: 'REVERSED' },
  };
  return outcomes[name.toLowerCase()] ?? 'SUCCESS';
}
