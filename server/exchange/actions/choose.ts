// Carries out a customer's choice about a short, extra, late, refused or unclaimed payment.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { UnitOfWork, alone } from '../../collecting/index.ts';
import { redirectOut } from '../../moneyout/index.ts';
import type { Db, Sealer, Tx } from '../../platform/index.ts';
import { stopSending } from '../apply/apply-payout.ts';
import { Batch } from '../apply/batch.ts';
import { clearSideAccount } from '../calculation/check-account.ts';
import { type SteppedUp, spendCode, stepUpByFactor, tryCode } from '../../auth/index.ts';
import { openDesk } from '../apply/desk-state.ts';
import type { OrderEvent } from '../order/events/events.ts';
import { allowance } from '../apply/fire-timers.ts';
import type { Sender } from '../letters/letters.ts';
import { decide } from '../machine/machine.ts';
import { isOffered, lacksOffer, makeOffer } from '../machine/offers.ts';
import { ORDER_CODE } from '../order/kinds.ts';
import { type OrderView, type PendingAccount, type SideAccount, sends } from '../order/order.ts';
import { nameDirection, requireOpenDirection } from './name-direction.ts';
import { type StoredOrder, lockOrder } from '../order/store/order-store.ts';
import { worthNow } from '../order/money/order-worth.ts';
import { isPaused } from '../apply/paused-payouts.ts';
import { cents, settings } from '../machine/settings.ts';
import { orderByToken } from '../views/track.ts';

export interface ChooseDeps {
  readonly db: Db;
  readonly sender: Sender;
  /** Decrypts stored second-factor secrets, to confirm that a wallet's money goes to another account. */
  readonly sealer: Sealer;
}

type ChooseInput = Input<Routes['orderChoose']>;
/** A choice that is an event of the machine. */
type MachineChoice = Exclude<ChooseInput['choice'], 'name_direction'>;

/** The only choice that needs no mailed code: the money goes to the account that the order already has. */
const WITHOUT_CODE = new Set<ChooseInput['choice']>(['continue']);
const HOUR = 3_600_000;

/**
 * Carries out a choice. Locks the order's row, as the desk's actions do, so that of two concurrent decisions the first wins.
 * Throws `order_not_found`, `order_changed`, `choice_not_open`, `offer_expired`, `code_*`, `account_refused`, and `validation` on
 * the account's fields and on `to`. If money from a wallet goes to another account, throws also `two_factor_*` and the errors of
 * `redirectOut`.
 */
export async function choose(deps: ChooseDeps, input: ChooseInput): Promise<StoredOrder> {
  const { db, sender } = deps;
  const seen = await orderByToken(db, sender.tokens, input);
  if (seen.email === '') throw new Problem('choice_not_open');
  const account = await accountOf(db, seen.view, input);
  const redirect = await redirecting(deps, seen.view, input, account);
  const coded = !WITHOUT_CODE.has(input.choice);
  const code = { purpose: ORDER_CODE, subject: seen.view.id, handle: input.handle };
  if (coded) {
    // Runs the choice before the code is tried: a choice that is refused must not use up one of the code's tries.
    await rehearse(db, async (tx) => {
      await redirect?.(tx);
      await take(new UnitOfWork(tx), sender, input, account);
    });
    await tryCode(db, code, input.otp);
  }
  return alone(db, async (unit) => {
    await redirect?.(unit.tx);
    if (coded) await spendCode(unit.tx, code);
    const batch = await take(unit, sender, input, account);
    // Another order may have been promised the offered money in the meantime.
    await batch.save('choice_not_open');
    return batch.order(seen.view.id);
  });
}

/**
 * Returns the check of a choice by which a wallet's money goes to another account. The check requires the proofs of moneyout, in
 * addition to the mailed code. Undefined if the order was not paid from a wallet, or no account is named.
 */
async function redirecting(
  deps: ChooseDeps,
  { id, pinned, give, get }: OrderView,
  { two_factor_code }: ChooseInput,
  account: SideAccount | undefined,
): Promise<((tx: Tx) => Promise<void>) | undefined> {
  const holderId = pinned.wallets?.give;
  const currency = account?.side === 'get' ? get?.currency : give.currency;
  if (holderId === undefined || account === undefined || currency === undefined) return undefined;
  const stepped: SteppedUp = await stepUpByFactor(deps, { holderId, whose: `order ${id}` }, two_factor_code);
  return (tx) => redirectOut(tx, stepped, { holderId, to: { currency, key: account.key }, field: 'account' });
}

/** Runs `work` in a transaction, and rolls the transaction back. Throws the errors of `work`. */
async function rehearse(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const done = new Error('rehearsed');
  const undo = async (tx: Tx): Promise<void> => {
    await work(tx);
    throw done;
  };
  await db.tx(undo).catch((error: unknown) => {
    if (error !== done) throw error;
  });
}

