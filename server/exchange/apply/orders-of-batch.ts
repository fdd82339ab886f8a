import type { StoredOrder } from '../order/store/order-store.ts';

/** The orders of a batch in their current state, by id: locked ones by age, then new ones. */
export class OrdersOfBatch extends Map<string, StoredOrder> {
  /** Ids of the orders that have a payment, or had it during this batch, by payment. */
  readonly #paidBy = new Map<string, Set<string>>();

  override set(id: string, order: StoredOrder): this {
    for (const payment of order.view.payments) {
      const holders = this.#paidBy.get(payment.id);
      if (holders) holders.add(id);
      else this.#paidBy.set(payment.id, new Set([id]));
    }
    return super.set(id, order);
  }

  /**
   * Returns the orders that have a payment, or had it during this batch. The index avoids a search through the batch in the usual
   * case of one order per payment.
   */
  withPayment(payin: string): readonly StoredOrder[] {
    const ids = this.#paidBy.get(payin);
    if (!ids) return [];
    if (ids.size > 1) return [...this.values()].filter(({ view }) => ids.has(view.id));
    return [...ids].flatMap((id) => this.get(id) ?? []);
  }
}
