// Transfers from one holder's wallet into another's. They are immediate, and no money leaves the desk. Concurrent transfers share
// one transaction, in which each succeeds or is refused as a whole.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Money, format } from '@kurs/money';
import {
  type Confirming,
  type Holder,
  type StepUpRequest,
  type SteppedUp,
  emailKey,
  holdersByEmail,
  holdersById,
  openAmong,
  stepUpAll,
} from '../../auth/index.ts';
import { type Member, inGroups } from '../../collecting/index.ts';
import { shownOf, stopsOf } from '../../compliance/index.ts';
import { accounts, balances, leg } from '../../ledger/index.ts';
import { MONEY_OUT, type Passed, WALLET, confirmationOf, passOut, takeBackOut } from '../../moneyout/index.ts';
import { type Context, type Tx, gather, storeAnswers, newId } from '../../platform/index.ts';
import { senderNamed } from './person.ts';
import { TRANSFER } from '../kinds.ts';
import { openWallets } from '../store.ts';
import { addTransfers } from '../transfer-store.ts';
import { type WithdrawDeps, sumOf, worthOf } from './withdraw.ts';

type TransferInput = Input<Routes['walletTransfer']>;
type TransferResult = Output<Routes['walletTransfer']>;
type Sender = { readonly id: string; readonly email: string } & Confirming;

/** Returns the value that a mailed code must be bound to in order to confirm a transfer. */
export const transferConfirmation = (
  holder: { readonly id: string },
  { currency, amount, to }: Pick<TransferInput, 'currency' | 'amount' | 'to'>,
): string => confirmationOf(['transfer', holder.id, currency, sumOf(currency, amount).parts.toString(), emailKey(to)]);

/** A transfer that its sender has confirmed. */
interface Confirmed {
  readonly sender: Sender;
  readonly input: TransferInput;
  readonly sum: Money;
  readonly usd: Money<'USD'>;
  readonly stepped: SteppedUp;
  readonly context: Context;
}

/** A transfer that its sender must confirm before the transaction begins. */
interface Confirmation extends StepUpRequest {
  readonly sum: Money;
}

/**
 * Returns a function that moves money into another holder's wallet. The caller learns only after the step-up if the address has
 * an account. Throws `validation`, the errors of `stepUp` and `passOut`, `no_such_holder`, `account_refused` if people have
 * blocked the receiver, and `not_enough_money`.
 */
export function openTransfers(
  deps: WithdrawDeps,
): (sender: Sender, input: TransferInput, context: Context) => Promise<TransferResult> {
  const confirmed = gather((requests: readonly Confirmation[]) => confirmAll(deps, requests));
  const moved = inGroups(deps.db, moveAll, { keysOf: ({ sender }) => [sender.id] });
  return async (sender, input, context) => {
    const sum = sumOf(input.currency, input.amount);
    if (sum.parts <= 0n) throw fieldProblem('amount', 'amount_format');
    if (emailKey(input.to) === emailKey(sender.email)) throw fieldProblem('to', 'own_wallet');
    const usd = worthOf(sum);
    const what = { purpose: MONEY_OUT, about: transferConfirmation(sender, input) };
    const stepped = await confirmed({ who: sender, given: input, what, sum });
    if (stepped.status === 'rejected') throw stepped.reason;
    const done = await moved({ sender, input, sum, usd, context, stepped: stepped.value });
    if (!done) throw new Problem('no_such_holder');
    return done;
  };
}

/**
 * Carries out the step-ups of senders whose wallets cover their transfers. Other senders are refused before their code is used
 * up.
 */
async function confirmAll(deps: WithdrawDeps, requests: readonly Confirmation[]): Promise<PromiseSettledResult<SteppedUp>[]> {
  const wallets = requests.map(({ who, sum }) => accounts.wallet(who.id, sum.unit));
  const there = await balances(deps.db, wallets);
  const able = requests.filter(({ sum }, at) => (there[at] ?? 0n) >= sum.parts);
  const stepped = new Map((await stepUpAll(deps, able)).map((outcome, at) => [able[at], outcome]));
  return requests.map((one) => stepped.get(one) ?? { status: 'rejected', reason: new Problem('not_enough_money') });
}

/** A transfer of the group, with its id and its receiver. */
interface Moving extends Member<Confirmed> {
  readonly id: string;
  readonly receiver: Holder | undefined;
}

