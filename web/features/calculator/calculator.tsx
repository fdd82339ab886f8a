import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { writeAmount, writePercent, writeRate } from '../../ui/base/amount.ts';
import { Button } from '../../ui/fields/button.tsx';
import { useHydrated } from '../../ui/base/clock.ts';
import { cx } from '../../ui/base/cx.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/base/icon.tsx';
import { useLocale } from '../../ui/base/locale.ts';
import { Message } from '../../ui/parts/message.tsx';
import { useAfterPress } from '../../ui/base/press.ts';
import { Slip, SlipLine, SlipLines } from '../../ui/parts/slip.tsx';
import { viewerClient } from '../api/client.ts';
import { closedWords } from '../contract-words.ts';
import { type Currency, minDigits } from '../currency.ts';
import { useCurrency } from '../use-currency.ts';
import { Money, type Sum, useMoneyText } from '../money.tsx';
import { unreadable } from '../unreadable.ts';
import { m } from '../words.ts';
import css from './calculator.module.css';
import type { CouponFieldProps } from './coupon-field.tsx';
import { CurrencyButton } from './currency-button.tsx';
import { discountName, feeName } from './fee-name.ts';
import { LazyCoupon, noteCoupon } from './lazy-coupon.ts';
import { LevelNote } from './level-note.tsx';
import { isPriced } from './offers.ts';
import type { AmountProblem, Direction, Side, BreakdownView } from './price-breakdown.ts';
import { type Calculator as State, type CalculatorStart, useCalculator } from './use-calculator.ts';

interface CalculatorProps {
  readonly directions: readonly Direction[];
  /** Reason why the server refused the submitted form. */
  readonly failure: string | undefined;
  readonly action: string;
  /** True if a line below the button says which kind of account the exchange needs. */
  readonly hasFoot?: boolean;
  /** True if `directions` have the limits of the signed-in account; false if they have the limits of a visitor. */
  readonly isOwn?: boolean;
}

/** Step 1 of an exchange: the full price, and the button to step 2. Without a script it is an ordinary form. */
export function Calculator({ start, ...shown }: CalculatorProps & { readonly start: CalculatorStart }): ReactNode {
  return (
    <CalculatorBreakdown
      {...shown}
      state={useCalculator(start, shown.directions, shown.isOwn ? viewerClient.calculate : undefined)}
      wallet={start.wallet}
    />
  );
}

/** Calculator whose state belongs to the page, for pages that use this state in other components, too. */
export function CalculatorBreakdown({
  state,
  wallet,
  directions,
  failure,
  action,
  hasFoot = true,
  isOwn = false,
}: CalculatorProps & { readonly state: State; readonly wallet: CalculatorStart['wallet'] }): ReactNode {
  const hydrated = useHydrated();
  const titleId = useId();
  const leaving = useNavigation().state === 'submitting';
  const from = useCurrency(state.draft.from);
  const closed = state.direction?.open === false;
  const level = levelNeeded(from, { wallet, isOwn, direction: state.direction });
  // Stops a form whose amount can't be read. Without a script the server refuses it in the same way.
  const stopUnreadable = (event: FormEvent): void => {
    if (!hydrated || state.check()) return;
    event.preventDefault();
    document.getElementById(`amount-${state.draft.side}`)?.focus();
  };
  return (
    <Slip labelledBy={titleId}>
      <Form method="post" action={action} noValidate onSubmit={stopUnreadable}>
        {/* The Enter key presses the first button of a form. This hidden button makes the key continue to step 2. */}
        <button type="submit" name="intent" value="continue" hidden>
          {m.calculator_continue()}
        </button>
        <div className={css['head']}>
          <h2 className="card-title" id={titleId}>
            {m.calculator_title()}
          </h2>
          <span className="tiny mute num">{m.calculator_step({ step: 1, of: 3 })}</span>
        </div>
        <AmountBox side="give" state={state} directions={directions} isLevelNeeded={level !== undefined} />
        <div className={css['middle']}>
          <Swap isHydrated={hydrated} onSwap={state.swap} />
          <Arithmetic view={state.view} isBusy={state.isBusy} />
        </div>
        <AmountBox side="get" state={state} directions={directions} />
        <input type="hidden" name={hydrated ? 'side' : 'was_side'} value={state.draft.side} />
        {wallet && <input type="hidden" name="wallet" value={wallet} />}
        <Coupon code={state.draft.coupon} refused={state.draft.couponRefused} onUse={state.useCode} />
        <Notes state={state} failure={leaving ? undefined : failure} payer={from.name} isLevelNeeded={level} />
        <Continue
          isClosed={closed || (isOwn && level !== undefined)}
          busy={leaving && m.calculator_continuing()}
          isHydrated={hydrated}
        />
        {hasFoot && <Foot currency={from} wallet={wallet} />}
      </Form>
    </Slip>
  );
}

