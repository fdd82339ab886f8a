// Withdrawals: asked for by their holder, called off by them, let out or turned down by the desk.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Money, format, isUnit, money, parse } from '@kurs/money';
import { type Confirming, type StepUpAsked, type SteppedUp, stepUpAll } from '../../auth/index.ts';
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
  type KeptAnswer,
  type Sealer,
  type Tx,
  alsoAbout,
  gather,
  keepAnswers,
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
  /** Opens second factors. */
  readonly sealer: Sealer;
  /** Opens what payouts made for their receivers. */
  readonly voucher: Sealer;
  /** The product's name, for letters. */
  readonly name: string;
}
type Asked = Input<Routes['walletWithdrawRequest']>;
type Holder = { readonly id: string; readonly email: string };
/** The caller, by their session. */
type Asking = Holder & Confirming;

/** What a withdrawal would be: its currency, account and arithmetic. */
export interface Planned {
  readonly info: CurrencyInfo;
  readonly account: GivenAccount | undefined;
  readonly leaving: Money;
  readonly fee: Money;
  readonly smallest: Money;
  readonly usd: Money<'USD'>;
}

/** Reads a sum of a unit that people typed. Throws `validation` on `amount`, and on `currency` for no unit. */
export function sumOf(unit: string, amount: string): Money {
  if (!isUnit(unit)) throw fieldProblem('currency', 'currency_unknown');
  try {
    return parse(unit, amount);
  } catch (cause) {
    throw new Problem('validation', { errors: { amount: { code: 'amount_format' } }, cause });
  }
}

/** What a sum is worth in USD. Throws `rates_unavailable` while there is no rate. */
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
 * Plans a withdrawal: checks its account and what sending there costs. Asks the network. Throws `validation` at the field that
 * is wrong, `withdrawal_closed` where the currency can't be sent now, `rates_unavailable`.
 */
export async function plan(
  db: Db,
  { currency: unit, rail, amount, to }: Pick<Asked, 'currency' | 'rail' | 'amount'> & { readonly to?: Asked['to'] | undefined },
): Promise<Planned> {
  const leaving = sumOf(unit, amount);
  const info = currencyBy(unit, rail);
  const account = to && (await checkGivenAccount(db, info.code, to, 'to'));
  const cost = account && (await estimateSendingTo(info.code, account.fields).catch(() => undefined));
  const terms = sendingTerms(info.code, leaving, cost && { fuel: cost.currency, parts: cost.parts });
  if (!terms || !isSending(info)) throw new Problem('withdrawal_closed');
  return { info, account, leaving, fee: terms.fee, smallest: terms.smallest, usd: worthOf(leaving) };
}

/** Throws `validation` on `amount` for less than the least. */
function requireWorthSending({ leaving, smallest }: Planned): void {
  if (leaving.parts >= smallest.parts) return;
  throw fieldProblem('amount', 'withdrawal_below_min', { min: format(smallest, 2), unit: leaving.unit });
}

/**
 * Throws `not_enough_money`, and `affiliate_suspended` or `rewards_owed` for rewards that may not leave: said before a code is
 * used up. What decides of the sum is the ledger's floor.
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

/** What a code mailed for a withdrawal confirms: from where, too. */
const confirmationFor = (holder: Holder, { info, account, leaving }: Planned, source: WithdrawalSource): string =>
  confirmationOf([
    source === 'wallet' ? 'withdrawal' : `withdrawal of ${source}`,
    holder.id,
    info.code,
    account?.key ?? '',
    leaving.parts.toString(),
  ]);

/** What a withdrawal would cost and bring; nothing happens. Throws as `plan`, and as the door out would. */
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

/** What is known of where it would go; nothing of what has no account. */
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
  // A voucher has no account that could be wrong: it is the way itself.
  field: info.fields[0] === undefined ? 'rail' : `to.${info.fields[0].name}`,
  leaves: true,
  sent: leaving.parts - fee.parts,
  ...{ device, ip },
});

/** A withdrawal that its holder has confirmed. `kept`: its answer, which is kept with it. */
interface Confirmed {
  readonly holder: Asking;
  readonly planned: Planned & { readonly account: GivenAccount };
  readonly source: WithdrawalSource;
  readonly stepped: SteppedUp;
  readonly context: Context;
  readonly kept: (one: Withdrawal) => KeptAnswer | undefined;
}

/** Asks for one withdrawal, with `kept` for the answer that is kept with it. */
export type AskWithdrawal = (
  holder: Asking,
  input: Asked & { readonly source?: WithdrawalSource },
  context: Context,
  kept?: Confirmed['kept'],
) => Promise<Withdrawal>;

/**
 * Opens the door out of wallets by rails: a function that asks for a withdrawal. It is sent by itself within the day's bounds,
 * else it waits for operators with its money held. Those that are confirmed at the same moment are one transaction, each whole
 * or refused by itself. Throws as `plan`, `stepUp` and `passOut`; `not_enough_money`; `fee_changed` where it costs more than was
 * shown; `account_refused` and `unavailable` by the screening of its account. Whatever its source, it goes through the same door.
 */
export function openWithdrawals(deps: WithdrawDeps): AskWithdrawal {
  const confirmed = gather((asked: readonly StepUpAsked[]) => stepUpAll(deps, asked));
  const written = inGroups(deps.db, (tx, members: readonly Member<Confirmed>[]) => askAll(tx, deps.name, members), {
    keysOf: ({ holder }) => [holder.id],
  });
  return async (holder, { source = 'wallet', ...input }, context, kept = () => undefined) => {
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
    const one = await written({ holder, planned: ready, source, stepped: stepped.value, context, kept });
    alsoAbout({ withdrawalId: one.id });
    return one;
  };
}

