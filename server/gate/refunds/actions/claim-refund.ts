// Somebody with the link of a refund claims it, wholly or in part.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { MoneyError, format, isUnit, money, parse } from '@kurs/money';
import { CODE, CODES_OF_ASKER, handleOf, makeCode, spendCode, tryCode } from '../../../auth/index.ts';
import { type UnitOfWork, alone } from '../../../collecting/index.ts';
import { type Subject, reserveLimits, screen, shownHolder, stopsOf } from '../../../compliance/index.ts';
import type { Sender } from '../../../deliveries/index.ts';
import { type CurrencyInfo, type GivenAccount, checkGivenAccount, payable } from '../../../payments/index.ts';
import { type Context, type Db, type KeepAnswer, type Statements, newId } from '../../../platform/index.ts';
import { lockStore } from '../../stores/store-rows.ts';
import { REFUND_CODE, STORE_REFUND } from '../kinds.ts';
import { mailRefundCode, mailWaitingClaim } from '../letters.ts';
import { type Claim, type Refund, type UnitSum, plus, restOf } from '../machine/refund.ts';
import { insertClaim } from '../rows/claim-rows.ts';
import { refundBySecret } from '../refund-secret.ts';
import { allowanceOf } from './allowance.ts';
import {
  type ClaimPrice,
  centsOf,
  claimQuote,
  claimableIn,
  costOfSendingTo,
  requirePrice,
  withinPayable,
} from './claim-price.ts';
import { newClaim } from './new-claim.ts';
import { countClaim, isWithinOwnersLevel, payClaim } from './pay-claim.ts';
import { payTestClaim } from './pay-test-claim.ts';
import { requireRefunds } from './require-refunds.ts';
import { type OpenRefund, openRefund, saveChange } from './save-refund.ts';

type Wanted = Input<Routes['refundClaim']>;

export interface ClaimDeps {
  readonly db: Db;
  readonly sender: Sender;
  /** Stores the answer of the call with the claim. */
  readonly keep?: KeepAnswer<Refund> | undefined;
}

/**
 * Mails a code to the address for which a refund was made. Throws `refund_over` if it was made for none, or for one that was
 * forgotten, and `rate_limited`.
 */
export async function mailCodeOfRefund(
  { db, sender }: ClaimDeps,
  input: Input<Routes['refundGetOtp']>,
): Promise<{ readonly handle: string; readonly expires_in: number; readonly resend_in: number }> {
  const refund = await refundBySecret(db, sender.tokens, input);
  const { email } = refund;
  if (!email || refund.rests.length === 0) throw new Problem('refund_over');
  const what = { purpose: REFUND_CODE, subject: refund.id };
  const handle = await handleOf(db, what, input.handle);
  await db.tx(async (tx) => {
    const code = await makeCode(tx, { ...what, handle }, { countedAs: `refund ${refund.id}`, max: CODES_OF_ASKER });
    await mailRefundCode(tx, sender, { ...refund, email }, { code, once: `${tx.now.toISOString()} ${handle}` });
  });
  return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
}

/** Returns the sum that is claimed: all that is left in the unit, unless an amount is stated. Throws `refund_over`. */
export function claimedSum(refund: Refund, { unit: wanted, amount }: Pick<Wanted, 'unit' | 'amount'>): UnitSum {
  const unit = wanted ?? refund.rests[0]?.unit ?? refund.taken.unit;
  const rest = restOf(refund, unit);
  if (rest === 0n || !isUnit(unit)) throw new Problem('refund_over');
  if (amount === undefined) return { unit, parts: rest };
  const parts = partsOf(unit, amount);
  if (parts === 0n) throw fieldProblem('amount', 'amount_format');
  if (parts > rest) throw fieldProblem('amount', 'amount_above_rest', { rest: format(money(unit, rest)), unit });
  return { unit, parts };
}

function partsOf(unit: string, amount: string): bigint {
  try {
    return parse(unit, amount).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw fieldProblem('amount', 'amount_format');
    throw error;
  }
}

interface Claiming {
  readonly info: CurrencyInfo;
  readonly account: GivenAccount;
  readonly context: Context;
}

/**
 * Claims a refund. It goes out at once within the cap of the refund's maker and the limits of money out; else it waits for a member of
 * the store, or for the desk. A claim of a test refund is paid at once, and nothing is sent. Throws `refund_unknown`, `refund_over`, `method_closed`, `account_refused`, `unavailable`,
 * `rates_unavailable`, `claim_changed` if less arrives than the page showed, `store_closed`, `business_owes`, `code_*`, the
 * problems of blocks and debts of the claimant, and `validation` on the fields.
 */
