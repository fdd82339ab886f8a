import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { compare, format } from '@kurs/money';
import {
  type Level,
  type Subject,
  lockMinutes,
  proveBot,
  readCounted,
  requireWithinLimits,
  requireNoDebts,
  requireWithinReversible,
  shownHolder,
} from '../../compliance/index.ts';
import { askForButton, holderLoyalty } from '../../loyalty/index.ts';
import type { Sent } from '../../referrals/index.ts';
import { currencyOf, estimateSendingTo } from '../../payments/index.ts';
import {
  type AccountHolder,
  type Db,
  type Statements,
  type Tokens,
  type Tx,
  allEnded,
  canonicalEmail,
  newId,
} from '../../platform/index.ts';
import { type NetworkCost, isWallet, listedCurrency, quote, quoteWire } from '../../pricing/index.ts';
import {
  type Calculation,
  type HeldQuote,
  isHeld,
  isWalletAccount,
  priceContextOf,
  walletAccount,
  requireOpen,
  stepOf,
} from './calculation.ts';
import { calculationSettings as settings } from './calculation-settings.ts';
import { lockCalculations, readCalculation, saveCalculation } from './calculation-store.ts';
import { claimantOf, couponsOf, discountsOf, quoteWith } from './discounts/coupon-of.ts';
import { checkCustomerAccounts, requireClear } from './check-account.ts';
import type { PromisedTime, RailAccount } from '../order/order.ts';
import { promisedSeconds } from './promised-time.ts';
import { type Receipts, reviewReceipt } from './receipt.ts';
import { orderOfCalculation } from '../order/store/order-store.ts';
import { hold } from './hold-quote.ts';
import { payerHistory } from './payer-history.ts';
import { peopleForOwn } from './own-waits.ts';
import { isMailboxShown } from './discounts/has-ordered.ts';
import { mailsDiscounts } from './discounts/mails-discounts.ts';
import { pricedBy } from './discounts/priced-by.ts';
import { askerOf, atLevelOf, requireLevelToPay } from './sign-in-needed.ts';
import { sameSender, senderOfCustomer, senderOfVisit, visitBy } from './discounts/sender-of.ts';

export interface CalculationDeps {
  readonly db: Db;
  readonly tokens: Tokens;
  /** Returns the number of people who must approve a payout of this worth in USD; 0 if it leaves automatically. */
  readonly approvalFor: (usd: HeldQuote['usd']) => number;
  /** Returns the number of operators who could approve a payout. */
  readonly operators: (db: Statements) => Promise<number>;
  readonly receipts: Receipts;
}

/** Author of a calculation: the person who fills it in, or a partner's program on behalf of a customer. */
export interface Visitor {
  readonly locale: 'en' | 'ru';
  readonly device?: string;
  readonly ip?: string;
  /** True for a partner's program: it has authenticated by its key, so no robot check is needed. */
  readonly isBotChecked?: true;
}

type Wire = Output<Routes['step1']>;
type Review = Output<Routes['step3']>;
/** Option for transactions that only write calculations: a crash may lose a calculation, and its customer then begins again. */
const DRAFT = { isSoft: true };

/** Fields of the account holder who is signed in. */
type HolderFields = Pick<AccountHolder, 'id' | 'email' | 'isEmailVerified'>;
type CalculationKey = { readonly id: string; readonly token?: string | undefined };

/**
 * Step 1: begins a calculation, or changes the direction or amount of a known one. `own`: the account holder who is signed in;
 * the calculation starts with their address. `begun`: the id for a new calculation.
 *
 * Throws the errors of `quote`, `sign_in_needed` if a visitor's amount or currency needs a level, and `level_needed` if a
 * holder's level is too low. Throws `unauthorised` if a wallet is used without a holder.
 */
