import { Problem, fieldProblem } from '@kurs/contract';
import type { Money } from '@kurs/money';
import { type SteppedUp, freezeOf, isClosed } from '../auth/index.ts';
import {
  type Subject,
  dropUses,
  owedSum,
  readCounted,
  requireNoDebts,
  requireWithinLimits,
  reserveLimits,
  shownHolder,
} from '../compliance/index.ts';
import { accounts, balance } from '../ledger/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { peopleFor } from './rule.ts';
import { outLimits } from './settings.ts';
import { type Out, countOut, customerKey, lockOut, readOut, uncountOut } from './counted.ts';
import { outKinds } from './kinds.ts';
import { addressOf, isListOn, lockGuard } from './store.ts';

/** What takes money out of a wallet. */
export interface OutAction {
  /** The act's own id: under it its worth is counted towards limits. */
  readonly id: string;
  /** Of the way out of a wallet, as its room has defined it (`defineOutKind`). */
  readonly kind: string;
  readonly holder: { readonly id: string; readonly email: string };
  readonly usd: Money<'USD'>;
  /** Of the wallet that it leaves. */
  readonly unit: string;
  /** Where to: a currency and the key of a checked account in it; `wallet` and a holder's id for another's wallet. */
  readonly to: { readonly currency: string; readonly key: string } | undefined;
  /** The input that names where to, for what is wrong with it. */
  readonly field: string;
  /** Whether money leaves the desk, so that people may have to let it out. Between wallets nothing does. */
  readonly leaves: boolean;
  readonly device?: string | undefined;
  readonly ip?: string | undefined;
  /** Its owner counts it towards limits by itself: it isn't counted twice. */
  readonly isCounted?: boolean;
  /** What is sent of its currency; absent where its owner counts its payout by itself, as it is queued. */
  readonly sent?: bigint;
}

/**
 * Lets an act out of a wallet, or throws: the one door. Gives how many operators have to approve what leaves. Counts it
 * towards the limits of its holder. Call it first in the transaction that moves the money: it locks the holder. Throws
 * `withdrawals_frozen`, `debt_open` while that wallet owes for a deposit that was taken back, `debt_stops` while the holder
 * owes anything else, `blocked` while people have blocked them, what the step-up throws, `validation` on the field for an
 * address that the allow-list doesn't have or that is too new, and on `amount` above the limits.
 */
export async function passOut(tx: Tx, stepped: SteppedUp, act: OutAction): Promise<{ readonly people: 0 | 1 | 2 }> {
  outKinds.require(act.kind);
  await lockGuard(tx, act.holder.id);
  await requireThawed(tx, act.holder.id, tx.now);
  await requireNoDebt(tx, act);
  await stepped.spend(tx);
  await requireListed(tx, act, tx.now);
  if (!act.isCounted) await reserveLimits(tx, await subjectOf(tx, act), act.usd, { kind: act.kind, id: act.id });
  if (!act.leaves) return { people: 0 };
  await lockOut(tx);
  const people = peopleOut(act.usd.parts, await outOf(tx, act, tx.now));
  const { to, sent } = act;
  if (people === 0 && to !== undefined && sent !== undefined) {
    const [customer, { currency }] = [customerKey({ ...act.holder, holderId: act.holder.id }), to];
    await countOut(tx, [{ payoutId: act.id, kind: act.kind, customer, usd: act.usd.parts, currency, parts: sent }]);
  }
  return { people };
}

/** What `passOut` would say as things stand, but for the step-up; changes nothing. Throws as it does. */
export async function wouldPass(db: Statements, act: Omit<OutAction, 'id'>, now: Date): Promise<{ readonly people: 0 | 1 | 2 }> {
  await requireThawed(db, act.holder.id, now);
  await requireNoDebt(db, act);
  await requireListed(db, act, now);
  requireWithinLimits(act.usd, await readCounted(db, await subjectOf(db, act), now));
  if (!act.leaves) return { people: 0 };
  return { people: peopleOut(act.usd.parts, await outOf(db, act, now)) };
}

