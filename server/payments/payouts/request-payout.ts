import { type Statements, type Tx, wake } from '../../platform/index.ts';
import type { Fields } from '../../rails/rail.ts';
import type { PayoutPurpose } from '../rails/event-bodies.ts';
import type { Owner } from '../rails/owner.ts';
import type { PayoutBooks } from './rows/payout-accounts.ts';
import { insertPayouts, isRequestedBefore, isQueued, stopQueued } from './rows/payout-store.ts';
import { carrierOf, payinOf } from '../rails/registry.ts';
import { stir } from '../rails/rails-to-ask.ts';
import { openRestore } from '../restored/restored-mode.ts';
import { unrecordedSends } from '../unrecorded/unrecorded-sends.ts';

export interface RequestPayout {
  /**
   * Id of the intent and of the payout. It is also the rail's reference, and part of the name of the ledger account that the
   * payout is paid from.
   */
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Fields;
  readonly purpose: PayoutPurpose;
  /**
   * Party that owes the money if it is paid twice; absent if the owner is that party. For a wallet's payout: the account holder.
   */
  readonly party?: string;
  /**
   * Customer to whom the money belongs, by the same key as for pay-ins; absent if the party is the customer. For an order's
   * payout: the order's customer.
   */
  readonly customer?: string;
  /** Accounts and kinds of the journals that the payments room posts for this payout. The owner posts the intent itself. */
  readonly books?: PayoutBooks;
}

/** Queues one payout. Throws as `requestPayouts` does. */
export function requestPayout(tx: Tx, request: RequestPayout): Promise<void> {
  return requestPayouts(tx, [request]);
}

/**
 * Queues payouts. From then on, events report the progress of each payout. Changes nothing for an id that is queued already with
 * the same content. Queues a stopped payout again. Throws for an id with other content, an unknown currency, a wrong unit, an
 * amount of 0, or an account that the rail refuses. Each of these is a fault of the caller, who must have checked the request.
 */
export async function requestPayouts(tx: Tx, requests: readonly RequestPayout[]): Promise<void> {
  if (requests.length === 0) return;
  const payouts = requests.map((request) => {
    const { info, rail } = carrierOf(request.currency);
    const account = payinOf(rail).checkAccount(request.currency, request.to);
    if (!account.ok) throw new Error(`The payout ${request.id} goes to no account: ${account.field} ${account.problem}`);
    if (request.unit !== info.unit) throw new Error(`${request.currency} is counted in ${info.unit}, not ${request.unit}`);
    if (request.parts <= 0n) throw new Error(`The payout ${request.id} is of nothing`);
    return { ...request, rail: rail.id, to: account.fields, key: account.key };
  });
  const other = await insertPayouts(tx, payouts);
  if (other.length > 0) throw new Error(`Requested before with other content: ${other.join(', ')}`);
  tx.afterCommit(() => {
    for (const { rail } of payouts) stir(rail);
    wake('payments');
  });
}

/** True if a payout could be stopped now, because nothing was signed for it. */
export async function canStop(db: Statements, id: string): Promise<boolean> {
  return (await isQueued(db, id)) && !(await mayHaveLeft(db, id));
}

/**
 * Stops a payout. Returns false if the worker has claimed the payout, if the payout has ended, or if another copy of this
 * database may have sent it.
 */
export async function stopPayout(tx: Tx, id: string): Promise<boolean> {
  return !(await mayHaveLeft(tx, id)) && stopQueued(tx, id);
}

/**
 * True if another copy of this database may have sent a payout. This is so if the payout was requested before a restore that has
 * not ended, or if an unrecorded send is matched to it.
 */
async function mayHaveLeft(db: Statements, id: string): Promise<boolean> {
  const open = await openRestore(db);
  if (open && (await isRequestedBefore(db, id, open.at))) return true;
  return (await unrecordedSends(db, { state: 'open' })).some(({ payoutId }) => payoutId === id);
}