export async function step1(
  { db, tokens }: CalculationDeps,
  input: Input<Routes['step1']>,
  visitor: Visitor,
  own?: HolderFields,
  begun: string = newId(),
): Promise<Wire> {
  const request = { from: input.from, to: input.to, amount: input.amount, side: input.side };
  if (input.wallet !== undefined && !own) throw new Problem('unauthorised');
  const wallet = own && input.wallet !== undefined ? { wallet: input.wallet, holderId: own.id } : {};
  return db.tx(async (tx) => {
    const known = input.id === undefined ? undefined : await openOf(tx, tokens, { id: input.id, token: input.token });
    const asker = await askerOf(tx, own?.id, { isPartner: visitor.isBotChecked });
    const email = wallet.wallet ? own?.email : (known?.email ?? own?.email);
    const loyalty = own ? await holderLoyalty(tx, own) : known?.loyalty;
    const visit = await visitBy(tx, input.ref, known?.visit);
    const samePair = known?.from === request.from && known.to === request.to && known.wallet === input.wallet;
    const calculation: Calculation = {
      id: known?.id ?? begun,
      ...visitor,
      ...request,
      ...wallet,
      expiresAt: minutesOn(tx.now, settings.get('exchange.calculation_minutes')),
      askMe: known?.askMe ?? false,
      isBotChecked: known?.isBotChecked ?? visitor.isBotChecked ?? false,
      ...(email !== undefined && { email }),
      ...(loyalty !== undefined && { loyalty }),
      ...(input.coupon !== undefined && { coupon: input.coupon }),
      ...(known?.mailbox !== undefined && { mailbox: known.mailbox }),
      ...(visit && { visit }),
      ...(samePair && known.receive && { receive: known.receive }),
      ...(samePair && known.refund && { refund: known.refund }),
      ...(samePair && known.sending && { sending: known.sending }),
    };
    const coupons = await couponsOf(tx, calculation, { holderId: own?.id });
    const sent = await senderOfVisit(tx, visit, own);
    // A partner's program sends all steps in one call, so this check is left to step 2.
    if (!visitor.isBotChecked && !isWallet(wallet.wallet, 'give')) requireLevelToPay(request.from, asker);
    const quoted = atLevelOf(asker, (level) =>
      quoteWith(request, priceContextOf(calculation, level, { coupons: discountsOf(coupons), sent }), coupons),
    );
    saveCalculation(tx, calculation);
    return wireOf(tokens, calculation, quoteWire(quoted));
  }, DRAFT);
}

/**
 * Step 2: wallet information. Checks both accounts (format, checksum, network, not our own), screens them and stores them. Throws
 * `validation` on the wrong fields, `account_refused`, `sign_in_needed` if a visitor's exchange needs a level, and the errors of
 * `requireOpen`.
 */
export async function step2(
  { db, tokens }: CalculationDeps,
  input: Input<Routes['step2']>,
  visitor: Visitor,
  signedIn?: HolderFields,
): Promise<Wire> {
  const { found, own, into, refund, receive } = await checkAccounts(db, tokens, input);
  await requireClear([
    ...(into ? [] : [{ currency: found.to, account: receive }]),
    ...(refund && !own ? [{ currency: found.from, account: refund }] : []),
  ]);
  const sending = into ? undefined : await costOfSending(found.to, receive);
  return db.tx(async (tx) => {
    const {
      held: _held,
      refund: _refund,
      sending: _sending,
      loyalty: confirmedBefore,
      ...known
    } = await openOf(tx, tokens, input);
    const isSame = known.from === found.from && known.to === found.to && known.wallet === found.wallet;
    if (!isSame) throw new Problem('calculation_incomplete');
    const accounts = { receive, ...(refund && { refund }), ...(sending && { sending }) };
    // An exchange from or to a wallet keeps the address of the wallet's holder, so that it falls under the holder's own limits.
    const email = known.wallet ? (known.email ?? input.email) : input.email;
    // If the customer changes the address, the loyalty discount that the former mailbox confirmed is lost.
    const confirmed =
      known.email !== undefined && canonicalEmail(known.email) === canonicalEmail(email) ? confirmedBefore : undefined;
    const loyalty = signedIn ? await holderLoyalty(tx, signedIn) : confirmed;
    const { coupon: code, ...rest } = known;
    const calculation: Calculation = {
      ...rest,
      ...visitor,
      ...accounts,
      email,
      askMe: input.ask_me,
      ...(loyalty !== undefined && { loyalty }),
      ...(code !== undefined && !input.without_coupon && { coupon: code }),
    };
    const subject = await limitsSubject(tx, { ...calculation, email, receive }, signedIn?.id);
    const who =
      calculation.coupon === undefined ? { holderId: signedIn?.id } : { claimant: claimantOf(tx, subject, calculation.mailbox) };
    const [coupons, sent, before, asker] = await allEnded([
      couponsOf(tx, calculation, who),
      senderOfCustomer(tx, calculation, subject),
      senderOfVisit(tx, calculation.visit, signedIn),
      askerOf(tx, signedIn?.id, { isPartner: visitor.isBotChecked }),
    ]);
    const { id, locale, expiresAt } = calculation;
    saveCalculation(tx, calculation);
    if (!signedIn) askForButton(tx, { calculation: id, email, locale, expiresAt });
    if (!isWallet(known.wallet, 'give')) requireLevelToPay(calculation.from, asker);
    const quotedBy = (by: Sent | undefined): ReturnType<typeof quoteWith> =>
      atLevelOf(asker, (level) =>
        quoteWith(calculation, priceContextOf(calculation, level, { coupons: discountsOf(coupons), sent: by }), coupons),
      );
    const quoted = quotedBy(sent);
    const hasChanged = !sameSender(before, sent) && compare(quotedBy(before).breakdown.get, quoted.breakdown.get) !== 0;
    return { ...wireOf(tokens, calculation, quoteWire(quoted)), ...(hasChanged && { price_changed: 'sender' as const }) };
  }, DRAFT);
}

