// Withdrawals: requested and cancelled by their holder, approved or rejected by the desk.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Money, format, isUnit, money, parse } from '@kurs/money';
import { type Confirming, type StepUpRequest, type SteppedUp, stepUpAll } from '../../auth/index.ts';
import { screen } from '../../compliance/index.ts';
import { type Member, UnitOfWork, alone, inGroups } from '../../collecting/index.ts';
import { balance } from '../../ledger/index.ts';
import {
  MONEY_OUT,
  type Passed,
  confirmationOf,
  currencyBy,
  labelOf,
  passOut,
  peopleOut,
  takeBackOut,
  wouldPass,
} from '../../moneyout/index.ts';
import {
  type CurrencyInfo,
  type GivenAccount,
  reserveFloat,
  checkGivenAccount,
  releaseFloat,
  estimateSendingTo,
  type RequestPayout,
  requestPayouts,
  stopPayout,
} from '../../payments/index.ts';
import {
  type Context,
  type Db,
  type StoredAnswer,
  type Sealer,
  type Tx,
  alsoAbout,
  gather,
  storeAnswers,
  log,
  newId,
} from '../../platform/index.ts';
import { isSending, sendingTerms } from '../../pricing/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { noteKeys } from '../../referrals/index.ts';
import { WITHDRAWAL } from '../kinds.ts';
import { openWallets } from '../store.ts';
import { queueLetter } from './letters.ts';
import { whatStopsRewards, whatStopsWithdrawal } from './withdrawal-obstacles.ts';
import { type Withdrawal, type WithdrawalSource, booksOf, hold, holdAndQueue, sourceAccount, stepOf } from './withdrawal.ts';
import { addWithdrawal, alteredAmong, lockWithdrawals, saveWithdrawals, sentTo, withdrawalById } from './withdrawal-store.ts';

export interface WithdrawDeps {
  readonly db: Db;
  /** Decrypts the secrets of second factors, to check codes. */
  readonly sealer: Sealer;
  /** Encrypts and decrypts the codes of bought vouchers. */
  readonly voucher: Sealer;
  /** The product's name, for letters. */
  readonly name: string;
}
type WithdrawalInput = Input<Routes['walletWithdrawRequest']>;
type Holder = { readonly id: string; readonly email: string };
/** The holder who makes the call, with their session. */
type Asking = Holder & Confirming;

/** A planned withdrawal: its currency, account and sums. */
export interface Planned {
  readonly info: CurrencyInfo;
  readonly account: GivenAccount | undefined;
  readonly leaving: Money;
  readonly fee: Money;
  readonly smallest: Money;
  readonly usd: Money<'USD'>;
}

/** Parses a sum of a unit that people typed. Throws `validation` on `amount`, and on `currency` for an unknown unit. */
export function sumOf(unit: string, amount: string): Money {
  if (!isUnit(unit)) throw fieldProblem('currency', 'currency_unknown');
  try {
    return parse(unit, amount);
  } catch (cause) {
    throw new Problem('validation', { errors: { amount: { code: 'amount_format' } }, cause });
  }
}

/** Returns the worth of a sum in USD. Throws `rates_unavailable` while there is no rate. */
export function worthOf(sum: Money): Money<'USD'> {
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  try {
    return usdValue(snapshot, sum);
  } catch (cause) {
    throw new Problem('rates_unavailable', { cause });
  }
}

/**
 * Plans a withdrawal: checks its account, and queries the network for the cost of sending to the account. Throws `validation`
 * on the wrong field, `withdrawal_closed` if the currency can't be sent now, `rates_unavailable`.
 */
export async function plan(
  db: Db,
  {
    currency: unit,
    rail,
    amount,
    to,
  }: Pick<WithdrawalInput, 'currency' | 'rail' | 'amount'> & { readonly to?: WithdrawalInput['to'] | undefined },
): Promise<Planned> {
  const leaving = sumOf(unit, amount);
  const info = currencyBy(unit, rail);
  const account = to && (await checkGivenAccount(db, info.code, to, 'to'));
  const cost = account && (await estimateSendingTo(info.code, account.fields).catch(() => undefined));
  const terms = sendingTerms(info.code, leaving, cost && { fuel: cost.currency, parts: cost.parts });
  if (!terms || !isSending(info)) throw new Problem('withdrawal_closed');
  return { info, account, leaving, fee: terms.fee, smallest: terms.smallest, usd: worthOf(leaving) };
}

/** Throws `validation` on `amount` if the amount is below the minimum. */
function requireWorthSending({ leaving, smallest }: Planned): void {
  if (leaving.parts >= smallest.parts) return;
  throw fieldProblem('amount', 'withdrawal_below_min', { min: format(smallest, 2), unit: leaving.unit });
}

