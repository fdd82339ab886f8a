import { m } from '../words.ts';

/** The name of a price line, with its percentage where it has one. */
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
    case 'fees':
      return m.fee_sum();
    case 'costs':
      return m.fee_costs();
    default:
      return m.fee_other({ code });
  }
}