/**
 * Messages between the amounts and the button. They are about the server's refusal, the usual time, the payer's verification
 * level, and a closed direction.
 */
function Notes({
  state: { message, direction },
  failure,
  payer,
  isLevelNeeded,
}: {
  state: State;
  failure: string | undefined;
  /** Name of the currency that the customer sends. */
  payer: string;
  isLevelNeeded: number | undefined;
}): ReactNode {
  const locale = useLocale();
  const closed = direction?.open === false;
  return (
    <>
      {message && (
        <div className={css['message']}>
          <Message tone="warning" isLive>
            {message}
          </Message>
        </div>
      )}
      {failure && (
        <div className={css['message']}>
          <Message tone="error" isLive>
            {failure}
          </Message>
        </div>
      )}
      {direction?.usual_minutes !== undefined && (
        <p className={cx(css['usual'], 'small soft num')}>
          <Icon name="clock" size={18} />
          {m.calculator_usual({ minutes: direction.usual_minutes })}
        </p>
      )}
      {!closed && isLevelNeeded !== undefined && (
        <div className={css['message']}>
          <LevelNote name={payer} level={isLevelNeeded} />
        </div>
      )}
      {closed && (
        <div className={css['message']}>
          <Message tone="neutral" title={m.calculator_closed()}>
            {closedWords(direction.reason, locale)}
          </Message>
        </div>
      )}
    </>
  );
}

/** Button that swaps the two currencies. Without a script it submits the form. */
function Swap({ isHydrated, onSwap }: { isHydrated: boolean; onSwap: () => void }): ReactNode {
  return (
    <button
      className={css['swap']}
      type={isHydrated ? 'button' : 'submit'}
      name={isHydrated ? undefined : 'intent'}
      value="swap"
      aria-label={m.calculator_swap()}
      onClick={isHydrated ? onSwap : undefined}
    >
      <Icon name="arrows-down-up" size={16} />
    </button>
  );
}

/** Button to step 2. Without a script, a second button only computes the price. */
function Continue({ isClosed, busy, isHydrated }: { isClosed: boolean; busy: string | false; isHydrated: boolean }): ReactNode {
  return (
    <>
      <Button
        type="submit"
        name="intent"
        value="continue"
        size="large"
        isWide
        className={css['go']}
        iconAfter="arrow-right"
        disabled={isClosed}
        busy={busy}
      >
        {m.calculator_continue()}
      </Button>
      {!isHydrated && (
        <noscript>
          <button className={cx('link', css['calculate'])} type="submit" name="intent" value="calculate">
            {m.calculator_calculate()}
          </button>
        </noscript>
      )}
    </>
  );
}

/** Field for a coupon's code, collapsed unless the page was loaded with a code. */
function Coupon({ code, refused, onUse }: CouponFieldProps): ReactNode {
  const [open] = useState(Boolean(code));
  return (
    <details className={css['coupon']} open={open} ref={noteCoupon} onToggle={(event) => noteCoupon(event.currentTarget)}>
      <summary>{m.coupon_have()}</summary>
      <LazyCoupon code={code} refused={refused} onUse={onUse} />
    </details>
  );
}