/**
 * Throws `not_enough_money` if the source has too little. Throws `affiliate_suspended` or `rewards_owed` for rewards that may not
 * leave. Checked early, so that no code is used up in vain; later the ledger refuses a sum that isn't there.
 */
export async function requireThere(
  db: Db,
  holderId: string,
  { unit, parts }: Money,
  source: WithdrawalSource = 'wallet',
): Promise<void> {
  const stop = await whatStopsRewards(db, source, holderId);
  if (stop) throw stop;
  if ((await balance(db, sourceAccount(source, holderId, unit))) < parts) throw new Problem('not_enough_money');
}

/** Returns the value that a mailed code must be bound to in order to confirm a withdrawal. It includes the source. */
const confirmationFor = (holder: Holder, { info, account, leaving }: Planned, source: WithdrawalSource): string =>
  confirmationOf([
    source === 'wallet' ? 'withdrawal' : `withdrawal of ${source}`,
    holder.id,
    info.code,
    account?.key ?? '',
    leaving.parts.toString(),
  ]);

/**
 * Returns the cost and the result of a withdrawal without making it. Throws the errors of `plan`, and the problems that `passOut`
 * would throw.
 */
export async function quoteWithdrawal(
  db: Db,
  holder: Holder,
  { source = 'wallet', ...input }: Input<Routes['walletWithdrawQuote']>,
  context: Context,
) {
  const planned = await plan(db, input);
  requireWorthSending(planned);
  const now = await db.now();
  const { people } = await wouldPass(db, actionOf(holder, planned, context), now);
  const { unit } = planned.info;
  return {
    ...planned,
    people,
    available: money(unit, await balance(db, sourceAccount(source, holder.id, unit))),
    confirmation: planned.account && confirmationFor(holder, planned, source),
    known: await knownOf(db, holder, planned),
  };
}

/**
 * Returns the holder's label of the receiving account, and the number and last time of withdrawals to it. Undefined for a
 * voucher, which has no account.
 */
async function knownOf(db: Db, { id }: Holder, { info, account }: Planned) {
  if (!account || account.key === '') return undefined;
  const to = { currency: info.code, key: account.key };
  const [label, { times, last }] = await Promise.all([labelOf(db, id, to), sentTo(db, id, to)]);
  return { ...(label !== undefined && { label }), times, last_at: last?.toISOString() ?? null };
}

const actionOf = (holder: Holder, { info, account, leaving, fee, usd }: Planned, { deviceKey: device, ip }: Context) => ({
  kind: WITHDRAWAL,
  holder,
  usd,
  unit: info.unit,
  to: account && { currency: info.code, key: account.key },
  // A voucher has no account, so problems are reported at the field `rail`.
  field: info.fields[0] === undefined ? 'rail' : `to.${info.fields[0].name}`,
  isOutgoing: true,
  sent: leaving.parts - fee.parts,
  ...{ device, ip },
});

/** A withdrawal that its holder has confirmed. `stored` returns the response that is stored together with it. */
interface Confirmed {
  readonly holder: Asking;
  readonly planned: Planned & { readonly account: GivenAccount };
  readonly source: WithdrawalSource;
  readonly stepped: SteppedUp;
  readonly context: Context;
  readonly stored: (one: Withdrawal) => StoredAnswer | undefined;
}

/** Function that requests one withdrawal. `stored` returns the response that is stored together with it. */
export type AskWithdrawal = (
  holder: Asking,
  input: WithdrawalInput & { readonly source?: WithdrawalSource },
  context: Context,
  stored?: Confirmed['stored'],
) => Promise<Withdrawal>;

/**
 * Returns a function that requests a withdrawal. Within the limits, the withdrawal is sent without approval; otherwise it waits
 * for operators and its money is reserved. Withdrawals confirmed at the same moment share a transaction, in which each succeeds
 * or is refused as a whole. The checks are the same for every source.
 *
 * Throws the errors of `plan`, `stepUp` and `passOut`. Throws `not_enough_money`, `fee_changed` if the withdrawal costs more than
 * was shown, and `account_refused` or `unavailable` after screening its account.
 */