/** Returns the calculation with the checked accounts of step 2. A side that is the holder's own wallet gets the wallet's account. */
async function checkAccounts(db: Statements, tokens: Tokens, input: Input<Routes['step2']>) {
  const { found } = await read(db, tokens, input);
  const [own, into] = [walletOf(found, 'give'), walletOf(found, 'get')];
  const checked = await checkCustomerAccounts(db, [
    ...(own ? [] : [{ currency: found.from, given: input.refund, input: 'refund', isOfPayer: true as const }]),
    ...(into ? [] : [{ currency: found.to, given: input.receive, input: 'receive' }]),
  ]);
  return { found, own, into, refund: own ?? checked.shift(), receive: into ?? (checked.shift() as RailAccount) };
}

/** Returns the wallet's account if a side is the holder's own wallet; else undefined. */
function walletOf({ wallet, holderId = '' }: Calculation, side: 'give' | 'get'): RailAccount | undefined {
  return isWallet(wallet, side) ? walletAccount(holderId) : undefined;
}

/**
 * Returns the cost of sending to this account, if it depends on the account. Undefined if all accounts have the same cost, or the
 * rail doesn't answer: then the currency's usual cost applies.
 */
async function costOfSending(currency: string, { fields }: RailAccount): Promise<NetworkCost | undefined> {
  const cost = await estimateSendingTo(currency, fields).catch(() => undefined);
  return cost && { fuel: cost.currency, parts: cost.parts };
}

/**
 * Step 3: the review, with a quote held for three minutes. A repeated call within that time returns the same quote.
 *
 * Throws `calculation_incomplete`, `bot_check_*`, `debt_stops`, `validation` on `amount` beyond the customer's limits,
 * `sign_in_needed` if a visitor's exchange needs a level, and the errors of `quote`.
 */