/**
 * Returns the verification level that the viewer needs before they may pay; undefined if they may pay already. A visitor has
 * level 0.
 */
function levelNeeded(
  { payerLevel }: Currency,
  { wallet, isOwn, direction }: { wallet: CalculatorStart['wallet']; isOwn: boolean; direction: Direction | undefined },
): number | undefined {
  if (wallet === 'give' || wallet === 'both') return undefined;
  return isOwn ? direction?.needs_level : payerLevel;
}

/**
 * States the kind of account that the exchange needs: none for most currencies, a verified account if payers of the currency must
 * be verified.
 */
function Foot({ currency: { name, payerLevel }, wallet }: { currency: Currency; wallet: CalculatorStart['wallet'] }): ReactNode {
  const paysOutside = wallet !== 'give' && wallet !== 'both';
  return (
    <p className={cx(css['foot'], 'tiny mute')}>
      {payerLevel !== undefined && paysOutside ? m.calculator_foot_level({ name, level: payerLevel }) : m.calculator_foot()}
    </p>
  );
}

/** One side of the exchange: amount, currency, limits and the amount's error. */
function AmountBox({
  side,
  state,
  directions,
  isLevelNeeded = false,
}: {
  side: Side;
  state: State;
  directions: readonly Direction[];
  isLevelNeeded?: boolean;
}): ReactNode {
  const { draft, view, direction, problem } = state;
  const [left, setLeft] = useState(true);
  const afterPress = useAfterPress();
  const hydrated = useHydrated();
  const locale = useLocale();
  const errorId = useId();
  const limitsId = useId();
  const code = side === 'give' ? draft.from : draft.to;
  const digits = minDigits(useCurrency(code).payDigits);
  const label = side === 'give' ? m.you_send() : m.you_receive();
  const write = (amount: string): string => writeAmount(amount, digits, locale);
  const priced = direction?.open && isPriced(direction) ? limitsOf(side, direction, write) : '';
  const limits = isLevelNeeded && direction?.open ? m.calculator_level_limits() : priced;
  const computed = view ? writeAmount(view[side].amount, digits, locale) : '';
  const value = draft.side === side ? draft.text : computed;
  const own = problem && (problem.side ?? draft.side) === side ? problem : undefined;
  // The error of an amount above a limit is shown immediately. Other errors are shown when the visitor leaves the field, since
  // more digits may follow.
  const shown = own && (left || state.isRefused || own.code === 'above_max' || own.code === 'above_reserve') ? own : undefined;
  return (
    <div>
      <div className={cx(css['box'], shown && css['wrong'])}>
        <div className={css['top']}>
          <label htmlFor={`amount-${side}`}>{label}</label>
          <span className={cx('num', ownLine(label.length + limits.length))} id={limitsId}>
            {limits}
          </span>
        </div>
        <div className={css['main']}>
          <span className={css['value']}>
            <input
              className={cx(css['amount'], sizeOf(value), state.isBusy && draft.side !== side && css['stale'])}
              id={`amount-${side}`}
              name={side}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              value={value}
              aria-describedby={`${limitsId} ${errorId}`}
              aria-invalid={shown ? true : undefined}
              aria-busy={(state.isBusy && draft.side !== side) || undefined}
              onChange={(event) => state.type(side, event.target.value)}
              onFocus={() => setLeft(false)}
              onBlur={() => {
                afterPress(() => setLeft(true));
                if (draft.side === side) state.settle();
              }}
            />
          </span>
          <CurrencyButton side={side} code={code} directions={directions} onPick={(picked) => state.pick(side, picked)} />
        </div>
      </div>
      {!hydrated && <input type="hidden" name={`was_${side}`} value={value} />}
      <div id={errorId}>{shown && <Problem problem={shown} typed={draft.text} onFix={state.set} />}</div>
    </div>
  );
}

