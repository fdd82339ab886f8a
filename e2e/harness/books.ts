import type { Client } from '@kurs/contract/client';
import { type Chains, partsOf } from '../customers/chains.ts';
import type { Exchange } from '../customers/customer.ts';
import { deskOf } from './desk.ts';
import { type System, until } from './system.ts';

type DeskOrder = Awaited<ReturnType<Client['operatorOrder']>>;

/** An order's money arrives in one of these, out of nothing that we had. */
const ARRIVES = /^(order:[^:]+:in|unallocated):/;
const CUSTODY = /^custody:/;

/**
 * Waits until the books have credited of each order's address what the chain shows there, to the last unit: with its
 * unallocated payments, each payment once, and less what the chain took back. The ledger's own proof can't see a payment credited twice.
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

/** What was credited of an order's payments and of those that became unallocated payments, less what was taken back. */
async function creditedOf(desk: Client, id: string): Promise<bigint> {
  const found = await desk.operatorOrder({ id });
  const related = await Promise.all(found.order.related.map(({ id: other }) => desk.operatorOrder({ id: other })));
  return [found, ...related].reduce((sum, one) => sum + ownCredit(one), 0n);
}

function ownCredit({ order, state, postings }: DeskOrder): bigint {
  const { currency } = order.give;
  const booked = postings.reduce((sum, { kind, from, to, amount }) => {
    // What we had sent and got back arrived at no customer's address.
    if (kind === 'returned') return sum;
    if (CUSTODY.test(from) && ARRIVES.test(to)) return sum + partsOf(currency, amount);
    return ARRIVES.test(from) && CUSTODY.test(to) ? sum - partsOf(currency, amount) : sum;
  }, 0n);
  // Taken back when it was spent already: the customer owes it, their order's accounts don't show it.
  const owed = state === 'charged_back' ? order.transfers.filter(({ status }) => status === 'reversed') : [];
  return owed.reduce((sum, { money }) => sum - partsOf(currency, money.amount), booked);
}
