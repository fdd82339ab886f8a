import { money } from '@kurs/money';
import { type Leg, type Place, accounts, leg } from '../../ledger/index.ts';
import { type Tx, outbox } from '../../platform/index.ts';
import type { VoucherCode, Rail } from '../../rails/rail.ts';
import type { PaymentsDeps } from '../rails/deps.ts';
import { type PaymentEvent, recordEvents } from '../payins/events.ts';
import { type Depth, depthFor } from '../rails/finality.ts';
import { concludable } from '../comparing/unexplained-spenders.ts';
import { noteFoundLate, stoppedByFinds } from '../payouts/found-late.ts';
import { storeVoucher } from '../payouts/vouchers.ts';
import {
  type RailAnswer,
  type Money,
  type Payout,
  type PayoutChange,
  type SendAttempt,
  type Step,
  type StepTerms,
  step,
} from '../payouts/machine/payout.ts';
import { postPayouts } from '../payouts/payout-books.ts';
import { releaseSpent } from '../payins/payin-store.ts';
import { type StoredAttempt, lockAttempts, saveAttempts } from '../payouts/rows/attempt-store.ts';
import { type StoredPayout, lockPayouts, savePayouts } from '../payouts/rows/payout-store.ts';
import { currencyOf, kindOf, payoutOf } from '../rails/registry.ts';
import { finalityOf, mayLackSends, maySend } from '../rails/settings.ts';
import { stir } from '../rails/rails-to-ask.ts';
import { reportPayouts } from '../payouts/report-payouts.ts';

type Locked = StoredAttempt & { readonly rivals: readonly string[] };

/**
 * Applies a rail's answers about attempts in one transaction: attempts, payouts, events and postings. Returns the attempts whose
 * bytes are to be sent again. If such an attempt is at a provider, its event `resend` is published already.
 */
export function applyAnswers(deps: PaymentsDeps, rail: Rail, answers: ReadonlyMap<string, RailAnswer>): Promise<StoredAttempt[]> {
  return outbox.tx(deps.db, async (tx, later) => {
    const attempts = await lockAttempts(tx, [...answers.keys()]);
    const locked = await lockPayouts(
      tx,
      attempts.flatMap(({ signed }) => signed.items),
    );
    const concluded = await concludable(tx, rail.id, attempts, answers);
    const payouts = new Map<string, Payout>(locked.filter(mayChange).map((one) => [one.id, one]));
    const terms = await termsNow(tx, deps, rail, await stoppedByFinds(tx, locked));
    const gone = new Set<string>();
    const lacksSends = await mayLackSends(tx, rail.id);
    const steps = attempts.map((attempt) => {
      const mine = attempt.signed.items.flatMap((id) => payouts.get(id) ?? []);
      const answer = concluded.get(attempt.id) as RailAnswer;
      const made = step(attempt, mine, lacksSends ? withoutProof(answer) : answer, {
        ...terms(attempt, mine),
        hasRival: attempt.rivals.some((id) => !gone.has(id)),
      });
      // Two attempts of this batch may carry the same payout, because one replaces the other. The second one must then see the
      // outcome of the first one.
      if (made.nextPoll === null && made.attempt.status !== 'final') gone.add(attempt.id);
      for (const { payout } of made.payouts) payouts.set(payout.id, payout);
      return { attempt, made };
    });
    await saveAttempts(
      tx,
      steps.map(({ made }) => made),
    );
    const done = steps.filter(({ attempt, made }) => made.attempt.status === 'final' && attempt.status !== 'final');
    await releaseSpent(
      tx,
      rail.id,
      done.flatMap(({ attempt }) => attempt.signed.spends),
    );
    await storeVoucher(tx, deps.sealer, voucherOf(attempts, answers));
    const changes: PayoutChange[] = [];
    for (const { attempt, made } of steps) changes.push(...(await noteFoundLate(tx, deps.values, attempt.id, made.payouts)));
    await savePayouts(tx, latestOf(changes));
    if (steps.some(({ attempt, made }) => hasMoved(attempt, made.attempt))) tx.afterCommit(() => stir(rail.id));
    const journals = await reportPayouts(tx, deps.values, changes);
    await recordEvents(
      tx,
      deps.values,
      steps.flatMap(({ attempt, made }) => moneyOf(attempt, made)),
    );
    if (journals.length > 0) later();
    await postPayouts(tx, journals);
    return steps.filter(({ made }) => made.isSentAgain).map(({ attempt }) => attempt);
  });
}

/** Returns an answer that a send is absent as one that proves nothing. Returns any other answer unchanged. */
const withoutProof = (answer: RailAnswer): RailAnswer =>
  answer.of === 'find' && answer.said.outcome === 'absent'
    ? { of: 'find', said: { ...answer.said, isConclusive: false } }
    : answer;

/** True if a step may change a rail's balance or the free part of it. A mere change of a send's depth changes neither. */
const hasMoved = (before: SendAttempt, after: SendAttempt): boolean =>
  before.status !== after.status || (before.height === null) !== (after.height === null);

