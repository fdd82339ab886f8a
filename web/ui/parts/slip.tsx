import type { ReactNode } from 'react';
import { cx } from '../base/cx.ts';
import css from './slip.module.css';

/** Card with a perforated edge that shows the arithmetic of an amount. A screen shows at most one slip. */
export function Slip({
  children,
  label,
  labelledBy,
  className,
}: {
  children: ReactNode;
  label?: string;
  labelledBy?: string;
  className?: string | undefined;
}): ReactNode {
  return (
    <section className={cx(css['slip'], className)} aria-label={label} aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}

/** Lines of a slip: label, dotted leader, value. */
export function SlipLines({ children, isBusy = false }: { children: ReactNode; isBusy?: boolean }): ReactNode {
  return (
    <dl className={cx(css['lines'], isBusy && css['busy'])} aria-busy={isBusy || undefined}>
      {children}
    </dl>
  );
}

export function SlipLine({
  label,
  children,
  isTotal = false,
  isGain = false,
}: {
  label: ReactNode;
  children: ReactNode;
  isTotal?: boolean;
  isGain?: boolean;
}): ReactNode {
  return (
    <div className={cx(css['line'], isTotal && css['total'], isGain && css['gain'])}>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

/** Dashed line across a slip. */
export function SlipCut(): ReactNode {
  return <hr className={css['cut']} />;
}
