import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { failedBy } from '../../../../../features/account/sign-in/wrong.ts';
import { shortNetwork } from '../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../features/money.tsx';
import { useSite } from '../../../../../features/site.ts';
import { useCurrency } from '../../../../../features/use-currency.ts';
import { m } from '../../../../../features/words.ts';
import { writeAmount, writePercent } from '../../../../../ui/base/amount.ts';
import { cx } from '../../../../../ui/base/cx.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useTryKey } from '../../confirm/once.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import type { User } from '../../user.ts';
import type { Wallet } from '../page.server.ts';
import type { WithdrawData } from './page.server.ts';
import { type Way, isVoucher } from './ways.ts';
import { AccountPart } from './account-part.tsx';
import { AmountField } from './amount-field.tsx';
import { Effect } from './effect.tsx';
import { AccountHistory } from './known-account.tsx';
import { Limits } from './limits.tsx';
import type { Withdrawal } from './statuses.ts';
import { type WayFee, readSum } from './sums.ts';
import { type Wanted, useQuote } from './use-quote.ts';
import css from './withdraw.module.css';

interface Props {
  readonly data: WithdrawData;
  readonly wallet: Wallet;
  readonly user: User;
  /** Called with the requested withdrawal; the page then shows it. */
  readonly onRequested: (one: Withdrawal) => void;
}

/** Form for a withdrawal from one wallet: network, receiving account, amount and confirmation. */
export function WithdrawForm({ data, wallet, user, onRequested }: Props): ReactNode {
  const { ways } = data;
  const able = ways.filter(({ refused }) => refused === undefined);
  const [rail, setRail] = useState(data.rail ?? able[0]?.rail);
  const way = able.find((one) => one.rail === rail) ?? able[0];
  const [text, setText] = useState('');
  if (!way)
    return (
      <Message tone="warning" title={m.withdraw_no_way()}>
        {m.withdraw_no_way_text()}
      </Message>
    );
  return <OneWay key={way.rail} {...{ data, wallet, user, onRequested, way, text, setText }} onPick={setRail} />;
}