/** How many operators must approve these cents from a wallet, by what already left without approval and the current bounds. */
export const peopleOut = (usd: bigint, out: Pick<Out, 'customerDay' | 'deskDay'>): 0 | 1 | 2 => peopleFor(usd, out, outLimits());

async function outOf(db: Statements, { holder, to }: Pick<OutAction, 'holder' | 'to'>, now: Date): Promise<Out> {
  const [customer, currency] = [customerKey({ ...holder, holderId: holder.id }), to?.currency ?? ''];
  return (await readOut(db, now, { customers: [customer], currencies: [currency] })).of({ customer, currency });
}

/**
 * Lets money of a wallet go to another place than the one that it was let out to: a payout that has come back. Its
 * worth was counted when it left. Call it first in its transaction. Throws `withdrawals_frozen`, what the step-up throws, and
 * `validation` on the field as `passOut` does.
 */
export async function redirectOut(
  tx: Tx,
  stepped: SteppedUp,
  act: { readonly holderId: string; readonly to: NonNullable<OutAction['to']>; readonly field: string },
): Promise<void> {
  const { holderId: id, to, field } = act;
  await lockGuard(tx, id);
  await requireThawed(tx, id, tx.now);
  await stepped.spend(tx);
  await requireListed(tx, { holder: { id }, to, field }, tx.now);
}

/**
 * What stops an act now that was let out before: it was decided then, and is done now. Gives the problem, by whose name people
 * are told; undefined where nothing does. Asked again: a closed account, a freeze, a block, a debt, the allow-list.
 */
export async function whatStops(
  db: Statements,
  act: Pick<OutAction, 'unit' | 'to'> & { readonly holderId: string },
  now: Date,
): Promise<Problem | undefined> {
  const { holderId, unit, to } = act;
  const holder = { id: holderId };
  if (await isClosed(db, holderId)) return new Problem('account_closed');
  try {
    await requireThawed(db, holderId, now);
    await requireNoDebt(db, { holder, unit });
    await requireListed(db, { holder, to, field: 'to' }, now);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'validation' ? new Problem('not_on_allow_list') : error;
  }
}

/** Acts came to nothing: they count no more. */
export async function takeBackOut(tx: Tx, ids: readonly string[]): Promise<void> {
  await dropUses(tx, ids.map((id) => ({ id }))); // prettier-ignore
  await uncountOut(tx, ids);
}

async function subjectOf(db: Statements, { holder, device, ip }: Pick<OutAction, 'holder' | 'device' | 'ip'>): Promise<Subject> {
  return { email: holder.email, accounts: [], device, ip, holder: await shownHolder(db, holder.id) };
}

async function requireThawed(db: Statements, holderId: string, now: Date): Promise<void> {
  const frozen = await freezeOf(db, holderId, now);
  if (frozen) throw new Problem('withdrawals_frozen', { params: { until: frozen.until.toISOString() } });
}

/**
 * What is owed in a unit is settled by what comes into its wallet; until it is, nothing goes anywhere else, whatever is owed.
 */
async function requireNoDebt(
  db: Statements,
  { holder, unit, device, ip }: Pick<OutAction, 'unit' | 'device' | 'ip'> & { readonly holder: { readonly id: string } },
): Promise<void> {
  const owed = await balance(db, accounts.receivable(holder.id, unit));
  if (owed > 0n) throw new Problem('debt_open', { params: owedSum({ unit, parts: owed }) });
  await requireNoDebts(db, await subjectOf(db, { holder: { email: '', ...holder }, device, ip }));
}

async function requireListed(
  db: Statements,
  { holder, to, field }: Pick<OutAction, 'to' | 'field'> & { readonly holder: { readonly id: string } },
  now: Date,
): Promise<void> {
  if (to === undefined || !(await isListOn(db, holder.id, now))) return;
  // Nothing says who will have a voucher.
  if (to.key === '') throw fieldProblem(field, 'voucher_not_listed');
  const listed = await addressOf(db, holder.id, to);
  if (!listed) throw fieldProblem(field, 'address_not_listed');
  if (listed.usableAt > now) throw fieldProblem(field, 'address_too_new', { until: listed.usableAt.toISOString() });
}
