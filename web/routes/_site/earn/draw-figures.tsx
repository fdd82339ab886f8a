import type { ReactNode } from 'react';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount } from '../../../ui/base/amount.ts';
import { Code } from '../../../ui/parts/copyable.tsx';
import css from './earn.module.css';
import type { MadeDraw } from './own-earn.ts';

/**
 * Shows all values that are needed to check a draw, and the number that this browser computed from these values. `number` is
 * undefined until it is computed.
 */
export function DrawFigures({ draw, number }: { draw: MadeDraw; number: number | undefined }): ReactNode {
  const { locale } = useSite();
  const rows: readonly (readonly [string, string])[] = [
    [m.earn_id(), draw.id],
    [m.earn_commit(), draw.commit],
    [m.earn_seed(), draw.seed],
    [m.earn_text(), draw.client_seed],
    [m.earn_number(), number === undefined ? '…' : writeAmount(String(number), 0, locale)],
  ];
  return (
    <dl className={css['check']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Code>{value}</Code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
