import { type ReactNode, useState } from 'react';
import { useActionData } from 'react-router';
import { Calculator } from '../../../features/calculator/calculator.tsx';
import type { Direction } from '../../../features/calculator/slip.ts';
import type { CalculatorStart } from '../../../features/calculator/use-calculator.ts';
import { useLiveDirections } from '../../../features/calculator/use-live-directions.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Message } from '../../../ui/message.tsx';
import { pageUrl } from '../../pages.ts';
import css from './frame.module.css';
import type { NewOrderData } from './new-order-data.ts';
import { type Sides, WalletSides } from './wallet-sides.tsx';

/** What a direction takes for the sides that are wallets: nothing of networks and rails. */
const WAIVED = { give: ['payin', 'sweep'], get: ['payout', 'network'] } as const;

/** The calculator, as everybody has it, and above it where it is paid from and where it goes. */
export function FirstStep({ data }: { data: NewOrderData }): ReactNode {
  const { locale, currencies } = useSite();
  const failure = useActionData<{ readonly message?: string } | undefined>();
  const live = useLiveDirections(data.offered);
  const [sides, setSides] = useState<Sides>(data.calculator?.wallet);
  const { calculator: start } = data;
  if (!start || live.directions.length === 0) {
    return (
      <Message tone="neutral" title={m.calculator_none()}>
        {m.calculator_none_text()}
      </Message>
    );
  }
  const unit = currencies.find(({ code }) => code === start.from)?.unit;
  const wallet = data.wallets.find((one) => one.currency === unit);
  return (
    <div className={css['calculator']}>
      <WalletSides
        sides={sides}
        available={wallet && unit ? { amount: wallet.available, unit } : undefined}
        onChange={setSides}
      />
      <Calculator
        key={[start.from, start.to, start.side, start.amount, sides].join(' ')}
        start={startWith(start, sides)}
        directions={live.directions.map((direction) => withoutWaived(direction, sides))}
        failure={failure?.message}
        action={pageUrl(locale, 'newOrder')}
        foot={false}
      />
    </div>
  );
}

/** What the server worked out for other sides is asked anew. */
function startWith({ wallet, ...start }: CalculatorStart, sides: Sides): CalculatorStart {
  if (wallet === sides) return { ...start, ...(wallet && { wallet }) };
  const { quote: _, message: __, ...rest } = start;
  return { ...rest, ...(sides && { wallet: sides }) };
}

function withoutWaived(direction: Direction, sides: Sides): Direction {
  const { terms } = direction;
  if (!terms || sides === undefined) return direction;
  const waived: readonly string[] = sides === 'both' ? [...WAIVED.give, ...WAIVED.get] : WAIVED[sides];
  return { ...direction, terms: { ...terms, costs: terms.costs.filter(({ code }) => !waived.includes(code)) } };
}