/** Returns the vouchers that sends have bought, by payout id. A send that buys a voucher carries a single payout. */
function voucherOf(attempts: readonly Locked[], answers: ReadonlyMap<string, RailAnswer>): Map<string, VoucherCode> {
  return new Map(
    attempts.flatMap(({ id, signed: { items } }) => {
      const said = answers.get(id)?.said;
      const voucher = said && 'voucher' in said ? said.voucher : undefined;
      return voucher && items[0] !== undefined ? [[items[0], voucher] as const] : [];
    }),
  );
}

/**
 * True if a rail's answers may change a payout. They may not if people decided that it was sent. If people decided that it was
 * not sent, it may still be found late.
 */
const mayChange = ({ isResolved, status }: StoredPayout): boolean => !isResolved || status === 'failed';

/** Returns the last state of each changed payout, in the order of their ids. */
function latestOf(changes: readonly PayoutChange[]): Payout[] {
  const latest = new Map(changes.map(({ payout }) => [payout.id, payout]));
  return [...latest.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Returns a function that gives the present terms for an attempt. `stopped`: payouts that wait for people's decision; their
 * attempts are not sent again. A send of ours needs the same depth as a pay-in of its amount.
 */
async function termsNow(tx: Tx, { values }: PaymentsDeps, rail: Rail, stopped: ReadonlySet<string>) {
  const policy = finalityOf(rail.id);
  const allowed = await maySend(tx, rail.id);
  const depth = (unit: string, parts: bigint): Depth => depthFor(policy, values.usd(money(unit, parts)));
  return (attempt: Locked, payouts: readonly Payout[]): Omit<StepTerms, 'hasRival'> => {
    const unit = payouts[0]?.unit ?? currencyOf(attempt.currency ?? '')?.unit ?? attempt.signed.fee.currency;
    const whole = depth(
      unit,
      payouts.reduce((sum, { parts }) => sum + parts, attempt.parts ?? 0n),
    );
    return {
      now: tx.now,
      proof: payoutOf(rail).proof(attempt.signed),
      maySend: allowed && !attempt.signed.items.some((id) => stopped.has(id)),
      depthOf: (payout) => (payout ? depth(payout.unit, payout.parts) : whole),
      follow: policy.follow,
    };
  };
}

/** Returns the postings of a step: fees, gas that arrived at a deposit address, and sweeps. */
export function moneyOf(attempt: StoredAttempt, { money: moved }: Pick<Step, 'money'>): PaymentEvent[] {
  return moved.flatMap((each): PaymentEvent[] => {
    const legs = legsOf(attempt, each);
    if (legs.length === 0) return [];
    const isFee = each.what === 'fee' || each.what === 'fee_back';
    const kind = isFee
      ? kindOf(attempt.rail) === 'provider'
        ? 'rail_fee'
        : 'network_fee'
      : attempt.purpose === 'fuel'
        ? 'fuel'
        : 'sweep';
    return [{ kind, cause: attempt.id, legs, detail: { what: each.what, txid: attempt.txid } }];
  });
}

function legsOf(attempt: StoredAttempt, moved: Money): Leg[] {
  const { purpose, currency, parts } = attempt;
  if (moved.what === 'fee' || moved.what === 'fee_back') {
    const spent = accounts.spent(kindOf(attempt.rail) === 'provider' ? 'rail' : 'network', feeUnit(attempt));
    const paid = feeCustody(attempt);
    return [moved.what === 'fee' ? leg(spent, paid, moved.parts) : leg(paid, spent, moved.parts)];
  }
  if (purpose === 'payout' || currency === null || parts === null) return [];
  if (purpose === 'fuel') {
    // Gas that has arrived lies at the deposit address.
    const at = (place: Place) => accounts.custody(currency, place, feeUnit(attempt));
    return moved.what === 'arrived' ? [leg(at('deposit'), at(fuelAddress(currency)), parts)] : [];
  }
  const unit = currencyOf(currency)?.unit ?? currency;
  const at = (place: 'deposit' | 'transit' | 'hot') => accounts.custody(currency, place, unit);
  if (moved.what === 'left') return [leg(at('transit'), at('deposit'), parts)];
  return [moved.what === 'arrived' ? leg(at('hot'), at('transit'), parts) : leg(at('deposit'), at('transit'), parts)];
}

function feeUnit({ signed }: StoredAttempt): string {
  return currencyOf(signed.fee.currency)?.unit ?? signed.fee.currency;
}

/**
 * Returns the custody account that pays an attempt's fee: that of the deposit address for a sweep, or else the account that
 * `fuelAddress` names.
 */
function feeCustody(attempt: StoredAttempt) {
  const { currency } = attempt.signed.fee;
  return accounts.custody(currency, attempt.purpose === 'collect' ? 'deposit' : fuelAddress(currency), feeUnit(attempt));
}

/**
 * Returns the custody place that pays network fees in a coin. If the coin is also a currency, its rail decides: `hot` for fees
 * from exchanged money (BTC), `fuel` for fees from gas that is set aside (ETH, BNB, TRX). For any other coin: `fuel`.
 */
function fuelAddress(currency: string): Place {
  const carried = currencyOf(currency);
  return carried ? (carried.feesFrom ?? 'hot') : 'fuel';
}