/**
 * Returns the class for the font size of an amount. A long amount gets a smaller font, so that all its digits are visible beside
 * the currency's name.
 */
function sizeOf(text: string): string | undefined {
  // A separator is half as wide as a digit.
  const length = /[.,\s]/.test(text) ? text.length : text.length + 1;
  const over = [16, 12, 8, 6, 5].findIndex((max) => length > max);
  return [css['longest'], css['longer'], css['long'], undefined, css['short'], css['shorter']].at(over);
}

/**
 * Returns the class that sets the box width below which the limits get a line of their own. The class depends on the number of
 * characters, not on the measured width. With measured widths the box would change its height when the font has loaded.
 */
function ownLine(length: number): string | undefined {
  const over = [42, 37, 33, 27].find((max) => length > max);
  return over === undefined ? undefined : css[`over${over}`];
}

const limitsOf = (side: Side, { min, max, reserve }: Direction, write: (amount: string) => string): string =>
  side === 'give' ? m.calculator_limits({ min: write(min), max: write(max) }) : m.calculator_reserve({ amount: write(reserve) });

/** Error of an amount, with a button that sets the nearest allowed amount. */
function Problem({
  problem,
  typed,
  onFix,
}: {
  problem: AmountProblem;
  typed: string;
  onFix: (side: Side, amount: string) => void;
}): ReactNode {
  const text = useMoneyText();
  const { code, limit, side } = problem;
  if (!limit || !side || code === 'unreadable') return <FieldError>{unreadable(typed)}</FieldError>;
  const sentence = {
    below_min: m.amount_below_min,
    above_max: m.amount_above_max,
    above_reserve: m.amount_above_reserve,
    eaten: m.amount_below_min,
  }[code];
  return (
    <FieldError>
      {sentence({ amount: text(limit) })}{' '}
      <button type="button" className={cx('link', css['fix'])} onClick={() => onFix(side, limit.amount)}>
        {m.amount_set({ amount: text(limit) })}
      </button>
    </FieldError>
  );
}

/**
 * Lines of the price: sent − fee − costs + discount = exchanged; exchanged × rate = received. Without an amount the lines show
 * dashes.
 */
function Arithmetic({ view, isBusy }: { view: BreakdownView | undefined; isBusy: boolean }): ReactNode {
  const locale = useLocale();
  const [last, store] = useState(view?.fees);
  if (view && view.fees !== last) store(view.fees);
  const [given, storeGiven] = useState(view?.discounts);
  // Only the server computes discounts. Until it answers, the discount lines of its last answer are shown.
  if (view && !isBusy && view.discounts !== given) storeGiven(view.discounts);
  const lines: readonly { code: string; percent?: string; sum?: Sum }[] = view?.fees ?? last ?? [{ code: 'fee' }];
  return (
    <SlipLines isBusy={isBusy}>
      {lines.map((fee) => (
        <SlipLine
          key={fee.code}
          label={feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale))}
        >
          {view && fee.sum ? <Money of={fee.sum} /> : '–'}
        </SlipLine>
      ))}
      {(isBusy ? given : view?.discounts)?.map(({ code }) => {
        const now = view?.discounts.find((line) => line.code === code);
        return (
          <SlipLine key={code} label={discountName(code)} isGain>
            {now ? <Money of={now.sum} sign="+" /> : '–'}
          </SlipLine>
        );
      })}
      <SlipLine label={m.slip_exchanged()}>{view ? <Money of={view.exchanged} /> : '–'}</SlipLine>
      <SlipLine label={m.slip_rate()}>
        {view ? `1\u00a0${view.rate.base} = ${writeRate(view.rate.value, locale)}\u00a0${view.rate.quote}` : '–'}
      </SlipLine>
    </SlipLines>
  );
}
