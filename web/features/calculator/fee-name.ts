import { m } from '../words.ts';

/** Returns the name of a discount by its code. */
export function discountName(code: string): string {
  switch (code) {
    case 'credit':
      return m.fee_credit();
    case 'late':
      return m.fee_late();
    case 'coupon':
      return m.fee_coupon();
    case 'friend':
      return m.fee_friend();
    case 'loyalty':
      return m.fee_loyalty();
    default:
      return m.slip_discount();
  }
}

/** Returns the name of a fee or cost by its code, with its percentage if it has one. */
export function feeName(code: string, percent?: string): string {
  switch (code) {
    case 'fee':
      return percent === undefined ? m.fee_own_least() : m.fee_own({ percent });
    case 'sweep':
      return m.fee_sweep();
    case 'payin':
      return m.fee_payin();
    case 'payout':
      return m.fee_payout();
    case 'network':
      return m.fee_network();
    default:
      return m.fee_other({ code });
  }
}