export function openWithdrawals(deps: WithdrawDeps): AskWithdrawal {
  const confirmed = gather((requests: readonly StepUpRequest[]) => stepUpAll(deps, requests));
  const written = inGroups(deps.db, (tx, members: readonly Member<Confirmed>[]) => askAll(tx, deps.name, members), {
    keysOf: ({ holder }) => [holder.id],
  });
  return async (holder, { source = 'wallet', ...input }, context, stored = () => undefined) => {
    const planned = await plan(deps.db, input);
    const { info, account, leaving, fee } = planned;
    if (!account) throw fieldProblem('to', 'required');
    requireWorthSending(planned);
    if (input.fee !== undefined && fee.parts > sumOf(info.unit, input.fee).parts)
      throw new Problem('fee_changed', { params: { fee: format(fee), unit: info.unit } });
    await requireThere(deps.db, holder.id, leaving, source);
    await requireClear(info.code, account.fields);
    const what = { purpose: MONEY_OUT, about: confirmationFor(holder, planned, source) };
    const stepped = await confirmed({ who: holder, given: input, what });
    if (stepped.status === 'rejected') throw stepped.reason;
    const ready = { ...planned, account };
    const one = await written({ holder, planned: ready, source, stepped: stepped.value, context, stored });
    alsoAbout({ withdrawalId: one.id });
    return one;
  };
}

/**
 * Stores the withdrawals that pass the checks, with their letters and responses, and adds a journal to the unit of work of each.
 */
async function askAll(tx: Tx, name: string, members: readonly Member<Confirmed>[]): Promise<(Withdrawal | Problem)[]> {
  const actions = members.map(({ request }) => ({
    ...actionOf(request.holder, request.planned, request.context),
    id: newId(),
  }));
  const passed = await passOut(
    tx,
    members.map(({ request: { stepped } }, at) => ({ stepped, action: actions[at]! })),
  );
  const outcomes = members.map(({ request }, at) => {
    const outcome = passed[at]!;
    return outcome instanceof Problem ? outcome : newWithdrawal(request, { ...outcome, id: actions[at]!.id, at: tx.now });
  });
  const all = members.flatMap((member, at) => {
    const one = outcomes[at]!;
    return one instanceof Problem ? [] : [{ ...member, one }];
  });
  await openWallets(
    tx,
    all.map(({ one: { holderId, unit } }) => ({ holderId, unit })),
  );
  // Stores the account as a key of the holder. Then the holder earns no rewards by orders that are paid out to the account.
  await noteKeys(
    tx,
    all.map(({ one: { holderId, currency, key } }) => ({ holderId, keys: key === '' ? [] : [`account:${currency}:${key}`] })),
  );
  // The inserts are sent together, so that they share one round trip.
  await Promise.all(all.map(({ one }) => addWithdrawal(tx, one)));
  await Promise.all(all.map(({ one, request }) => queueLetter(tx, name, one, 'asked', request.context.ip)));
  await requestPayouts(
    tx,
    all.filter(({ one }) => one.people === 0).map(({ one }) => payoutOf(one)),
  );
  await Promise.all(all.filter(({ one }) => one.people > 0).map(({ one }) => reserveFloat(tx, one)));
  await storeAnswers(
    tx,
    all.flatMap(({ one, request }) => request.stored(one) ?? []),
  );
  for (const { one, unit } of all)
    unit.post(one.people === 0 ? holdAndQueue(one, newId()) : hold(one, newId()), 'not_enough_money');
  return outcomes;
}

/** Returns a new withdrawal, with the status `paying`, or `approving` if it needs approvals. */
function newWithdrawal(
  { holder, planned: { info, account, leaving, fee, usd }, source }: Confirmed,
  { id, people, at }: Passed & { readonly id: string; readonly at: Date },
): Withdrawal {
  return {
    ...{ id, holderId: holder.id, source, unit: info.unit, rail: info.rail, currency: info.code },
    ...{ to: account.fields, key: account.key, parts: leaving.parts - fee.parts, fee: fee.parts, usd: usd.parts },
    ...{ people, approved: 0, status: people === 0 ? 'paying' : 'approving', payout: people === 0 ? 'queued' : undefined },
    ...{ txid: undefined, confirmations: undefined, needed: undefined, reason: undefined, decidedBy: undefined },
    ...{ requestedAt: at, statusAt: at },
  };
}

/** Returns the request for the payout of a withdrawal. */
function payoutOf(one: Withdrawal): RequestPayout {
  const { id, holderId: party, currency, unit, parts, to } = one;
  return { id, owner: { kind: 'wallet', id }, party, currency, unit, parts, to, purpose: 'payout', books: booksOf(one) };
}

/** Cancels a holder's own withdrawal. Throws `not_found`, and `order_changed` if the withdrawal can no longer be stopped. */
export async function cancelWithdrawal(deps: WithdrawDeps, holder: Holder, id: string): Promise<Withdrawal> {
  return alone(deps.db, async (work) => {
    const one = (await lockWithdrawals(work.tx, [id])).get(id);
    if (!one || one.holderId !== holder.id) throw new Problem('not_found');
    alsoAbout({ withdrawalId: id });
    return endUnsent(work, one, 'cancel', { decidedBy: undefined, reason: undefined });
  });
}