/** Writes down those that pass the door, with their letters and answers, and hands over their journals. */
async function askAll(tx: Tx, name: string, members: readonly Member<Confirmed>[]): Promise<(Withdrawal | Problem)[]> {
  const actions = members.map(({ asked }) => ({ ...actionOf(asked.holder, asked.planned, asked.context), id: newId() }));
  const passed = await passOut(
    tx,
    members.map(({ asked: { stepped } }, at) => ({ stepped, action: actions[at]! })),
  );
  const outcomes = members.map(({ asked }, at) => {
    const outcome = passed[at]!;
    return outcome instanceof Problem ? outcome : newWithdrawal(asked, { ...outcome, id: actions[at]!.id, at: tx.now });
  });
  const all = members.flatMap((member, at) => {
    const one = outcomes[at]!;
    return one instanceof Problem ? [] : [{ ...member, one }];
  });
  await openWallets(
    tx,
    all.map(({ one: { holderId, unit } }) => ({ holderId, unit })),
  );
  // Who withdraws to an account is known by it: nobody earns by orders of their own that are paid out there.
  await noteKeys(
    tx,
    all.map(({ one: { holderId, currency, key } }) => ({ holderId, keys: key === '' ? [] : [`account:${currency}:${key}`] })),
  );
  // Asked for at once, so that they travel together; each has its own row.
  await Promise.all(all.map(({ one }) => addWithdrawal(tx, one)));
  await Promise.all(all.map(({ one, asked }) => queueLetter(tx, name, one, 'asked', asked.context.ip)));
  await requestPayouts(
    tx,
    all.filter(({ one }) => one.people === 0).map(({ one }) => payoutOf(one)),
  );
  await Promise.all(all.filter(({ one }) => one.people > 0).map(({ one }) => reserveFloat(tx, one)));
  await keepAnswers(
    tx,
    all.flatMap(({ one, asked }) => asked.kept(one) ?? []),
  );
  for (const { one, unit } of all)
    unit.post(one.people === 0 ? holdAndQueue(one, newId()) : hold(one, newId()), 'not_enough_money');
  return outcomes;
}

/** A withdrawal as it begins: on its way, or waiting for so many people. */
function newWithdrawal(
  { holder, planned: { info, account, leaving, fee, usd }, source }: Confirmed,
  { id, people, at }: Passed & { readonly id: string; readonly at: Date },
): Withdrawal {
  return {
    ...{ id, holderId: holder.id, source, unit: info.unit, rail: info.rail, currency: info.code },
    ...{ to: account.fields, key: account.key, parts: leaving.parts - fee.parts, fee: fee.parts, usd: usd.parts },
    ...{ people, approved: 0, status: people === 0 ? 'paying' : 'approving', payout: people === 0 ? 'queued' : undefined },
    ...{ txid: undefined, confirmations: undefined, needed: undefined, reason: undefined, decidedBy: undefined },
    ...{ askedAt: at, statusAt: at },
  };
}

/** The payout of a withdrawal. */
function payoutOf(one: Withdrawal): RequestPayout {
  const { id, holderId: party, currency, unit, parts, to } = one;
  return { id, owner: { kind: 'wallet', id }, party, currency, unit, parts, to, purpose: 'payout', books: booksOf(one) };
}

/** Calls a holder's own withdrawal off. Throws `not_found`, and `order_changed` where it is on its way already. */
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

/** Cents that a withdrawal is worth now; while there is no rate, what it was worth when it was asked for. */
export function worthNow({ unit, parts, fee, usd }: Pick<Withdrawal, 'unit' | 'parts' | 'fee' | 'usd'>): bigint {
  const snapshot = latest();
  try {
    return snapshot ? usdValue(snapshot, money(unit, parts + fee)).parts : usd;
  } catch {
    return usd;
  }
}

/** How many people let a waiting withdrawal out: as it was asked for, and by what it is worth now. */
export const peopleToApprove = (one: Withdrawal): 1 | 2 =>
  one.people === 2 || peopleOut(worthNow(one), { customerDay: 0n, deskDay: 0n }) === 2 ? 2 : 1;

/** Screens where a withdrawal goes once more before it is let out. Throws `not_found`, `account_refused` and `unavailable`. */
export async function clearToLeave(db: Db, id: string): Promise<void> {
  const one = await withdrawalById(db, id);
  if (!one) throw new Problem('not_found');
  await requireClear(one.currency, one.to);
}

async function requireClear(currency: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const screened = await screen([{ currency, fields }]);
  if (screened.outcome === 'held') throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
}

/** An operator's word on a withdrawal that waits for it. */
export interface Decision {
  readonly id: string;
  readonly action: 'approve' | 'reject';
  readonly reason: string;
  readonly by: readonly string[];
}

/**
 * Lets a waiting withdrawal out, or turns it down; the last thing that its transaction does. Throws `not_found`,
 * `record_altered` where its row was changed since it was confirmed, `order_changed` where it waits no more,
 * `second_person_required` where it takes two, and what `whatStopsWithdrawal` gives: it goes on waiting then.
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
    log.alarm('a withdrawal is not what its holder confirmed: it is not let out', { withdrawalId: id });
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
