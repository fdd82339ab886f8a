import type { ReactNode } from 'react';
import { useActionData } from 'react-router';
import { Calculator } from '../../../features/calculator/calculator.tsx';
import { useLiveDirections } from '../../../features/calculator/use-live-directions.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Message } from '../../../ui/message.tsx';
import { pageUrl } from '../../pages.ts';
import css from './frame.module.css';
import type { NewOrderData } from './new-order-data.ts';

/** The calculator, as everybody has it. */
export function FirstStep({ data }: { data: NewOrderData }): ReactNode {
  const { locale } = useSite();
  const failure = useActionData<{ readonly message?: string } | undefined>();
  const live = useLiveDirections(data.offered);
  const { calculator: start } = data;
  if (!start || live.directions.length === 0) {
    return (
      <Message tone="neutral" title={m.calculator_none()}>
        {m.calculator_none_text()}
      </Message>
    );
  }
  return (
    <div className={css['calculator']}>
      <Calculator
        key={[start.from, start.to, start.side, start.amount].join(' ')}
        start={start}
        directions={live.directions}
        failure={failure?.message}
        action={pageUrl(locale, 'newOrder')}
      />
    </div>
  );
}
