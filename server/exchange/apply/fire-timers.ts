import { Problem, type ProblemCode } from '@kurs/contract';
import { money } from '@kurs/money';
import { reserveLimits, shownHolder } from '../../compliance/index.ts';
import type { Tx } from '../../platform/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import type { Batch } from './batch.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { decide } from '../machine/machine.ts';
import type { OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { isPaused } from './paused-payouts.ts';
import { timersOf } from '../machine/timers.ts';
import { whatStopsAccount } from './payout-obstacles.ts';
import { payerHistory } from '../calculation/payer-history.ts';

const SYSTEM = { who: 'S' } as const;

/**
 * Handles everything that is due on an order. The batch must have run `readDesk`. Applies an account whose wait is over, or a
 * freeze that waited for a send to fail; otherwise tries the machine's timers in sequence. If none of them applies, mails once
 * about a late order that doesn't go on automatically, or about a payout whose sends are switched off. Reminds of unclaimed
 * money.
 */
export async function fireTimers(tx: Tx, batch: Batch, id: string): Promise<void> {
  if ((await followPending(tx, batch, id)) || followFreeze(batch, id)) return;
  const { view } = batch.order(id);
  for (const type of timersOf(view)) {
    // The limits are read only if all other conditions of the event are met.
    const isBetter =
      type === 'go_on_better' && decide(view, { type }, batch.context(id, { allows: () => true })).refused === undefined;
    const given = isBetter ? await allowance(tx, batch.order(id)) : {};
    if (batch.decide(id, { type }, SYSTEM, given).refused === undefined) return;
  }
  if (view.state === 'choosing' && view.facts.isLate && !view.facts.isAsked) {
    batch.note(id, 'asked', withFacts({ isAsked: true }), SYSTEM);
    batch.letter(id, 'needs_you', 'choosing');
  }
  if (view.state === 'unclaimed') remind(batch, id);
  if (view.state === 'paying') await reportPaused(tx, batch, id);
}

/**
 * Applies a changed account whose wait is over. If money may not go to the account, drops the account and asks the customer
 * again. Also drops the account if the machine no longer accepts the change. Returns false if no account was due or the machine
 * refused.
 */
async function followPending(tx: Tx, batch: Batch, id: string): Promise<boolean> {
  const order = batch.order(id);
  const { pending } = order.view.facts;
  if (!pending || pending.from > tx.now) return false;
  const { event: type, account } = pending;
  const event: OrderEvent = { type, account };
  const forgotten = withFacts({ pending: undefined });
  const stop = await whatStopsAccount(tx, order, account, tx.now);
  if (stop) {
    batch.note(id, 'account_stopped', forgotten, { who: 'S', why: stop.code });
    batch.letter(id, 'needs_you', `account ${order.view.version}`);
    return true;
  }
  batch.revise(id, forgotten);
  return batch.decide(id, event, { who: 'C', why: 'the wait for a changed account is over' }).refused === undefined;
}

function followFreeze(batch: Batch, id: string): boolean {
  const { isFreezePending, transfer } = batch.order(id).view.facts;
  if (!isFreezePending || transfer) return false;
  return batch.decide(id, { type: 'freeze' }, { who: 'K2', why: 'noted while a send was out' }).refused === undefined;
}

function remind(batch: Batch, id: string): void {
  const { facts } = batch.order(id).view;
  const reminded = facts.reminded + 1;
  batch.revise(id, withFacts({ reminded }));
  batch.letter(id, 'needs_you', `unclaimed ${reminded}`);
}

/** Notifies the customer of a payout whose sends have been switched off for a day: they may take a refund instead. */
async function reportPaused(tx: Tx, batch: Batch, id: string): Promise<void> {
  const asked = withFacts({ isAsked: true });
  if (!(await isPaused(tx, batch.order(id).view, tx.now))) return batch.revise(id, asked);
  batch.note(id, 'asked', asked, SYSTEM);
  batch.letter(id, 'needs_you', 'paused');
}

const withFacts =
  (facts: Partial<OrderView['facts']>) =>
  (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, ...facts } });

/** Problems by which limits refuse an exchange of an amount. */
const NOT_ALLOWED: ReadonlySet<ProblemCode> = new Set(['validation', 'direction_closed', 'level_needed']);

/**
 * Returns the machine's `allows`: true if the customer's limits, raised by 10 %, allow an exchange of the amount that arrived. If
 * so, the amount is added to the limits. Reads no limits for an order that can't go on anyway, or that was added to the limits at
 * the placing.
 */
export async function allowance(tx: Tx, order: StoredOrder): Promise<Partial<Context>> {
  const { view, email, holderId, device, ip } = order;
  const { give, get, receive, refund, positions } = view;
  const snapshot = latest();
  if (!view.facts.isLate && view.kind === 'order') return { allows: () => true };
  if (!snapshot || !get || !receive || positions.in === 0n) return {};
  const accounts = [`${get.currency}:${receive.key}`, ...(refund ? [`${give.currency}:${refund.key}`] : [])];
  try {
    const worth = usdValue(snapshot, money(give.unit, positions.in));
    const subject = { email, accounts, device, ip, holder: await shownHolder(tx, holderId) };
    const payer = await payerHistory(tx, give.currency, subject);
    await reserveLimits(tx, subject, worth, { kind: 'order', id: view.id }, { slackPercent: 10, payer });
    return { allows: (parts) => parts <= positions.in };
  } catch (error) {
    if (error instanceof Problem && NOT_ALLOWED.has(error.code)) return {};
    throw error;
  }
}