export async function claimRefund({ db, sender, keep }: ClaimDeps, wanted: Wanted, context: Context): Promise<Refund> {
  const seen = await refundBySecret(db, sender.tokens, wanted);
  if (seen.email === '') throw new Problem('refund_over');
  const info = claimableIn(claimedSum(seen, wanted).unit).find(({ code }) => code === wanted.method);
  if (!info) throw new Problem('method_closed');
  if (!seen.isTest) await requireRefunds(db, seen.store);
  const account = await checkGivenAccount(db, info.code, wanted.to, 'to');
  if (!seen.isTest) await requireScreened(info.code, account);
  const cost = await costOfSendingTo(info, account);
  const code = { purpose: REFUND_CODE, subject: seen.id, handle: wanted.handle };
  if (seen.email !== undefined) await tryCode(db, code, wanted.otp);
  return alone(db, async (unit) => {
    const { tx } = unit;
    const id = newId();
    const subject = await subjectOf(tx, seen, { info, account, context });
    const [stop] = await stopsOf(tx, [subject]);
    if (stop) throw stop;
    // Counted before other rows are locked, as compliance wants it. The sum is compared with the locked refund below.
    const sum = claimedSum(seen, wanted);
    const usd = centsOf(sum);
    if (seen.invoiceId === undefined && !seen.isTest)
      await reserveLimits(tx, subject, money('USD', usd), { kind: STORE_REFUND, id });
    const isWithinLevel = await isWithinOwnersLevel(tx, seen, { id, subject, usd });
    if (seen.email !== undefined) await spendCode(tx, code);
    await lockStore(tx, seen.store.id);
    const open = await openRefund(tx, seen.id);
    if (!seen.isTest) await requireRefunds(tx, open.refund.store);
    const again = claimedSum(open.refund, wanted);
    if (again.parts !== sum.parts || again.unit !== sum.unit) throw new Problem('claim_changed');
    const quote = claimQuote(sum, info, cost);
    const price = requirePrice(seen.isTest ? quote : withinPayable(quote, await payable(tx, info.code)));
    requireShown(price, wanted);
    const claim = newClaim(open.refund, { id, sum, usd, price, at: tx.now, info, account });
    const claimed = await (seen.isTest
      ? payTestClaim(tx, open, claim)
      : addClaim(unit, sender, open, claim, isWithinLevel ? 0 : 1));
    await keep?.(tx, claimed);
    return claimed;
  });
}

async function requireScreened(currency: string, { fields }: GivenAccount): Promise<void> {
  const screened = await screen([{ currency, fields }]);
  if (screened.outcome === 'held') throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
}

async function subjectOf(db: Statements, { email = '' }: Refund, { info, account, context }: Claiming): Promise<Subject> {
  const { user, deviceKey: device, ip } = context;
  const holder = user && (await shownHolder(db, user.id));
  return { email: user?.email ?? email, accounts: [`${info.code}:${account.key}`], device, ip, ...(holder && { holder }) };
}

/** Throws `claim_changed` if less arrives than the page showed. */
function requireShown({ got }: ClaimPrice, { receive }: Wanted): void {
  if (receive !== undefined && got.parts < partsOf(got.unit, receive)) throw new Problem('claim_changed');
}

/** Decides if a new claim goes out or waits, and saves it. `least`: smallest number of people of the desk who must approve it. */
export async function addClaim(
  unit: UnitOfWork,
  sender: Sender,
  open: OpenRefund,
  claim: Claim,
  least: 0 | 1 = 0,
): Promise<Refund> {
  const { tx } = unit;
  const { refund } = open;
  const { isAllowed, cap } = await allowanceOf(tx, refund.store, refund.maker, { usd: claim.usd, permission: 'refunds.create' });
  const people = isAllowed ? await countClaim(tx, claim, least) : 0;
  const waiting: Claim = {
    ...claim,
    cap,
    isCounted: isAllowed && cap !== undefined,
    people,
    state: isAllowed ? 'approving' : 'confirming',
  };
  const made = isAllowed && people === 0 ? await payClaim(unit, waiting) : waiting;
  await insertClaim(tx, made);
  const less: Refund = { ...refund, rests: plus(refund.rests, { ...claim.from, parts: -claim.from.parts }) };
  const { refund: saved } = await saveChange(
    tx,
    { refund: less, claims: [...open.claims, made] },
    { event: 'claim', news: 'claimed', claim: made },
  );
  if (made.state === 'confirming') await mailWaitingClaim(tx, sender, saved, made);
  return saved;
}
