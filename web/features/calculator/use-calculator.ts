import { CallError } from '@kurs/contract/client';
import { saidBy } from '../account/said-by.ts';
import { readTyped } from '@kurs/money';
import { useEffect, useMemo, useState } from 'react';
import { writeAmount } from '../../ui/base/amount.ts';
import { useHydrated } from '../../ui/base/clock.ts';
import { useLocale } from '../../ui/base/locale.ts';
import { storedReference } from '../account/referral.ts';
import { browserClient } from '../api/client.ts';
import { restOf } from '../rest-of.ts';
import { findCurrency, minDigits } from '../currency.ts';
import { useSite } from '../site.ts';
import { directionOf, pairWith } from './choose-pair.ts';
import { couponRefusal } from './coupon-refusal.ts';
import {
  type AmountProblem,
  type Calculated,
  type Direction,
  type Quote,
  type Side,
  type BreakdownView,
  calculate,
  viewOfQuote,
} from './price-breakdown.ts';

/** State of the calculator with which the page was rendered. */
export interface CalculatorStart {
  readonly from: string;
  readonly to: string;
  readonly side: Side;
  /** Amount as canonical text; empty if none was given. */
  readonly amount: string;
  readonly quote?: Quote;
  /** Submitted text that could not be read as an amount, as typed. */
  readonly typed?: string;
  /** Server's message about the amount, if there is no quote for it. */
  readonly message?: string;
  /** Sides on which the exchange uses the account holder's wallets; absent if neither does. */
  readonly wallet?: 'give' | 'get' | 'both';
  /** Reference of the affiliate whose link the visitor followed; absent on pages that are cached for all visitors. */
  readonly ref?: string;
  /** Code of the coupon that the visitor gave. */
  readonly coupon?: string | undefined;
  /** Reason why the coupon was refused; the quote is then made without the coupon. */
  readonly couponRefused?: string;
}

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly side: Side;
  /** Amount of the edited side, as typed. */
  readonly text: string;
  /** Coupon code that the visitor gave. A refused code is not sent again, since the server limits wrong codes. */
  readonly coupon: string | undefined;
  readonly couponRefused?: string | undefined;
}

export interface Calculator {
  readonly draft: Draft;
  readonly direction: Direction | undefined;
  readonly view: BreakdownView | undefined;
  readonly problem: AmountProblem | undefined;
  /**
   * True if the visitor tried to submit an invalid amount. The amount's error is then shown even while the field has the focus.
   */
  readonly isRefused: boolean;
  readonly message: string | undefined;
  /** True while the server has not yet answered the request for a quote after the visitor's last change. */
  readonly isBusy: boolean;
  type(side: Side, text: string): void;
  /** Returns true if the typed text is an amount and may be submitted. The server checks the limits. */
  check(): boolean;
  /** Rewrites the typed amount in its usual form, `1,000.00`, when the visitor leaves the field. */
  settle(): void;
  set(side: Side, amount: string): void;
  pick(side: Side, code: string): void;
  swap(): void;
  /** Sets the coupon's code; an empty text removes the coupon. */
  useCode(code: string): void;
}

const UNREADABLE: AmountProblem = { code: 'unreadable' };

/**
 * Returns the calculator's state and actions. The amount of the side that was edited last determines the other side's amount. The
 * browser computes the other amount immediately, and the server confirms it shortly after.
 */
export function useCalculator(
  start: CalculatorStart,
  directions: readonly Direction[],
  ask = browserClient.calculate,
): Calculator {
  const locale = useLocale();
  const { currencies } = useSite();
  const [first] = useState<Draft>(() => {
    const min = minDigits(findCurrency(currencies, start.side === 'give' ? start.from : start.to).payDigits);
    return {
      from: start.from,
      to: start.to,
      side: start.side,
      text: start.typed ?? (start.amount === '' ? '' : writeAmount(start.amount, min, locale)),
      coupon: start.coupon,
      couponRefused: start.couponRefused,
    };
  });
  const [draft, setDraft] = useState(first);
  const [refused, refuse] = useState(start.typed === undefined ? undefined : first);
  const direction = directionOf(directions, draft);
  const [firstDirection] = useState(direction);
  const give = findCurrency(currencies, draft.from);
  const get = findCurrency(currencies, draft.to);
  const local: Calculated = useMemo(() => {
    // The page was rendered with the server's quote for this amount, so nothing is computed.
    const isQuoted = draft === first && direction === firstDirection && start.quote !== undefined;
    if (isQuoted) return { amount: readTyped(draft.text, locale, (draft.side === 'give' ? give : get).payDigits) ?? '' };
    return direction ? calculate(draft.text, draft.side, direction, give, get, locale) : {};
  }, [draft, direction, give, get, locale, first, firstDirection, start.quote]);
  const answer = useConfirmation(draft, local, direction, start, ask, setDraft);
  useAddress(draft, first, local.amount, start);
  const shown = answer.quote ?? (draft === first ? start.quote : undefined);
  const view = shown && (answer.quote || !local.view) ? viewOfQuote(shown) : local.view;
  const written = (side: Side, amount: string): string =>
    writeAmount(amount, minDigits((side === 'give' ? give : get).payDigits), locale);
  const set = (side: Side, amount: string): void => setDraft({ ...draft, side, text: written(side, amount) });

  return {
    draft,
    direction,
    view,
    problem: local.problem ?? (refused === draft && local.amount === undefined ? UNREADABLE : undefined),
    isRefused: refused === draft,
    message: local.problem ? undefined : answer.message,
    isBusy: answer.isBusy,
    type: (side, text) => setDraft({ ...draft, side, text }),
    check: () => {
      const readable = draft.text.trim() !== '' && local.problem?.code !== 'unreadable';
      if (!readable || local.problem) refuse(draft);
      return readable;
    },
    settle: () => {
      const amount = readTyped(draft.text, locale, (draft.side === 'give' ? give : get).payDigits);
      if (amount && written(draft.side, amount) !== draft.text) set(draft.side, amount);
    },
    set,
    pick: (side, code) => setDraft({ ...draft, ...pairWith(directions, draft, side, code) }),
    swap: () => {
      const amount = view?.get.amount ?? '';
      const min = minDigits(get.payDigits);
      setDraft({
        ...draft,
        from: draft.to,
        to: draft.from,
        side: 'give',
        text: amount === '' ? draft.text : writeAmount(amount, min, locale),
      });
    },
    useCode: (code) => setDraft({ ...draft, coupon: code.trim(), couponRefused: undefined }),
  };
}