/** Choice of the network, with the fee of each network. `fee` is the quoted fee of the typed amount by the chosen network. */
function Networks({
  ways,
  rail,
  unit,
  fee,
  onPick,
}: {
  ways: readonly Way[];
  rail: string;
  unit: string;
  fee: string | undefined;
  onPick: (rail: string) => void;
}): ReactNode {
  const money = useMoneyText();
  const { locale } = useSite();
  const feeText = (known: WayFee): string =>
    'percent' in known ? writePercent(known.percent, locale) : money({ amount: known.amount, currency: unit });
  const costs = ({ rail: own, terms }: Way): WayFee | undefined => (own === rail && fee ? { amount: fee } : terms?.fee);
  return (
    <fieldset className={css['networks']}>
      <legend>
        {ways.some(({ kind }) => kind === 'crypto') ? (
          <>
            {m.withdraw_network()} <small>{m.withdraw_network_hint()}</small>
          </>
        ) : (
          m.withdraw_system()
        )}
      </legend>
      <div className={css['options']}>
        {ways.map((way) => (
          <label key={way.rail} className={cx(css['option'], way.refused !== undefined && css['off'])}>
            <input
              type="radio"
              name="rail"
              value={way.rail}
              checked={way.rail === rail}
              disabled={way.refused !== undefined}
              onChange={() => onPick(way.rail)}
            />
            <b>{shortNetwork(way.network)}</b>
            <span className="num">
              {way.refused !== undefined
                ? m.withdraw_way_off()
                : costs(way) && m.withdraw_way_fee({ fee: feeText(costs(way) as WayFee) })}
            </span>
            {way.refused === undefined && way.minutes !== undefined && (
              <span className="num">{m.withdraw_way_minutes({ minutes: way.minutes })}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type OneWayProps = Props & {
  readonly way: Way;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly onPick: (rail: string) => void;
};

function OneWay({ data, wallet, user, onRequested, way, text, setText, onPick }: OneWayProps): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  const { currency: unit, available } = wallet;
  const { payDigits } = useCurrency(way.by);
  const request = useWithdrawal({ wallet, user, onRequested, way, text });
  const { typed, amount, tried: hasTried, quote, at, wrong } = request;
  const message = request.unfit.message ?? wrong.message ?? at['to'] ?? at['rail'];
  return (
    <form className={css['form']} onSubmit={request.submit} noValidate aria-label={m.withdraw_title()}>
      <div className={css['fields']}>
        <Networks ways={data.ways} rail={way.rail} unit={unit} fee={quote?.fee} onPick={onPick} />
        <AccountPart
          way={way}
          book={data.book}
          wrong={at}
          known={quote?.known && <AccountHistory {...quote.known} now={data.now} />}
          onFields={request.setFields}
        />
        <AmountField
          {...{ text, typed, wallet, payDigits, hasTried }}
          min={way.terms?.min}
          error={at['amount']}
          onType={setText}
        />
      </div>
      <div className={css['effect']}>
        <Effect {...{ way, unit, amount, available, quote }} isBusy={request.asking} />
        <Limits limits={data.limits} />
      </div>
      <div className={css['confirm']}>
        {message !== undefined && <Message tone="error" title={message} isLive />}
        <Message tone="warning">
          {warningOf(way)} {m.withdraw_looked_at({ sum: `${writeAmount(data.limits.alone, 2, locale)}\u00a0USD` })}
        </Message>
        <ConfirmPart
          confirm={request.confirm}
          email={user.email}
          wrong={wrong}
          isBusy={request.busy}
          name={m.withdraw_go({ amount: amount === undefined ? unit : money({ amount, currency: unit }) })}
          onMail={request.mail}
        />
      </div>
    </form>
  );
}

/**
 * Returns the state of the withdrawal's form: the quote, which follows the typed values, the confirmation, and the request. `at`
 * has the errors by field, from the checks in the browser and from the server.
 */
function useWithdrawal({
  wallet: { currency: unit, available },
  user,
  onRequested,
  way,
  text,
}: Pick<OneWayProps, 'wallet' | 'user' | 'onRequested' | 'way' | 'text'>) {
  const { locale } = useSite();
  const { digits } = useCurrency(way.by);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [tried, setTried] = useState(false);
  const names = ['amount', 'to', 'rail', ...way.fields.map(({ name }) => `to.${name}`)];
  const typed = readSum(text, { unit, digits, available, locale });
  const amount = typed && 'amount' in typed ? typed.amount : undefined;
  const isWhole = way.fields.every(({ name, required }) => !required || fields[name] !== undefined);
  const wanted: Wanted | undefined =
    amount === undefined ? undefined : { currency: unit, rail: way.rail, amount, ...(isWhole && { to: fields }) };
  const { quote, wrong: unfit, isBusy: asking, again } = useQuote(wanted, names);
  const confirm = useConfirm(user, quote?.confirmation ?? '');
  const { wrong, isBusy, run } = useWork([...names, confirm.field]);
  const tries = useTryKey();

  const mail = (): void => run(() => confirm.send(() => Promise.resolve(quote?.confirmation ?? '')));
  const send = (): void =>
    run(async () => {
      if (!wanted?.to || !quote) return;
      const input = { ...wanted, to: { ...wanted.to }, fee: quote.fee, ...confirm.codes() };
      try {
        onRequested(await moneyCalls.walletWithdrawRequest(input, { idempotencyKey: tries.of(input) }));
        tries.done();
      } catch (error) {
        if (failedBy(error, 'fee_changed')) again();
        throw error;
      }
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!wanted?.to || quote?.confirmation === undefined) return;
    if (confirm.isOpen) send();
    else mail();
  };
  const at: Record<string, string> = {
    ...(tried && !isWhole && Object.fromEntries(missing(way, fields))),
    ...unfit.at,
    ...wrong.at,
  };
  return { setFields, typed, amount, tried, quote, asking, unfit, at, confirm, wrong, busy: isBusy, mail, submit };
}

const warningOf = (way: Way): string =>
  isVoucher(way) ? m.withdraw_warning_voucher() : way.kind === 'crypto' ? m.withdraw_warning() : m.withdraw_warning_ewallet();

/** Returns an error for each required field that is empty. */
const missing = (way: Way, fields: Readonly<Record<string, string>>): [string, string][] =>
  way.fields
    .filter(({ name, required }) => required && fields[name] === undefined)
    .map(({ name }) => [`to.${name}`, m.withdraw_account_missing()]);