export async function step3(
  deps: CalculationDeps,
  input: Input<Routes['step3']>,
  visitor: Visitor,
  own?: HolderFields,
): Promise<Review> {
  const { db, tokens } = deps;
  const { found } = await read(db, tokens, input);
  if (found.email === undefined || !found.receive) throw new Problem('calculation_incomplete');
  const spendBot = found.isBotChecked
    ? undefined
    : await proveBot(input.bot_token, { ip: visitor.ip ?? '', calculation: found.id });
  return db.tx(async (tx) => {
    const known = await openOf(tx, tokens, input);
    const { email, receive } = known;
    if (email === undefined || !receive) throw new Problem('calculation_incomplete');
    // If this call was sent twice, the other request may have used up the proof of the robot check already.
    if (spendBot && !known.isBotChecked) await spendBot(tx);
    const subject = await limitsSubject(tx, { ...known, ...visitor, email, receive }, own?.id);
    const [{ isSuspect }, counted, history] = await allEnded([
      requireNoDebts(tx, subject),
      readCounted(tx, subject, tx.now),
      isWallet(known.wallet, 'give') ? undefined : payerHistory(tx, known.from, subject),
    ]);
    const asker = { level: counted.level, isVisitor: !own && !visitor.isBotChecked };
    if (!isWallet(known.wallet, 'give')) requireLevelToPay(known.from, asker);
    const priced = await pricedBy(tx, known, { own, subject, level: asker.level });
    const { quoted = atLevelOf(asker, (level) => hold(priced.calculation, level, priced)), loyalty } = priced;
    atLevelOf(asker, (level) => requireWithinLimits(quoted.usd, { ...counted, level }));
    if (history) await requireWithinReversible(tx, { usd: quoted.usd, level: counted.level, history, subject }, tx.now);
    const asking = { email, holderId: own?.id, isMailboxShown: isMailboxShown(subject, known.mailbox) };
    const [byOwn = 0] = await peopleForOwn(tx, [{ ...asking, wallet: known.wallet, held: quoted }], tx.now);
    // An amount that needs more approvals than there are operators is refused: nobody could release its payout.
    const others = Math.max(deps.approvalFor(quoted.usd), isSuspect ? 1 : 0);
    const needed = Math.max(others, byOwn);
    if (needed > 0 && needed > (await deps.operators(tx))) throw fieldProblem('amount', 'amount_needs_people');
    const { hasOwnWait: _before, ...same } = quoted;
    const promised = promisedFor(known, quoted, needed > 0);
    const held: HeldQuote = { ...same, promised, ...(byOwn > 0 && others === 0 && { hasOwnWait: true as const }) };
    const { loyalty: _, ...given } = known;
    const calculation: Calculation = {
      ...given,
      ...visitor,
      isBotChecked: true,
      held,
      ...(loyalty !== undefined && { loyalty }),
    };
    saveCalculation(tx, calculation);
    return reviewOf(deps, calculation, held, { hasWait: needed > 0, hasMailDiscounts: await mailsDiscounts(tx) });
  }, DRAFT);
}

/** Returns a calculation with its held quote or, if none is held, with a fresh one. */
export async function showCalculation({ db, tokens }: CalculationDeps, input: CalculationKey, own?: HolderFields): Promise<Wire> {
  const { found: calculation, now } = await read(db, tokens, input);
  if (isHeld(calculation, now)) return wireOf(tokens, calculation, (calculation.held as HeldQuote).shown);
  const asker = await askerOf(db, own?.id);
  const { coupon: _, ...without } = calculation;
  const who = { holderId: own?.id };
  const coupons = await couponsOf(db, calculation, who).catch(() => couponsOf(db, without, who));
  const sent = await senderOfVisit(db, calculation.visit, own);
  const contextAt = (level: Level) => priceContextOf(calculation, level, { coupons: discountsOf(coupons), sent });
  const quoted = atLevelOf(asker, (level) => quote(calculation, contextAt(level)));
  return wireOf(tokens, calculation, quoteWire(quoted));
}

/** Ends a calculation now. Does nothing if it has ended already; throws `calculation_used` if it became an order. */
export async function endCalculation({ db, tokens }: CalculationDeps, input: CalculationKey): Promise<void> {
  await db.tx(async (tx) => {
    const known = await lockOf(tx, tokens, input);
    if (known.orderId !== undefined) throw await usedProblem(tx, tokens, known.id);
    if (known.endedAt === undefined) saveCalculation(tx, { ...known, endedAt: tx.now });
  });
}

/**
 * Locks calculations by their ids and secrets, and returns each, even one that has become an order. Returns
 * `calculation_not_found` for a wrong secret.
 */
export async function lockAll(tx: Tx, tokens: Tokens, known: readonly CalculationKey[]): Promise<(Calculation | Problem)[]> {
  const isShown = ({ id, token }: CalculationKey): boolean => token !== undefined && tokens.check(token, 'calculation', id, 1);
  const shown = known.filter(isShown).map(({ id }) => id);
  const locked = shown.length > 0 ? await lockCalculations(tx, shown) : new Map<string, Calculation>();
  return known.map((one) => (isShown(one) && locked.get(one.id)) || new Problem('calculation_not_found'));
}

/** Locks one calculation. Throws `calculation_not_found` if the secret is wrong. */
async function lockOf(tx: Tx, tokens: Tokens, known: CalculationKey): Promise<Calculation> {
  const [locked = new Problem('calculation_not_found')] = await lockAll(tx, tokens, [known]);
  if (locked instanceof Problem) throw locked;
  return locked;
}

async function openOf(tx: Tx, tokens: Tokens, known: CalculationKey): Promise<Calculation> {
  const calculation = await lockOf(tx, tokens, known);
  if (calculation.orderId !== undefined) throw await usedProblem(tx, tokens, calculation.id);
  requireOpen(calculation, tx.now);
  return calculation;
}

