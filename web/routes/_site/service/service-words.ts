import { format, parse, roundTo } from '@kurs/money';
import { closedWords } from '../../../features/contract-words.ts';
import { feeName } from '../../../features/calculator/fee-name.ts';
import { type Currency, shortNetwork, tickerOf } from '../../../features/currency.ts';
import { writeMoney } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { writePercent } from '../../../ui/base/amount.ts';
import type { Locale } from '../../../ui/base/locale.ts';
import type { ServiceFacts } from './service-facts.ts';

type Line = readonly [title: string, text: string];
type Words = readonly Line[];

const joined = (sentences: readonly (string | false | undefined)[]): string => sentences.filter(Boolean).join(' ');

/** Returns the short name of a currency's network. */
const networkOf = (currency: Currency): string => shortNetwork(currency.network);

/** Returns one sentence that says what the customer sends and what they receive. */
export function leadOf({ from, to, payIn, payOut }: ServiceFacts): string {
  const give = {
    address: () => m.service_give_address({ asset: tickerOf(from), network: networkOf(from) }),
    redirect: () => m.service_give_account({ name: from.name }),
    voucher: () => m.service_give_voucher({ name: from.name }),
  }[payIn]();
  const get = {
    address: () => m.service_get_address({ asset: tickerOf(to), network: networkOf(to) }),
    account: () => m.service_get_account({ asset: tickerOf(to), name: to.name }),
    code: () => m.service_get_code({ name: to.name }),
  }[payOut]();
  return `${give} ${get}`;
}

/** Returns our fee as text: a percentage, or a range if it has steps. */
export function feeOf({ direction }: ServiceFacts, locale: Locale): string {
  const steps = direction.terms?.spread.map(({ percent }) => percent) ?? [direction.fee_percent];
  const sorted = steps.toSorted((a, b) => +a - +b);
  const [low, high] = [sorted[0] ?? '0', sorted.at(-1) ?? '0'];
  return low === high ? writePercent(low, locale) : `${writePercent(low, locale).replace('%', '')}–${writePercent(high, locale)}`;
}

/** Returns the amount of a cost as it is charged: rounded up to the decimals of payments. */
export const takenOf = (sum: string, { unit, payDigits }: Currency): string =>
  format(roundTo(parse(unit, sum), payDigits, 'up'), payDigits);

/** Returns the names of a direction's costs, and the amount of each as text. */
export function costsOf({ direction, from }: ServiceFacts, locale: Locale): Words {
  const money = (sum: string): string => writeMoney({ amount: takenOf(sum, from), currency: from.code }, [from], locale);
  return (direction.terms?.costs ?? []).map((line) => {
    const percent = line.percent === undefined ? undefined : writePercent(line.percent, locale);
    const fixed = line.fixed === undefined ? undefined : money(line.fixed);
    const sum = [percent, fixed].filter((part) => part !== undefined).join(' + ');
    const bounds = [
      line.min === undefined ? undefined : m.service_cost_min({ amount: money(line.min) }),
      line.cap === undefined ? undefined : m.service_cost_cap({ amount: money(line.cap) }),
    ];
    return [feeName(line.code), [sum, ...bounds].filter(Boolean).join(', ')] as const;
  });
}

/**
 * Returns texts about a closed direction: the reason, and the condition for opening it again. Returns undefined if the direction
 * is open.
 */
export function closedOf({ direction }: ServiceFacts, locale: Locale): { title: string; text: string } | undefined {
  const { reason, open } = direction;
  if (open) return undefined;
  const when = {
    stopped: m.service_opens_after_stop,
    switched_off: m.service_opens_by_desk,
    rail_off: m.service_opens_with_rail,
    rail_down: m.service_opens_with_network,
    payouts_off: m.service_opens_with_payouts,
    reserve: m.service_opens_with_reserve,
    costs: m.service_opens_with_costs,
  }[reason ?? ''];
  const why = closedWords(reason, locale);
  return {
    title: m.calculator_closed(),
    text: joined([why && `${why}.`, (when ?? (reason?.startsWith('rates') ? m.service_opens_with_rates : m.service_opens))()]),
  };
}

