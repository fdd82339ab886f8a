// Checks a node of the exploration against the rules, and recognises equal nodes. For tests.

import type { PayoutStatus } from '../../payments/index.ts';
import { asPosted, ownAccounts } from '../machine/postings.ts';
import { countingFault } from './order-counts.testing.ts';
import { CUSTODY_GIVEN, CUSTODY_GOT, END, type Node, shown } from './order-world.testing.ts';

const MAY_STAND = {
  unclaimed: ['unclaimedIn', 'unclaimedOut'],
  frozen: ['frozen'],
  charged_back: ['receivable', 'loss'],
} as const;

/** Statuses of a payout in which its money has left custody in the books. */
const BOOKED: ReadonlySet<PayoutStatus> = new Set(['sent', 'final']);

/** Returns a violation of the rules at a node, in words; undefined if there is none. `rests`: the order is in a final state. */
export function faultOf({ order, books, sending, ...node }: Node, rests: boolean): string | undefined {
  const { positions, state } = order;
  if (node.payouts + node.refunds > 1) return 'two sends out at once';
  const intentId = sending?.transfer.intent ?? '';
  const posted = asPosted(
    order,
    node.undelivered.map((event) => ({ event, intentId })),
  );
  for (const [name, ref] of Object.entries(ownAccounts(order))) {
    if (ref && shown(books, ref) !== posted.positions[name as keyof typeof positions])
      return `${name} is not what its account holds`;
  }
  // The books contain a send or a return only after the payments room knows of it.
  const booked = sending && BOOKED.has(sending.status) ? sending.transfer.parts : 0n;
  const done = sending?.truth === 'done' ? sending.transfer.parts : 0n;
  const away = (kind: 'payout' | 'refund') => (sending?.transfer.kind === kind ? done - booked : 0n);
  if (shown(books, CUSTODY_GIVEN) - node.holdsGive !== away('refund'))
    return 'the books of the currency given differ from the rail';
  if (shown(books, CUSTODY_GOT) - node.holdsGet !== away('payout')) return 'the books of the currency got differ from the rail';
  const received = order.payments.reduce((sum, each) => (each.status === 'final' ? sum + each.parts : sum), 0n);
  if (node.paid + node.refunded > received + node.repaid + positions.receivable + positions.loss)
    return 'more given than received, and not owed';
  const counting = countingFault(order, node.isCounted, rests);
  if (counting) return counting;
  if (rests) {
    const may = (MAY_STAND as Record<string, readonly string[]>)[state] ?? [];
    for (const [name, parts] of Object.entries(positions)) {
      if (parts !== 0n && !may.includes(name)) return `at rest in ${state} with money in ${name}`;
    }
    if (state === 'unclaimed' && positions.unclaimedIn + positions.unclaimedOut === 0n) return 'unclaimed without money';
  }
  return undefined;
}

/**
 * Returns a key that is equal for nodes from which the same steps follow. The desk's total money is left out, and so is the
 * sequence of payments.
 */
export function keyOf({ order, sending, books, ...node }: Node): string {
  const { positions: p, facts: f } = order;
  const payments = order.payments.map((each) => `${each.parts}${each.status[0]}${each.seenAt === END ? 'l' : ''}`).sort();
  const exchanged = f.exchange ? f.exchange.give : '';
  return [
    order.kind,
    order.state,
    payments.join(),
    p.in,
    p.out,
    p.reserve,
    p.transfer,
    p.unclaimedIn,
    p.unclaimedOut,
    p.frozen,
    p.receivable,
    p.loss,
    `${f.isCounted}`,
    +node.isCounted,
    +f.isLate,
    +f.hasLowerRate,
    +f.askMe,
    +f.isAsked,
    +f.isFreeRefund,
    f.hold?.cause,
    +!!f.hold?.papers,
    f.approval && +!!f.approval.clearingUntil,
    f.tries,
    order.state === 'undelivered' && f.isTransient,
    f.transfer?.kind,
    f.transfer?.cost,
    f.sent?.kind,
    f.sent?.parts,
    f.ended,
    exchanged,
    +!!order.refund,
    sending?.status,
    sending?.truth,
    +!!sending?.rail.canLookUp,
    +!!sending?.rail.hasMemory,
    sending?.transfer.kind,
    sending?.transfer.parts,
    node.undelivered.join(),
    node.paid,
    node.refunded,
    node.repaid,
    node.payouts,
    node.refunds,
    // In a correct node, the balances of the order's accounts follow from the other values. They are included so that a faulty
    // node is not mistaken for a correct one.
    ...Object.values(ownAccounts(order, sending?.transfer)).map((ref) => ref && shown(books, ref)),
    node.left.pays,
    node.left.reversals,
    node.left.wins,
    node.left.returns,
  ].join('|');
}
