import { type ReactNode, useId } from 'react';
import { Money } from '../../../../../features/money.tsx';
import { m } from '../../../../../features/words.ts';
import { Slip, SlipCut, SlipLine, SlipLines } from '../../../../../ui/parts/slip.tsx';
import type { Way } from './ways.ts';
import { leftOf } from './sums.ts';
import type { Quote } from './use-quote.ts';
import css from './withdraw.module.css';

/**
 * Effect of a withdrawal: the amount that leaves the wallet, the fee, the amount that arrives, and the time of arrival. Also the
 * number of people who must approve the withdrawal first.
 */
export function Effect({
  way,
  unit,
  amount,
  available,
  quote,
  isBusy,
}: {
  way: Way;
  unit: string;
  amount: string | undefined;
  available: string;
  quote: Quote | undefined;
  isBusy: boolean;
}): ReactNode {
  const titleId = useId();
  const sum = (text: string | undefined): ReactNode =>
    text === undefined ? '–' : <Money of={{ amount: text, currency: unit }} />;
  return (
    <Slip labelledBy={titleId}>
      <h2 className="card-title" id={titleId}>
        {m.withdraw_effect()}
      </h2>
      <div className={css['lines']} aria-live="polite">
        <SlipLines isBusy={isBusy}>
          <SlipLine label={m.withdraw_leaves()}>{sum(amount)}</SlipLine>
          <SlipLine label={m.withdraw_fee()}>{sum(quote?.fee)}</SlipLine>
          <SlipLine label={m.withdraw_arrives()} isTotal>
            {sum(quote?.arrives)}
          </SlipLine>
          <SlipLine label={m.withdraw_stays()}>
            {sum(amount === undefined ? available : leftOf(unit, available, amount))}
          </SlipLine>
        </SlipLines>
      </div>
      <SlipCut />
      <p className="small soft">
        {quote !== undefined && quote.people > 0
          ? quote.people > 1
            ? m.withdraw_two_people()
            : m.withdraw_person()
          : way.minutes === undefined
            ? m.withdraw_soon()
            : m.withdraw_minutes({ minutes: way.minutes })}
      </p>
    </Slip>
  );
}