/** Returns the texts for the steps of an exchange, from the amount to the payout. */
export function stepsOf(facts: ServiceFacts): Words {
  const { from, to, payIn, payOut, receiveFields, refundFields, isVoucherRefund, confirmations, reversible } = facts;
  const back = isVoucherRefund ? m.service_step_again() : m.service_step_source();
  const [asset, name] = [tickerOf(from), from.name];
  const list = (labels: readonly string[]): string => labels.map(lowered).join(', ');
  const details = joined([
    payOut === 'code' ? m.service_step_code() : m.service_step_receive({ fields: list(receiveFields) }),
    refundFields.length === 0 ? back : m.service_step_refund({ fields: list(refundFields) }),
    reversible?.email ?? m.service_step_email(),
  ]);
  const pay: Line = (
    {
      address: [m.service_step_send({ asset }), m.service_step_send_text({ network: networkOf(from) })],
      redirect: [m.service_step_leave({ name }), m.service_step_leave_text({ name })],
      voucher: [m.service_step_enter(), m.service_step_enter_text({ name })],
    } satisfies Record<string, Line>
  )[payIn];
  const final = {
    address: m.service_step_confirmed({ confirmations: confirmations ?? '1' }),
    redirect: reversible ? `${reversible.paid} ${reversible.wait}` : m.service_step_paid({ name }),
    voucher: m.service_step_redeemed(),
  }[payIn];
  const got: Line = (
    {
      address: [m.service_step_get({ asset: tickerOf(to) }), m.service_step_transaction()],
      account: [m.service_step_get({ asset: tickerOf(to) }), m.service_step_reference({ name: to.name })],
      code: [m.service_step_get_code(), m.service_step_get_code_text()],
    } satisfies Record<string, Line>
  )[payOut];
  return [
    [m.service_step_amount(), m.service_step_amount_text()],
    [m.service_step_details(), details],
    pay,
    [got[0], joined([final, got[1]])],
  ];
}

/**
 * Begins a label with a small letter, for the middle of a sentence: `Адрес в сети Bitcoin` → `адрес в сети Bitcoin`, `E‑mail` →
 * `e‑mail`. Names and abbreviations stay unchanged.
 */
const lowered = (label: string): string =>
  label.replace(/^(?:[А-ЯЁ](?=[а-яё ])|E(?=\u2011mail))/, (first) => first.toLowerCase());

/** Returns questions that customers have before they send money, with answers from the direction's data. */
export function questionsOf(facts: ServiceFacts, locale: Locale): Words {
  const { direction, from, to, payIn, payOut, lockMinutes, confirmations, reversible } = facts;
  const money = (amount: string, currency: Currency): string =>
    writeMoney({ amount, currency: currency.code }, [currency], locale);
  const costs = costsOf(facts, locale);
  const { usual_minutes: minutes, terms } = direction;
  const answers: (readonly [string, string] | false | undefined)[] = [
    [
      m.service_ask_cost(),
      joined([
        m.service_cost_fee({ fee: feeOf(facts, locale) }),
        terms && m.service_cost_least({ min: money(takenOf(terms.least_fee, from), from) }),
        costs.length > 0 &&
          m.service_cost_lines({
            lines: costs.map(([title, sum]) => `${title.charAt(0).toLowerCase()}${title.slice(1)} (${sum})`).join('; '),
          }),
        m.service_cost_rate(),
      ]),
    ],
    [
      m.service_ask_time(),
      joined([
        payIn === 'address' && m.service_time_network({ confirmations: confirmations ?? '1' }),
        payIn === 'redirect' && m.service_time_provider({ name: from.name }),
        payIn === 'voucher' && m.service_time_voucher(),
        reversible?.wait ?? (minutes === undefined ? m.service_time_unknown() : m.service_time_usual({ minutes })),
      ]),
    ],
    payIn === 'address' && [m.service_ask_network(), m.service_network({ network: networkOf(from), asset: tickerOf(from) })],
    payIn === 'address' && [m.service_ask_platform(), m.service_platform()],
    payIn === 'redirect' && [m.service_ask_return({ name: from.name }), m.service_return({ name: from.name })],
    reversible && [reversible.account_question, reversible.account],
    payIn === 'voucher' && [m.service_ask_voucher(), m.service_voucher({ name: from.name })],
    payOut === 'address' && [m.service_ask_address(), m.service_address({ network: networkOf(to) })],
    payOut === 'account' && [m.service_ask_account({ name: to.name }), m.service_account({ name: to.name })],
    payOut === 'code' && [m.service_ask_code(), m.service_code()],
    payIn !== 'redirect' && [m.question_amount(), m.answer_amount()],
    [m.question_late(), payIn === 'address' ? m.answer_late({ minutes: lockMinutes }) : m.service_late({ minutes: lockMinutes })],
    direction.open && [
      m.service_ask_limits(),
      joined([
        m.service_limits({
          min: money(direction.min, from),
          max: money(direction.max, from),
          reserve: money(direction.reserve, to),
        }),
        reversible?.limits,
      ]),
    ],
    [m.question_check(), reversible?.check ?? m.answer_check()],
  ];
  return answers.filter((one) => one !== false && one !== undefined);
}
