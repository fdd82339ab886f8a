import type { Output, Routes } from '@kurs/contract';
import type { CallError } from '@kurs/contract/client';
import { say } from '@kurs/contract/words';
import { data, redirect } from 'react-router';
import type { AccountField } from '../../../features/account-input.tsx';
import type { Challenge } from '../../../features/bot-check/solve.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith, isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';
import { flowAt } from './flow.ts';
import { signInFirst } from './sign-in-first.ts';
import { PLACED_SECONDS, calculationCookie } from './calculation-cookie.ts';

export type Calculation = Output<Routes['calculation']>;
export type Review = Output<Routes['step3']>;

/** Where the flow stands: wallet details, the bot check, the review, or over. */
export type ExchangeData = { readonly head: Head; readonly now: string } & (
  | {
      readonly step: 'details';
      readonly calculation: Calculation;
      readonly receiveFields: readonly AccountField[];
      /** What is asked of the payer; none where a refund goes back by itself. */
      readonly refundFields: readonly AccountField[];
      /** A refund is a new voucher, shown on the order's page. */
      readonly refundsVoucher: boolean;
      /** Why its coupon gives nothing, which was found only now. */
      readonly couponRefused?: string;
    }
  | { readonly step: 'check'; readonly id: string; readonly challenge: Challenge }
  | { readonly step: 'review'; readonly review: Review }
  | {
      readonly step: 'over';
      readonly title: string;
      readonly message: string;
      /** The exchange that was asked for, where another amount may help. */
      readonly asked?: Pick<Calculation, 'quote' | 'coupon'>;
    }
);

type Errors = Readonly<Record<string, readonly string[]>>;

/** What a form came to when it did not lead on. */
export interface ExchangeAnswer {
  readonly head?: Partial<Head>;
  /** Words per field of the wallet details, and what was typed. */
  readonly errors?: Errors;
  readonly values?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Why the coupon can't be used by them; they may go on without it. */
  readonly couponRefused?: string;
  /** A new review in place of the shown one, and what would have been received before. */
  readonly review?: Review;
  readonly before?: string;
}

interface Draft {
  readonly id: string;
  readonly token?: string;
}

function draftOf(visit: Visit): Draft | undefined {
  const id = visit.url.searchParams.get('id') ?? '';
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
  const token = visit.cookies[calculationCookie(id)];
  return token === undefined ? { id } : { id, token };
}

/** In the sandbox this token passes the bot check: nobody should have to work for play money. */
const sandboxPass = ({ config }: Visit): { bot_token?: string } =>
  config.mode === 'sandbox' && !config.botCheck ? { bot_token: 'sandbox' } : {};

export async function load(visit: Visit): Promise<ExchangeData | ReturnType<typeof data<ExchangeData>> | Response> {
  const draft = draftOf(visit);
  if (!draft) return redirect(pageUrl(visit.locale, flowAt(visit.url.pathname).calculator));
  const made = reviewed.get(visit);
  if (made) return reviewData(visit, made);
  let calculation: Calculation | undefined;
  try {
    calculation = await visit.client.calculation(draft);
    // What is asked for a refund depends on the rail, and may be nothing.
    const complete = calculation.receive && calculation.email;
    return complete && visit.url.searchParams.get('step') !== '2'
      ? await loadReview(visit, draft)
      : await detailsData(visit, calculation);
  } catch (error) {
    if (!isCallError(error) || (error.status >= 500 && error.code !== 'rates_unavailable')) throw error;
    if (error.order) return redirect(orderUrl(visit, error.order), 303);
    const signIn = signInFirst(visit, error, askedIn(calculation));
    if (signIn) return signIn;
    if (calculation && isOfCoupon(error))
      return data({ ...(await detailsData(visit, calculation)), couponRefused: error.message }, { status: error.status });
    const title = isOver(error) ? m.exchange_over_title() : m.exchange_stopped_title();
    const message = Object.values(error.errors)[0]?.[0] ?? error.message;
    const mayChange = calculation && 'amount' in error.errors ? { asked: calculation } : {};
    return data({ step: 'over', head: { title }, now: visit.now, title, message, ...mayChange }, { status: error.status });
  }
}

/** What a calculation asks for, as the calculator reads it. */
function askedIn(calculation: Pick<Calculation, 'quote' | 'coupon'> | undefined): Record<string, string> {
  if (!calculation) return {};
  const { give, get } = calculation.quote;
  const { coupon } = calculation;
  return { from: give.currency, to: get.currency, amount: give.amount, side: 'give', ...(coupon !== undefined && { coupon }) };
}