async function endUnsent(work: UnitOfWork, one: Withdrawal, action: 'cancel' | 'reject', why: Why): Promise<Withdrawal> {
  const { tx } = work;
  const step = stepOf(one, action, newId());
  if (!step?.journal) throw new Problem('order_changed');
  if (one.status === 'paying' && !(await stopPayout(tx, one.id))) throw new Problem('order_changed');
  const ended: Withdrawal = { ...one, ...why, status: step.next, statusAt: tx.now };
  await releaseFloat(tx, one.id);
  await takeBackOut(tx, [one.id]);
  await saveWithdrawals(tx, [ended]);
  work.post(step.journal, 'order_changed');
  return ended;
}

/** Returns the current worth of a withdrawal in US cents. Without a current rate, returns its worth at the time of the request. */
export function worthNow({ unit, parts, fee, usd }: Pick<Withdrawal, 'unit' | 'parts' | 'fee' | 'usd'>): bigint {
  const snapshot = latest();
  try {
    return snapshot ? usdValue(snapshot, money(unit, parts + fee)).parts : usd;
  } catch {
    return usd;
  }
}

/**
 * Returns the number of people who must approve a waiting withdrawal. It is the larger of the number decided at the request and
 * the number that the current worth requires.
 */
export const peopleToApprove = (one: Withdrawal): 1 | 2 =>
  one.people === 2 || peopleOut(worthNow(one), { customerDay: 0n, deskDay: 0n }) === 2 ? 2 : 1;

/** Screens a withdrawal's target again before it is approved. Throws `not_found`, `account_refused` and `unavailable`. */
export async function clearToLeave(db: Db, id: string): Promise<void> {
  const one = await withdrawalById(db, id);
  if (!one) throw new Problem('not_found');
  await requireClear(one.currency, one.to);
}

async function requireClear(currency: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const screened = await screen([{ currency, fields }]);
  if (screened.outcome === 'held') throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
}

/** An operator's decision about a waiting withdrawal. */
export interface Decision {
  readonly id: string;
  readonly action: 'approve' | 'reject';
  readonly reason: string;
  readonly by: readonly string[];
}

/**
 * Approves or rejects a waiting withdrawal. Call it last in the transaction. Throws `not_found`, and `record_altered` if the
 * withdrawal's row was changed by SQL after the holder confirmed it. Throws `order_changed` if the withdrawal no longer waits,
 * and `second_person_required` if two people must approve. Throws the problem of `whatStopsWithdrawal`; the withdrawal then
 * goes on waiting.
 */
export async function decideWithdrawal(tx: Tx, name: string, { id, action, reason, by }: Decision): Promise<Withdrawal> {
  const one = (await lockWithdrawals(tx, [id])).get(id);
  if (!one) throw new Problem('not_found');
  alsoAbout({ withdrawalId: id });
  if (action === 'approve' && by.length < peopleToApprove(one)) throw new Problem('second_person_required');
  const why = { decidedBy: by.join(', '), reason };
  const work = new UnitOfWork(tx);
  const decided = await (action === 'reject' ? reject(work, name, one, why) : approve(work, one, why, by.length > 1 ? 2 : 1));
  await work.commit();
  return decided;
}

type Why = Pick<Withdrawal, 'decidedBy' | 'reason'>;

async function reject(work: UnitOfWork, name: string, one: Withdrawal, why: Why): Promise<Withdrawal> {
  await queueLetter(work.tx, name, one, 'rejected');
  return endUnsent(work, one, 'reject', why);
}

async function approve(work: UnitOfWork, one: Withdrawal, why: Why, approved: 1 | 2): Promise<Withdrawal> {
  const { tx } = work;
  const { id } = one;
  const step = stepOf(one, 'approve', newId());
  if (!step?.journal) throw new Problem('order_changed');
  if ((await alteredAmong(tx, [one])).size > 0) {
    log.alarm('a withdrawal was altered after its holder confirmed it: approval refused', { withdrawalId: id });
    throw new Problem('record_altered');
  }
  const stop = await whatStopsWithdrawal(tx, one, tx.now);
  if (stop) throw stop;
  const next: Withdrawal = { ...one, ...why, approved, status: step.next, payout: 'queued', statusAt: tx.now };
  await saveWithdrawals(tx, [next]);
  await releaseFloat(tx, id);
  await requestPayouts(tx, [payoutOf(next)]);
  work.post(step.journal, 'order_changed');
  return next;
}
