import { type Statements, type Tx, wake } from '../../platform/index.ts';
import type { Fields } from '../../rails/rail.ts';
import type { PayoutPurpose } from '../rails/event-bodies.ts';
import type { Owner } from '../rails/owner.ts';
import type { PayoutBooks } from './rows/payout-accounts.ts';
import { insertPayouts, isAskedBefore, isQueued, stopQueued } from './rows/payout-store.ts';
import { carrierOf, payinOf } from '../rails/registry.ts';
import { stir } from '../rails/rails-to-ask.ts';
import { openRestore } from '../restored/restored-mode.ts';
import { unrecordedSends } from '../unrecorded/unrecorded-sends.ts';

export interface RequestPayout {
  /** The intent's id: the payout's, the rail's reference, and part of the ledger account it is paid from. */
  readonly id: string;
  readonly owner: Owner;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Fields;
  readonly purpose: PayoutPurpose;
  /** Who would owe it if it were paid twice, where that isn't its owner: a wallet's holder. */
  readonly party?: string;
  /** Whose money it is, as pay-ins name their payers, where that isn't the party: an order's customer. */
  readonly customer?: string;
  /** What payments posts of it. The intent is in the owner's own journal. */
  readonly books?: PayoutBooks;
}

/** Queues one payout. As `requestPayouts`. */
export function requestPayout(tx: Tx, request: RequestPayout): Promise<void> {
  return requestPayouts(tx, [request]);
}

/**
 * Queues payouts; from then on events tell what becomes of each. An id that is queued already with the same content
 * changes nothing, and one that was stopped is queued again; with other content it throws, as do an unknown currency, a wrong
 * unit, an amount of no parts and an account that its rail refuses: such a request is a fault in the caller, who has checked
 * all of it before.
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

/** Could a payout be taken back as of now? Nothing was signed for it then. */
export async function canStop(db: Statements, id: string): Promise<boolean> {
  return (await isQueued(db, id)) && !(await mayHaveLeft(db, id));
}

/** Stops a payout. False: the worker already claimed it, it ended, or another copy of these books may have sent it. */
export async function stopPayout(tx: Tx, id: string): Promise<boolean> {
  return !(await mayHaveLeft(tx, id)) && stopQueued(tx, id);
}

/**
 * True while another copy of these books may have sent a payout: it was asked for before a restore that nobody has ended, or a
 * send was found that seems to be it.
 */
async function mayHaveLeft(db: Statements, id: string): Promise<boolean> {
  const open = await openRestore(db);
  if (open && (await isAskedBefore(db, id, open.at))) return true;
  return (await unrecordedSends(db, { state: 'open' })).some(({ payoutId }) => payoutId === id);
}
