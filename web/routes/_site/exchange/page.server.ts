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

/** Data of an exchange's current step: details, robot check, review, or the end if the calculation can't continue. */
export type ExchangeData = { readonly head: Head; readonly now: string } & (
  | {
      readonly step: 'details';
      readonly calculation: Calculation;
      readonly receiveFields: readonly AccountField[];
      /** Fields of the account for a refund; empty if refunds automatically go back to the source of the payment. */
      readonly refundFields: readonly AccountField[];
      /** True if a refund is a new voucher, shown on the order's page. */
      readonly isVoucherRefund: boolean;
      /** Reason why the quote of this step was made without the coupon. */
      readonly couponRefused?: string;
    }
  | { readonly step: 'check'; readonly id: string; readonly challenge: Challenge }
  | { readonly step: 'review'; readonly review: Review }
  | {
      readonly step: 'over';
      readonly title: string;
      readonly message: string;
      /** Requested exchange, present if another amount may be accepted. */
      readonly request?: Pick<Calculation, 'quote' | 'coupon'>;
    }
);

type Errors = Readonly<Record<string, readonly string[]>>;

/** Result of a form that did not lead to the next step. */
export interface ExchangeAnswer {
  readonly head?: Partial<Head>;
  /** Errors of step 2, by field. */
  readonly errors?: Errors;
  /** Values that were typed in step 2, by field. */
  readonly values?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Reason why the customer can't use the coupon. They may continue without the coupon. */
  readonly couponRefused?: string;
  /** New review that replaces the shown review. */
  readonly review?: Review;
  /** Amount to receive that the replaced review promised. */
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

/** Returns a fixed token that passes the robot check in the sandbox, so that tests with play money need no proof of work. */
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
    // The refund account is not checked here, because it depends on the rail and may need no fields.
    const complete = calculation.receive && calculation.email;
    return complete && visit.url.searchParams.get('step') !== '2'
      ? await loadReview(visit, draft)
      : await detailsData(visit, calculation);
  } catch (error) {
    if (!isCallError(error) || (error.status >= 500 && error.code !== 'rates_unavailable')) throw error;
    if (error.order) return redirect(orderUrl(visit, error.order), 303);
    const signIn = signInFirst(visit, error, requestedIn(calculation));
    if (signIn) return signIn;
    if (calculation && isOfCoupon(error))
      return data({ ...(await detailsData(visit, calculation)), couponRefused: error.message }, { status: error.status });
    const title = isOver(error) ? m.exchange_over_title() : m.exchange_stopped_title();
    const message = Object.values(error.errors)[0]?.[0] ?? error.message;
    const mayChange = calculation && 'amount' in error.errors ? { requested: calculation } : {};
    return data({ step: 'over', head: { title }, now: visit.now, title, message, ...mayChange }, { status: error.status });
  }
}

/** Returns the inputs of a calculation, as a query for the calculator. */
function requestedIn(calculation: Pick<Calculation, 'quote' | 'coupon'> | undefined): Record<string, string> {
  if (!calculation) return {};
  const { give, get } = calculation.quote;
  const { coupon } = calculation;
  return { from: give.currency, to: get.currency, amount: give.amount, side: 'give', ...(coupon !== undefined && { coupon }) };
}

/** Returns a redirect to the sign-in if a call failed because this exchange requires an account; otherwise undefined. */
async function signInWith(visit: Visit, draft: Draft, error: unknown): Promise<Response | undefined> {
  if (!failedWith(error, 'sign_in_needed')) return undefined;
  return signInFirst(visit, error, requestedIn(await visit.client.calculation(draft).catch(() => undefined)));
}

/** True if a call failed because the calculation can't continue. */
const isOver = (error: unknown): boolean => failedWith(error, 'calculation_not_found', 'calculation_expired', 'calculation_used');

/** Error codes of a coupon that this exchange or this customer can't use. */
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
    isVoucherRefund: given?.fields.length === 0,
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

/** Review that this request's action has made. The loader uses it, so that it doesn't request another quote. */
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

/** HTTP statuses of refusals that the page shows together with the typed values. */
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
      // Sent as false for an unticked box, so that the server reports the field as missing, with its own text.
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

/** Sorts the errors by the position of their fields on the page. */
function inPageOrder(errors: Errors): Errors {
  const place = (name: string): number => ['receive', 'refund', 'email', 'terms_accepted'].indexOf(name.split('.')[0] ?? '');
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => place(one) - place(other)));
}

/**
 * Returns errors for account fields that were left empty. The server checks accounts only if all other fields are right, but the
 * customer should see all errors together.
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
    sides.flatMap(([side, code, request]) => {
      const currency = currencies.find((one) => one.code === code);
      const empty = (currency?.[request] ?? []).filter(({ name, required }) => required && !values[`${side}.${name}`]?.trim());
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

/** Requests a new review: after the robot check, after the quote has expired, or after a change that `message` describes. */
async function renewReview(visit: Visit, draft: Draft, form: URLSearchParams, message?: string): Promise<unknown> {
  const token = form.get('bot_token');
  try {
    const review = await visit.client.step3({ ...draft, ...(token ? { bot_token: token } : sandboxPass(visit)) });
    reviewed.set(visit, review);
    const said = message === undefined ? {} : { message };
    return { head: { title: m.review_head() }, review, ...beforeOf(form), ...said } satisfies ExchangeAnswer;
  } catch (error) {
    if (!isCallError(error) || (error.status >= 500 && error.code !== 'bot_check_unavailable')) throw error;
    // The page is loaded again, and then shows the reason for the missing review or requests a new challenge.
    return redirect(visit.url.pathname + visit.url.search, 303);
  }
}

async function place(visit: Visit, draft: Draft, form: URLSearchParams): Promise<unknown> {
  try {
    const codes = Object.fromEntries(
      ['otp', 'two_factor_code'].flatMap((name) => (form.get(name) ? [[name, form.get(name)]] : [])),
    );
    // Another confirmation code makes another request, so it gets another key.
    const idempotencyKey = [draft.id, ...Object.values(codes)].join('-');
    const order = await visit.client.processOrder({ ...draft, ...codes }, { idempotencyKey });
    // The cookie leads the back button and other tabs to the order.
    if (draft.token) visit.setCookie(calculationCookie(draft.id), draft.token, PLACED_SECONDS);
    return redirect(orderUrl(visit, order), 303);
  } catch (error) {
    if (failedWith(error, 'quote_expired', 'market_moved')) return renewReview(visit, draft, form);
    // Something other than the price has changed. A message above the new review describes the change.
    if (failedWith(error, 'review_changed')) return renewReview(visit, draft, form, error.message);
    if (isOver(error)) return redirect(visit.url.pathname + visit.url.search, 303);
    const signIn = await signInWith(visit, draft, error);
    if (signIn) return signIn;
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ message: error.message } satisfies ExchangeAnswer, { status: error.status });
  }
}

/** Returns the URL of the order. Inside the dashboard it needs only the order's number, outside also the order's token. */
function orderUrl({ locale, url }: Visit, { id, token }: { id: string; token: string }): string {
  const { order } = flowAt(url.pathname);
  return pageUrl(locale, order, order === 'ownOrder' ? { id } : { id, token });
}

const beforeOf = (form: URLSearchParams): { before?: string } => {
  const before = form.get('before');
  return before === null ? {} : { before };
};