/** Where a visitor signs in, if a call failed because the exchange of this draft takes an account. */
async function signInWith(visit: Visit, draft: Draft, error: unknown): Promise<Response | undefined> {
  if (!failedWith(error, 'sign_in_needed')) return undefined;
  return signInFirst(visit, error, askedIn(await visit.client.calculation(draft).catch(() => undefined)));
}

/** The calculation can't be gone on with. */
const isOver = (error: unknown): boolean => failedWith(error, 'calculation_not_found', 'calculation_expired', 'calculation_used');

/** The coupon can't be used in this exchange or by this customer. */
const COUPON_REFUSED = ['coupon_unknown', 'coupon_over', 'coupon_altered', 'coupon_not_here', 'coupon_not_yours'] as const;
const isOfCoupon = (error: unknown): error is CallError => failedWith(error, ...COUPON_REFUSED);

async function detailsData(visit: Visit, calculation: Calculation): Promise<Extract<ExchangeData, { step: 'details' }>> {
  const currencies = await visit.client.currencies({});
  const { give, get } = calculation.quote;
  const given = currencies.find(({ code }) => code === give.currency);
  return {
    step: 'details',
    head: { title: m.details_head() },
    now: visit.now,
    calculation,
    receiveFields: currencies.find(({ code }) => code === get.currency)?.fields ?? [],
    refundFields: given?.payer_fields ?? [],
    refundsVoucher: given?.fields.length === 0,
  };
}

async function loadReview(visit: Visit, draft: Draft): Promise<ExchangeData> {
  try {
    return reviewData(visit, await visit.client.step3({ ...draft, ...sandboxPass(visit) }));
  } catch (error) {
    if (!failedWith(error, 'bot_check_required', 'bot_check_failed')) throw error;
    const challenge = await visit.client.botChallenge({
      for: draft.id,
      ...(draft.token === undefined ? {} : { token: draft.token }),
    });
    return { step: 'check', head: { title: m.check_head() }, now: visit.now, id: draft.id, challenge };
  }
}

function reviewData(visit: Visit, review: Review): ExchangeData {
  return { step: 'review', head: { title: m.review_head() }, now: visit.now, review };
}

/** The review that an action of this request made, so that the page around it does not ask for another quote. */
const reviewed = new WeakMap<Visit, Review>();

export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const draft = draftOf(visit);
  if (!draft) return redirect(pageUrl(visit.locale, flowAt(visit.url.pathname).calculator), 303);
  switch (form.get('intent')) {
    case 'details':
      return giveDetails(visit, draft, form);
    case 'review':
      return renewReview(visit, draft, form);
    default:
      return place(visit, draft, form);
  }
}

/** Statuses of refusals that the page says beside what was typed. */
const REFUSED: ReadonlySet<number> = new Set([403, 409, 422]);

async function giveDetails(visit: Visit, draft: Draft, form: URLSearchParams): Promise<unknown> {
  const values = Object.fromEntries(form);
  const part = (prefix: string): Record<string, string> =>
    Object.fromEntries(
      [...form]
        .filter(([name]) => name.startsWith(`${prefix}.`))
        .map(([name, value]) => [name.slice(prefix.length + 1), value.trim()]),
    );
  try {
    const { price_changed: changed } = await visit.client.step2({
      ...draft,
      receive: part('receive'),
      refund: part('refund'),
      email: (form.get('email') ?? '').trim(),
      // An unticked box is said to be missing by the server, in its words.
      terms_accepted: form.has('terms_accepted') as true,
      ask_me: form.has('ask_me'),
      ...(form.has('without_coupon') && { without_coupon: true }),
    });
    const review = { id: draft.id, ...(changed !== undefined && { changed }) };
    return redirect(pageUrl(visit.locale, flowAt(visit.url.pathname).steps, review), 303);
  } catch (error) {
    if (isOver(error)) return redirect(visit.url.pathname + visit.url.search, 303);
    const signIn = await signInWith(visit, draft, error);
    if (signIn) return signIn;
    if (isOfCoupon(error)) {
      const head = { title: m.error_title({ title: m.details_head() }) };
      return data({ head, values, couponRefused: error.message } satisfies ExchangeAnswer, { status: error.status });
    }
    if (!isCallError(error) || (!REFUSED.has(error.status) && error.code !== 'rates_unavailable')) throw error;
    const answer: ExchangeAnswer = {
      head: { title: m.error_title({ title: m.details_head() }) },
      errors: inPageOrder(
        error.code === 'validation' ? { ...(await missingAccounts(visit, draft, values)), ...error.errors } : error.errors,
      ),
      values,
      message: error.message,
    };
    return data(answer, { status: error.status });
  }
}

