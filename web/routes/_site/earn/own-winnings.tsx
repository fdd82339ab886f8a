import { compare, parse } from '@kurs/money';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount, writeDecimal } from '../../../ui/base/amount.ts';
import { cx } from '../../../ui/base/cx.ts';
import { writeTime } from '../../../ui/base/time.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { Pill } from '../../../ui/parts/pill.tsx';
import { DrawFigures } from './draw-figures.tsx';
import css from './earn.module.css';
import { type MadeDraw, type OwnEarn, earnCalls, refreshOwn, useChecked, useOwn } from './own-earn.ts';

function useUsd(): (sum: string) => string {
  const { locale } = useSite();
  return (sum) => `${writeAmount(sum, 2, locale)}\u00a0USD`;
}

/** Section with the winnings of the signed-in account holder: balance, tasks and last draws. */
export function Yours({ minToWallet }: { minToWallet: string }): ReactNode {
  const own = useOwn();
  if (!own) return null;
  return (
    <section className={cx('wrap', css['yours'])} aria-labelledby="yours-title" id="yours">
      <h2 className="section-title" id="yours-title">
        {m.earn_own_title()}
      </h2>
      <div className={css['grid']}>
        <Balance own={own} minToWallet={minToWallet} />
        <Tasks own={own} />
      </div>
      <Draws draws={own.draws} />
    </section>
  );
}

const isLess = (sum: string, than: string): boolean => compare(parse('USDT', sum), parse('USDT', than)) < 0;

/** Balance of unused winnings, with buttons that turn it into credit or, from a minimum sum, move it to the wallet. */
function Balance({ own, minToWallet }: { own: OwnEarn; minToWallet: string }): ReactNode {
  const usd = useUsd();
  const { locale } = useSite();
  const [done, setDone] = useState<string>();
  const { wrong, isBusy, run } = useWork(['amount']);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const amount = String(new FormData(event.currentTarget).get('amount')).trim().replace(',', '.');
    const toWallet = submitter?.getAttribute('value') === 'wallet';
    run(async () => {
      setDone(undefined);
      const { moved } = await (toWallet ? earnCalls.earnToWallet({ amount }) : earnCalls.earnToCredit({ amount }));
      setDone(toWallet ? m.earn_moved_wallet({ sum: usd(moved) }) : m.earn_moved_credit({ sum: usd(moved) }));
      await refreshOwn();
    });
  };
  return (
    <section className="card pad" aria-labelledby="balance-title">
      <h3 className="card-title" id="balance-title">
        {m.earn_balance()}
      </h3>
      <p className={cx(css['sum'], 'num')}>{usd(own.balance)}</p>
      <dl className={css['facts']}>
        <dt>{m.earn_today()}</dt>
        <dd className="num">{usd(own.won_today)}</dd>
        <dt>{m.earn_may_go()}</dt>
        <dd className="num">{usd(own.to_wallet ?? own.balance)}</dd>
        <dt>{m.earn_credit()}</dt>
        <dd className="num">{usd(own.credit)}</dd>
      </dl>
      {own.balance !== '0.00' && (
        <form key={own.balance} onSubmit={submit} className={css['move']}>
          <Field
            name="amount"
            label={m.earn_amount()}
            defaultValue={writeDecimal(own.balance, locale)}
            inputMode="decimal"
            required
            error={wrong.at?.['amount']}
          />
          <Button type="submit" name="to" value="credit" look="secondary" busy={isBusy && m.earn_make_credit()}>
            {m.earn_make_credit()}
          </Button>
          {isLess(own.balance, minToWallet) ? (
            <p className="small soft">{m.affiliates_from({ sum: usd(minToWallet) })}</p>
          ) : (
            <Button type="submit" name="to" value="wallet" look="secondary" busy={isBusy && m.earn_put_wallet()}>
              {m.earn_put_wallet()}
            </Button>
          )}
        </form>
      )}
      {wrong.message !== undefined && <Message tone="error" isLive title={wrong.message} />}
      {done !== undefined && <Message tone="success" isLive title={done} />}
    </section>
  );
}

type Task = OwnEarn['tasks'][number];
const TASK: Record<Task['task'], () => string> = {
  email: () => m.earn_task_email(),
  two_factor: () => m.earn_task_two_factor(),
  first_order: () => m.earn_task_first_order(),
  streak: () => m.earn_task_streak(),
};

/** List of the tasks, each with its pay and the reason if it isn't available. */
function Tasks({ own }: { own: OwnEarn }): ReactNode {
  const usd = useUsd();
  const { wrong, isBusy, run } = useWork();
  const pay = (task: Task['task']): void =>
    run(async () => {
      await earnCalls.earnTask({ task });
      await refreshOwn();
    });
  return (
    <section className="card" aria-labelledby="own-tasks-title">
      <h3 className={cx('card-title', css['head'])} id="own-tasks-title">
        {m.earn_tasks_title()}
      </h3>
      <ul className={css['list']}>
        {own.tasks.map(({ task, pays, state }) => (
          <li key={task}>
            <span>{TASK[task]()}</span>
            {state === 'ready' ? (
              <Button
                look="secondary"
                size="small"
                onClick={() => pay(task)}
                busy={isBusy && m.earn_task_get({ sum: usd(pays) })}
              >
                {m.earn_task_get({ sum: usd(pays) })}
              </Button>
            ) : (
              <span className={css['state']}>
                <span className="num soft">{usd(pays)}</span>
                <Pill tone={state === 'paid' ? 'success' : 'neutral'}>
                  {state === 'paid' ? m.earn_task_paid() : m.earn_task_open()}
                </Pill>
              </span>
            )}
          </li>
        ))}
      </ul>
      {wrong.message !== undefined && <Message tone="error" isLive title={wrong.message} />}
    </section>
  );
}

/** List of the last draws, each checked by this browser. */
function Draws({ draws }: { draws: OwnEarn['draws'] }): ReactNode {
  return (
    <section className={cx('card', css['draws'])} aria-labelledby="draws-title">
      <h3 className={cx('card-title', css['head'])} id="draws-title">
        {m.earn_draws_title()}
      </h3>
      {draws.length === 0 ? (
        <p className={cx(css['none'], 'soft')}>{m.earn_no_draws()}</p>
      ) : (
        <ul className={css['list']}>
          {draws.map((draw) => (
            <DrawRow key={draw.id} draw={draw} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DrawRow({ draw }: { draw: MadeDraw }): ReactNode {
  const usd = useUsd();
  const { locale } = useSite();
  const found = useChecked(draw);
  return (
    <li>
      <details>
        <summary>
          <span>{writeTime(draw.at, locale)}</span>
          <b className="num">{usd(draw.prize)}</b>
          {found && (
            <Pill tone={found.isRight ? 'success' : 'error'}>{found.isRight ? m.earn_fits() : m.earn_does_not_fit()}</Pill>
          )}
        </summary>
        <DrawFigures draw={draw} number={found?.number} />
      </details>
    </li>
  );
}
