import type { Client } from '@kurs/contract/client';
import { type Chains, partsOf } from '../customers/chains.ts';
import type { Exchange } from '../customers/customer.ts';
import { deskOf } from './desk.ts';
import { type System, until } from './system.ts';

type DeskOrder = Awaited<ReturnType<Client['operatorOrder']>>;

/** Accounts of the ledger to which an order's payments are credited. */
const ARRIVES = /^(order:[^:]+:in|unallocated):/;
const CUSTODY = /^custody:/;

/**
 * Waits until the ledger has credited for each order's address exactly what the chain shows there, including unallocated payments
 * and without transfers that the chain reverted. The ledger's own check can't detect a payment that was credited twice.
 */
export async function creditedAsArrived(system: System, chains: Chains, exchanges: readonly Exchange[]): Promise<void> {
  const desk = await deskOf(system, 'olga');
  for (const { order } of exchanges) {
    const { address, currency } = order.pay as { address: string; currency: string };
    let seen = '';
    await until(`the books to agree with the chain about ${order.id}`, 60_000, async () => {
      const [arrived, credited] = await Promise.all([chains.arrived(currency, address), creditedOf(desk, order.id)]);
      seen = `${credited} credited, ${arrived} arrived`;
      return credited === arrived;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${seen}`, { cause: error });
    });
  }
}

/** Returns the sum of the credits of an order and of its unallocated payments, minus what was reversed. */
async function creditedOf(desk: Client, id: string): Promise<bigint> {
  const found = await desk.operatorOrder({ id });
  const related = await Promise.all(found.order.related.map(({ id: other }) => desk.operatorOrder({ id: other })));
  return [found, ...related].reduce((sum, one) => sum + ownCredit(one), 0n);
}

function ownCredit({ order, state, postings }: DeskOrder): bigint {
  const { currency } = order.give;
  const booked = postings.reduce((sum, { kind, from, to, amount }) => {
    // A returned payout or refund arrived at no customer's address.
    if (kind === 'returned') return sum;
    if (CUSTODY.test(from) && ARRIVES.test(to)) return sum + partsOf(currency, amount);
    return ARRIVES.test(from) && CUSTODY.test(to) ? sum - partsOf(currency, amount) : sum;
  }, 0n);
  // A payment that was reversed after its amount was spent: the customer owes it, and the order's accounts don't show it.
  const owed = state === 'charged_back' ? order.transfers.filter(({ status }) => status === 'reversed') : [];
  return owed.reduce((sum, { money }) => sum - partsOf(currency, money.amount), booked);
}