/** Moves the money of each transfer that passes the checks. Returns undefined for a transfer whose address has no account. */
async function moveAll(tx: Tx, members: readonly Member<Confirmed>[]): Promise<(TransferResult | undefined | Problem)[]> {
  const receivers = await holdersByEmail(
    tx,
    members.map(({ request }) => request.input.to),
  );
  const all = members.map((one): Moving => ({ ...one, id: newId(), receiver: receivers.get(emailKey(one.request.input.to)) }));
  const whole = all.filter(({ receiver }) => !receiver?.isAltered);
  const passed = new Map((await passOut(tx, whole.map(passingOf))).map((outcome, at) => [whole[at], outcome]));
  const moving = whole.filter((one) => !(passed.get(one) instanceof Problem));
  // A transfer to an address without an account leaves no sum in the limits. Its code stays used up, so that one code reveals
  // only one address.
  await takeBackOut(
    tx,
    moving.filter(({ receiver }) => !receiver).map(({ id }) => id),
  );
  const done = await move(tx, moving);
  const altered = (one: Moving): Problem | undefined => (one.receiver?.isAltered ? new Problem('record_altered') : undefined);
  return all.map((one) => altered(one) ?? problemIn(passed.get(one)) ?? done.get(one));
}

const problemIn = (outcome: Passed | Problem | undefined): Problem | undefined =>
  outcome instanceof Problem ? outcome : undefined;

const passingOf = ({ id, receiver, request: { sender, input, usd, stepped, context } }: Moving) => {
  const to = receiver && { currency: WALLET, key: receiver.id };
  const { deviceKey: device, ip } = context;
  const action = {
    id,
    kind: TRANSFER,
    holder: sender,
    usd,
    unit: input.currency,
    to,
    field: 'to',
    isOutgoing: false,
    device,
    ip,
  } as const;
  return { stepped, action };
};

/** Stores the transfers with their responses, and adds a journal to the unit of work of each. */
async function move(tx: Tx, moving: readonly Moving[]): Promise<Map<Moving, TransferResult>> {
  const found = moving.flatMap((one) => (one.receiver ? [{ one, receiver: one.receiver }] : []));
  if (found.length === 0) return new Map();
  const done = new Map(found.map(({ one }) => [one, doneOf(one, tx.now)]));
  const receivers = found.map(({ receiver }) => receiver.id);
  await openWallets(
    tx,
    found.map(({ one, receiver }) => ({ holderId: receiver.id, unit: one.request.sum.unit })),
  );
  const senders = await holdersById(
    tx,
    found.map(({ one }) => one.request.sender.id),
  );
  await addTransfers(
    tx,
    found.map(
      ({
        one: {
          id,
          request: { sender, input, sum },
        },
        receiver,
      }) => {
        const fromNamed = senderNamed(senders.get(sender.id) ?? { ...sender, name: '' });
        return { id, from: sender.id, to: receiver.id, ...sum, note: input.note, fromNamed, toNamed: input.to.trim() };
      },
    ),
  );
  const [open, stops] = await Promise.all([
    openAmong(tx, receivers),
    stopsOf(
      tx,
      found.map(({ receiver }) => ({ email: '', accounts: [], holder: shownOf(receiver) })),
    ),
    storeAnswers(
      tx,
      [...done].flatMap(([{ request }, given]) => request.context.storedAnswer?.(given) ?? []),
    ),
  ]);
  for (const [at, { one, receiver }] of found.entries()) {
    const {
      id,
      unit: work,
      request: { sender, sum },
    } = one;
    // The receiver's account was closed while this transfer waited for its lock.
    if (!open.has(receiver.id)) work.abandon(new Problem('no_such_holder'));
    if (stops[at]?.code === 'blocked') work.abandon(new Problem('account_refused'));
    const moved = leg(accounts.wallet(sender.id, sum.unit), accounts.wallet(receiver.id, sum.unit), sum.parts);
    work.post({ id: newId(), kind: 'transfer', cause: id, legs: [moved] }, 'not_enough_money');
  }
  return done;
}

const doneOf = ({ id, request: { input, sum } }: Moving, at: Date): TransferResult => ({
  ...{ id, currency: input.currency, amount: format(sum), to: input.to, at: at.toISOString() },
});
