// Carries out people's decisions about deposits: to release a deposit or to refund it. Also applies the events of such refunds.

import { Problem, fieldProblem } from '@kurs/contract';
import { screen } from '../../compliance/index.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { type PayoutBody, checkGivenAccount, currencyOf, requestPayout, returnedOf } from '../../payments/index.ts';
import { type Db, type Tx, newId } from '../../platform/index.ts';
import { type Deposit, afterGiveBack, backMoney, backsOf, giveBack, release, withPapers } from './deposit.ts';
import { newsOf, queueDepositLetter } from './deposit-letters.ts';
import { depositById, depositsByBack, depositsById, saveDeposits } from '../store.ts';

/** A decision of the desk about a deposit. */
export interface DepositDecision {
  readonly id: string;
  readonly action: 'release' | 'give_back' | 'ask_papers' | 'papers_came';
  readonly by: readonly string[];
  /** For `give_back`: account for the refund, as returned by `clearBackAccount`. */
  readonly to?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the account for a deposit's refund. If the rail states the account that paid, returns that account. Otherwise the
 * desk must name an account, which is screened. Throws `not_found`, `action_not_open` if the currency has no accounts,
 * `validation` on `account`, `account_refused` and `unavailable`.
 */
export async function clearBackAccount(
  db: Db,
  id: string,
  account: Readonly<Record<string, string>> | undefined,
): Promise<Readonly<Record<string, string>>> {
  const one = await depositById(db, id);
  if (!one) throw new Problem('not_found');
  if (one.source) return one.source.fields;
  const [first] = currencyOf(one.currency)?.fields ?? [];
  if (!first) throw new Problem('action_not_open');
  if (!account) throw fieldProblem(`account.${first.name}`, 'required');
  const { fields } = await checkGivenAccount(db, one.currency, account, 'account');
  const screened = await screen([{ currency: one.currency, fields }]);
  if (screened.outcome === 'held') throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
  return fields;
}

/** Records that papers were requested or have come. The holder gets a letter that requests them. */
async function notePapers(tx: Tx, name: string, one: Deposit, papers: 'asked' | 'came'): Promise<Deposit> {
  const deposit = withPapers(one, papers);
  if (!deposit) throw new Problem('action_not_open');
  await saveDeposits(tx, [deposit]);
  if (papers === 'asked') await queueDepositLetter(tx, name, deposit, { kind: 'papers', parts: deposit.uncleared });
  return deposit;
}

/**
 * Carries out a decision of the desk about a deposit. Call it last in the transaction. A released deposit stays uncleared while
 * its rail can still take the payment back. `name`: the product's name, for letters. Throws `not_found`, and `order_changed` if
 * the deposit doesn't wait for people. Throws `action_not_open` if nothing is left to refund, or if its papers already have
 * that status.
 */
export async function decideDeposit(tx: Tx, name: string, { id, action, by, to }: DepositDecision): Promise<Deposit> {
  const one = (await depositsById(tx, [id])).get(id);
  if (!one) throw new Problem('not_found');
  if (one.status !== 'checking') throw new Problem('order_changed');
  if (action === 'give_back' && one.uncleared === 0n) throw new Problem('action_not_open');
  if (action === 'ask_papers' || action === 'papers_came')
    return notePapers(tx, name, one, action === 'ask_papers' ? 'asked' : 'came');
  const people = by.join(', ');
  const { deposit, journal } =
    action === 'release' ? release(one, people, tx.now, newId()) : giveBack(one, newId(), people, newId());
  const back = backsOf(deposit).at(-1);
  if (action === 'give_back' && back) {
    if (!to) throw new Problem('action_not_open');
    const owner = { kind: 'wallet', id: back.id } as const;
    await requestPayout(tx, { ...backMoney(deposit, back), owner, party: one.holderId, to, purpose: 'refund' });
  }
  await saveDeposits(tx, [deposit]);
  const news = newsOf(one, deposit, 0n);
  if (news) await queueDepositLetter(tx, name, deposit, news);
  const work = new UnitOfWork(tx);
  work.post(journal);
  await work.commit();
  return deposit;
}

/** Applies the payments room's events about refunds of deposits, oldest first. Adds the journals to the unit of work. */
export async function applyGivenBack(
  unit: UnitOfWork,
  events: readonly { readonly id: string; readonly body: PayoutBody }[],
  name: string,
): Promise<void> {
  const { tx } = unit;
  const known = await depositsByBack(
    tx,
    events.map(({ body }) => body.intentId),
  );
  const changed = new Map<string, Deposit>();
  for (const { id, body } of events) {
    const before = known.find((each) => backsOf(each).some((back) => back.id === body.intentId));
    const one = before && (changed.get(before.payinId) ?? before);
    const { event, intentId: payout } = body;
    // A refund that has ended without being sent is not found here, so its later events are skipped.
    const step = one && afterGiveBack(one, { event, payout, back: returnedOf(body, BigInt(body.parts)) }, tx.now, id);
    if (!step) continue;
    const news = newsOf(one, step.deposit, 0n);
    if (news) await queueDepositLetter(tx, name, step.deposit, news);
    changed.set(one.payinId, step.deposit);
    unit.post(step.journal);
  }
  await saveDeposits(tx, [...changed.values()]);
}