/** Errors as their fields stand on the page, whatever the order in which they were found. */
function inPageOrder(errors: Errors): Errors {
  const place = (name: string): number => ['receive', 'refund', 'email', 'terms_accepted'].indexOf(name.split('.')[0] ?? '');
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => place(one) - place(other)));
}

/**
 * Words for accounts that were left empty. The server reads accounts only when all else is well; a person is told all at once.
 */
async function missingAccounts(visit: Visit, draft: Draft, values: Readonly<Record<string, string>>): Promise<Errors> {
  const [{ quote, wallet }, currencies] = await Promise.all([visit.client.calculation(draft), visit.client.currencies({})]);
  const sides = (
    [
      ['receive', quote.get.currency, 'fields', 'get'],
      ['refund', quote.give.currency, 'payer_fields', 'give'],
    ] as const
  ).filter(([, , , side]) => wallet !== side && wallet !== 'both');
  return Object.fromEntries(
    sides.flatMap(([side, code, asked]) => {
      const currency = currencies.find((one) => one.code === code);
      const empty = (currency?.[asked] ?? []).filter(({ name, required }) => required && !values[`${side}.${name}`]?.trim());
      return empty.map(({ name, type }) => [
        `${side}.${name}`,
        [
          say(visit.locale, type === 'address' ? 'fields.address_empty' : 'fields.required', {
            network: currency?.network ?? '',
          }) ?? '',
        ],
      ]);
    }),
  );
}

/** A new review: after the bot check, when the held quote is over, or since something changed (`message`: what). */
async function renewReview(visit: Visit, draft: Draft, form: URLSearchParams, message?: string): Promise<unknown> {
  const token = form.get('bot_token');
  try {
    const review = await visit.client.step3({ ...draft, ...(token ? { bot_token: token } : sandboxPass(visit)) });
    reviewed.set(visit, review);
    const said = message === undefined ? {} : { message };
    return { head: { title: m.review_head() }, review, ...beforeOf(form), ...said } satisfies ExchangeAnswer;
  } catch (error) {
    if (!isCallError(error) || (error.status >= 500 && error.code !== 'bot_check_unavailable')) throw error;
    // The page says why there is none, or asks for a new challenge.
    return redirect(visit.url.pathname + visit.url.search, 303);
  }
}

async function place(visit: Visit, draft: Draft, form: URLSearchParams): Promise<unknown> {
  try {
    const codes = Object.fromEntries(
      ['otp', 'two_factor_code'].flatMap((name) => (form.get(name) ? [[name, form.get(name)]] : [])),
    );
    // Another code is another try.
    const idempotencyKey = [draft.id, ...Object.values(codes)].join('-');
    const order = await visit.client.processOrder({ ...draft, ...codes }, { idempotencyKey });
    // With the secret a step back, or another tab, finds the order.
    if (draft.token) visit.setCookie(calculationCookie(draft.id), draft.token, PLACED_SECONDS);
    return redirect(orderUrl(visit, order), 303);
  } catch (error) {
    if (failedWith(error, 'quote_expired', 'market_moved')) return renewReview(visit, draft, form);
    // The price is the same: what changed is said in words above the new review.
    if (failedWith(error, 'review_changed')) return renewReview(visit, draft, form, error.message);
    if (isOver(error)) return redirect(visit.url.pathname + visit.url.search, 303);
    const signIn = await signInWith(visit, draft, error);
    if (signIn) return signIn;
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ message: error.message } satisfies ExchangeAnswer, { status: error.status });
  }
}

/** Where the order lives: in the dashboard it is found by its number alone. */
function orderUrl({ locale, url }: Visit, { id, token }: { id: string; token: string }): string {
  const { order } = flowAt(url.pathname);
  return pageUrl(locale, order, order === 'ownOrder' ? { id } : { id, token });
}

const beforeOf = (form: URLSearchParams): { before?: string } => {
  const before = form.get('before');
  return before === null ? {} : { before };
};