interface Confirmation {
  readonly key: string;
  readonly draft: Draft;
  readonly quote?: Quote;
  readonly message?: string;
}

/** Requests a quote from the server 250 ms after the last change, and ignores answers to earlier inputs. */
function useConfirmation(
  draft: Draft,
  local: Calculated,
  direction: Direction | undefined,
  start: CalculatorStart,
  ask: typeof browserClient.calculate,
  setDraft: (draft: Draft) => void,
): { quote: Quote | undefined; message: string | undefined; isBusy: boolean } {
  const ref = useReference(start.ref);
  const coupon = draft.couponRefused === undefined ? draft.coupon || undefined : undefined;
  const question = (
    by: string | undefined,
    rate: string | undefined,
    amount: string | undefined,
    { from, to, side }: Pick<Draft, 'from' | 'to' | 'side'>,
  ): string => [from, to, side, amount, rate, start.wallet, by, coupon].join(' ');
  const key = question(ref, direction?.terms?.rate.value, local.amount, draft);
  const [answer, setAnswer] = useState<Confirmation>(() => ({
    key: question(start.ref, direction?.terms?.rate.value, local.amount, draft),
    draft,
    ...(start.quote ? { quote: start.quote } : {}),
    ...(start.message === undefined ? {} : { message: start.message }),
  }));
  const { amount, problem } = local;
  const asks = amount !== undefined && problem === undefined && direction?.open === true && answer.key !== key;
  useEffect(() => {
    if (!asks) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const { from, to, side } = draft;
      try {
        const { wallet } = start;
        const quote = await ask({ from, to, side, amount, wallet, ref, coupon }, { signal: stop.signal });
        if (!stop.signal.aborted) setAnswer({ key, draft, quote });
      } catch (error) {
        if (stop.signal.aborted || !(error instanceof CallError)) return;
        const couponRefused = coupon && couponRefusal(error);
        if (couponRefused) setDraft({ ...draft, couponRefused });
        else setAnswer({ key, draft, message: restOf({ errors: error.errors }, () => false) ?? saidBy(error) });
      }
    }, 250);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asks, key, amount, draft, start, ask, ref, coupon, setDraft]);
  const isNew = answer.draft !== draft;
  // The browser can't compute a coupon's discount. So after a change of the rate, the last confirmed quote is shown until the new
  // one arrives.
  const current = answer.key === key || (asks && !isNew && coupon) ? answer : undefined;
  // After a change of the rate the new price is computed immediately. The calculator doesn't show that the server is still
  // confirming it, because the visitor changed nothing.
  return { quote: current?.quote, message: current?.message, isBusy: asks && isNew };
}

/**
 * Returns the affiliate's reference. After hydration it comes from the visitor's cookie, since pages that are cached for all
 * visitors don't contain it.
 */
function useReference(known: string | undefined): string | undefined {
  return useHydrated() ? storedReference() : known;
}

/** Stores the calculator's inputs in the page's URL, so that they survive a reload and a change of language. */
function useAddress(draft: Draft, first: Draft, amount: string | undefined, start: CalculatorStart): void {
  useEffect(() => {
    if (draft === first || amount === undefined) return;
    const timer = setTimeout(() => {
      // Other parameters of the URL are not changed, such as the source of the visit.
      const query = new URLSearchParams(location.search);
      const { from, to, side, coupon } = draft;
      query.delete('typed');
      query.delete('coupon');
      for (const [name, value] of Object.entries({
        from,
        to,
        side,
        amount,
        ...(start.wallet && { wallet: start.wallet }),
        ...(coupon && { coupon }),
      }))
        query.set(name, value);
      history.replaceState(history.state, '', `${location.pathname}?${query}${location.hash}`);
    }, 400);
    return () => clearTimeout(timer);
  }, [draft, first, amount, start]);
}
