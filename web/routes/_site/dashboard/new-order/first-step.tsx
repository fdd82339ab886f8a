import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useActionData } from 'react-router';
import { storedReference } from '../../../../features/account/referral.ts';
import { CalculatorBreakdown } from '../../../../features/calculator/calculator.tsx';
import type { Direction } from '../../../../features/calculator/price-breakdown.ts';
import { type CalculatorStart, useCalculator } from '../../../../features/calculator/use-calculator.ts';
import { useLiveDirections } from '../../../../features/calculator/use-live-directions.ts';
import { viewerClient } from '../../../../features/api/client.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { pageUrl } from '../../../pages.ts';
import css from '../frame/frame.module.css';
import type { NewOrderData } from './page.server.ts';
import { type Sides, WalletSides } from './wallet-sides.tsx';

/**
 * First step of an exchange: the public calculator, and above it the choice to pay from a wallet and to receive into a wallet.
 */
export function FirstStep({ data }: { data: NewOrderData }): ReactNode {
  const { calculator: start } = data;
  const [sides, setSides] = useState<Sides>(start?.wallet);
  // Limits and costs depend on the account and on the sides that use wallets. The previous ones are shown until the new ones are
  // loaded.
  const ask = useCallback(() => viewerClient.directions({ wallet: sides, ref: storedReference() }), [sides]);
  const { directions } = useLiveDirections(data.offered, ask);
  if (!start || directions.length === 0) {
    return (
      <Message tone="neutral" title={m.calculator_none()}>
        {m.calculator_none_text()}
      </Message>
    );
  }
  const key = [start.from, start.to, start.side, start.amount, start.coupon].join(' ');
  return <Exchange key={key} wallets={data.wallets} {...{ start, sides, setSides, directions }} />;
}

function Exchange({
  start: begun,
  wallets,
  sides,
  setSides,
  directions,
}: Pick<NewOrderData, 'wallets'> & {
  readonly start: CalculatorStart;
  readonly sides: Sides;
  readonly setSides: (sides: Sides) => void;
  readonly directions: readonly Direction[];
}): ReactNode {
  const { locale, currencies } = useSite();
  const failure = useActionData<{ readonly message?: string } | undefined>();
  const start = useMemo(() => startWith(begun, sides), [begun, sides]);
  const state = useCalculator(start, directions, viewerClient.calculate);
  const unit = currencies.find(({ code }) => code === state.draft.from)?.unit;
  const wallet = wallets.find((one) => one.currency === unit);
  return (
    <div className={css['calculator']}>
      <WalletSides
        sides={sides}
        available={wallet && unit ? { amount: wallet.available, unit } : undefined}
        onChange={setSides}
      />
      <CalculatorBreakdown
        state={state}
        wallet={sides}
        directions={directions}
        failure={failure?.message}
        action={pageUrl(locale, 'newOrder')}
        hasFoot={false}
        isOwn
      />
    </div>
  );
}

/**
 * Returns the calculator's first state for the chosen sides. Drops a server's quote that was made for other sides, so that a new
 * quote is requested.
 */
function startWith({ wallet, ...start }: CalculatorStart, sides: Sides): CalculatorStart {
  if (wallet === sides) return { ...start, ...(wallet && { wallet }) };
  const { quote: _, message: __, ...rest } = start;
  return { ...rest, ...(sides && { wallet: sides }) };
}