async function read(db: Statements, tokens: Tokens, { id, token }: CalculationKey): Promise<{ found: Calculation; now: Date }> {
  if (token === undefined || !tokens.check(token, 'calculation', id, 1)) throw new Problem('calculation_not_found');
  const row = await readCalculation(db, id);
  if (!row) throw new Problem('calculation_not_found');
  if (row.found.orderId !== undefined) throw await usedProblem(db, tokens, id);
  requireOpen(row.found, row.now);
  return row;
}

/**
 * Returns the problem `calculation_used` with a link to the order, if the order's row is unaltered. The caller has proven to have
 * the calculation's secret (for example in another tab).
 */
export async function usedProblem(db: Statements, tokens: Tokens, id: string): Promise<Problem> {
  const order = await orderOfCalculation(db, id);
  const link = order && !order.isAltered && { id: order.number, token: tokens.make('order', order.view.id, order.tokenVersion) };
  return new Problem('calculation_used', link ? { order: link } : undefined);
}

/** Returns the key by which limits recognise an account; none for an account without fields. */
export function accountKey(currency: string, account: RailAccount | undefined): string[] {
  return account && account.key !== '' ? [`${currency}:${account.key}`] : [];
}

/** Returns the customer whose limits include a calculation. `holderId`: the account that is signed in. */
export async function limitsSubject(
  db: Statements,
  one: Pick<Calculation, 'from' | 'to' | 'device' | 'ip' | 'refund'> & { email: string; receive: RailAccount },
  holderId: string | undefined,
): Promise<Subject> {
  return {
    email: one.email,
    holder: await shownHolder(db, holderId),
    accounts: [...accountKey(one.to, one.receive), ...accountKey(one.from, one.refund)],
    device: one.device,
    ip: one.ip,
  };
}

/**
 * Returns the promised time of a review. It stays the same as long as the quote is held; each review decides again if an approval
 * is needed.
 */
function promisedFor({ from, to }: Calculation, { promised }: HeldQuote, hasWait: boolean): PromisedTime {
  return { seconds: promised?.seconds ?? promisedSeconds(from, to), ...(hasWait && { hasApproval: true as const }) };
}

function wireOf(tokens: Tokens, calculation: Calculation, quoteShown: Wire['quote']): Wire {
  const { id, from, to, email, receive, refund, askMe, wallet, coupon, expiresAt } = calculation;
  return {
    id,
    token: tokens.make('calculation', id, 1),
    step: stepOf(calculation),
    quote: quoteShown,
    ...(email !== undefined && { email, ask_me: askMe }),
    ...(wallet !== undefined && { wallet }),
    ...(coupon !== undefined && { coupon }),
    ...(receive && { receive: accountWire(to, receive) }),
    ...(refund && refund.key !== '' && { refund: accountWire(from, refund) }),
    expires_at: expiresAt.toISOString(),
  };
}

function accountWire(currency: string, account: RailAccount): NonNullable<Wire['receive']> {
  if (isWalletAccount(account)) return { currency, network: '', fields: {}, wallet: true };
  return { currency, network: currencyOf(currency)?.network ?? currency, fields: { ...account.fields } };
}

function reviewOf(
  { tokens, receipts }: CalculationDeps,
  calculation: Calculation,
  held: HeldQuote,
  { hasWait, hasMailDiscounts: mails }: { readonly hasWait: boolean; readonly hasMailDiscounts: boolean },
): Review {
  const digits = held.terms.giveDigits;
  const shown = (amount: HeldQuote['give']) => ({ amount: format(amount, digits), currency: calculation.from });
  return {
    ...wireOf(tokens, calculation, held.shown),
    lock_minutes: lockMinutes(),
    held: held.isWithinReserve,
    waits_for_approval: hasWait,
    mails_discounts: mails,
    ...(held.promised && { promised_minutes: held.promised.seconds / 60 }),
    refund_costs: shown(held.refundCost),
    smallest_refund: shown(held.minRefund),
    confirmations: listedCurrency(calculation.from)?.confirmations ?? '',
    receipt: reviewReceipt(receipts, { ...calculation, held }),
  };
}

function minutesOn(from: Date, minutes: number): Date {
  return new Date(from.getTime() + minutes * 60_000);
}