/** Decides a choice; the caller saves the batch. */
async function take(unit: UnitOfWork, sender: Sender, input: ChooseInput, account: SideAccount | undefined): Promise<Batch> {
  const { tx } = unit;
  const order = await lockOrder(tx, input.id);
  if (!order) throw new Problem('order_not_found');
  if (input.choice === 'name_direction')
    return nameDirection(unit, sender, order, { currency: input.to ?? '', account: required(account) });
  const { id } = order.view;
  const batch = new Batch(unit, await openDesk(tx, [order]), sender, [order]);
  if (input.choice === 'refund' && order.view.state === 'paying') await callOff(tx, batch, id);
  const event = eventOf(input.choice, input.offer ?? 0, account);
  const wait = account && waitOf(order.view, account);
  if (wait) {
    // If the machine refuses this choice, the customer learns it now, and not after the account's wait.
    const { refused } = decide(order.view, event, batch.context(id));
    if (refused !== undefined) throw refusal(refused);
    const from = new Date(tx.now.getTime() + wait);
    const pending = { event: event.type as PendingAccount['event'], account, from };
    const change = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, pending } });
    batch.note(id, 'account_waits', change, { who: 'C', body: { until: from.toISOString() } });
  } else {
    const given = input.choice === 'continue' || input.choice === 'new_order' ? await allowance(tx, order) : {};
    const outcome = batch.decide(id, event, { who: 'C' }, given);
    if (outcome.refused !== undefined) throw refusal(outcome.refused);
  }
  return batch;
}

/** Events that call off a payout that no worker has taken yet: stop it, reverse the exchange, ask the customer to choose again. */
const CALL_OFF = [{ type: 'stop' }, { type: 'op_hold' }, { type: 'release', isCustomerAsked: true }] as const;

/**
 * Calls off a paused payout. Throws `choice_not_open` if the payout is not paused (`isPaused`), or the worker has taken the
 * payout meanwhile.
 */
async function callOff(tx: Tx, batch: Batch, id: string): Promise<void> {
  const isOff = (await isPaused(tx, batch.order(id).view, tx.now)) && (await stopSending(tx, batch, id));
  if (!isOff) throw new Problem('choice_not_open');
  for (const event of CALL_OFF) {
    const { refused } = batch.decide(id, event, { who: 'S', why: 'sends are paused' });
    if (refused !== undefined) throw refusal(refused);
  }
}

function eventOf(choice: MachineChoice, offer: number, account: SideAccount | undefined): OrderEvent {
  switch (choice) {
    case 'continue':
      return { type: 'choose_continue', offer };
    case 'new_order':
      return { type: 'choose_new_order', offer };
    case 'take_back':
      return { type: 'take_back', offer };
    case 'refund':
      return { type: 'choose_refund' };
    case 'give_route':
      return { type: 'give_route', account: required(account) };
    case 'new_account':
      return { type: 'new_account', account: required(account) };
    case 'claim_give':
    case 'claim_get':
      return { type: 'claim', account: required(account) };
  }
}

function required(account: SideAccount | undefined): SideAccount {
  if (!account) throw new Problem('validation', { errors: { account: { code: 'required' } } });
  return account;
}

/**
 * Checks and screens the account that a choice names. The choice determines the order's side that the account serves. No
 * transaction may be open.
 */
async function accountOf(db: Db, view: OrderView, { choice, account, to }: ChooseInput): Promise<SideAccount | undefined> {
  if (choice === 'name_direction')
    return clearSideAccount(db, { currency: requireOpenDirection(view, to), side: 'get' }, account);
  const side = sideOf(view, choice);
  const currency = side && view[side]?.currency;
  return side && currency !== undefined ? clearSideAccount(db, { currency, side }, account) : undefined;
}

function sideOf(view: OrderView, choice: ChooseInput['choice']): SideAccount['side'] | undefined {
  if (choice === 'give_route' || choice === 'claim_give') return 'give';
  if (choice === 'claim_get') return 'get';
  if (choice === 'new_account') return sends(view) === 'payout' ? 'get' : 'give';
  return undefined;
}

/**
 * Returns how long a changed account waits before money goes to it, in ms, so that the order's customer can notice the change.
 * The account waits if the order's money is worth more than a set amount, or if the worth is unknown. The first account of a side
 * doesn't wait.
 */
function waitOf(view: OrderView, { side }: SideAccount): number {
  const known = side === 'get' ? view.receive : view.refund;
  const worth = worthNow(view);
  const waits = known !== undefined && (worth === undefined || worth > cents('exchange.account_wait_usd'));
  return waits ? settings.get('exchange.account_wait_hours') * HOUR : 0;
}

function refusal(code: 'order_changed' | 'choice_not_open' | 'offer_expired' | 'action_not_open' | 'not_due'): Problem {
  return new Problem(code === 'action_not_open' || code === 'not_due' ? 'choice_not_open' : code);
}

/**
 * Returns the order with a valid offer if its customer has to choose. There is one offer at a time, for three minutes, so that
 * nobody can wait for the best of several. Returns the order unchanged if there is nothing to offer.
 */
export async function withOffer({ db, sender }: Pick<ChooseDeps, 'db' | 'sender'>, seen: StoredOrder): Promise<StoredOrder> {
  if (!isOffered(seen.view) || !lacksOffer(seen.view, await db.now())) return seen;
  return alone(db, async (unit) => {
    const { tx } = unit;
    const order = await lockOrder(tx, seen.number);
    if (!order || !lacksOffer(order.view, tx.now)) return order ?? seen;
    const batch = new Batch(unit, await openDesk(tx, [order]), sender, [order]);
    // If nothing can be offered regardless of limits, the limits aren't read.
    if (!makeOffer(order.view, batch.context(order.view.id, { allows: () => true }))) return order;
    const offer = makeOffer(order.view, batch.context(order.view.id, await allowance(tx, order)));
    if (!offer) return order;
    const change = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, offer, offers: offer.number } });
    batch.revise(order.view.id, change);
    await batch.save();
    return batch.order(order.view.id);
  });
}
