import type { ReactNode } from 'react';
import { cx } from '../base/cx.ts';
import css from './slip.module.css';

/** The slip: money arithmetic on a card with a perforated edge. One per screen. */
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
export function SlipLines({ children, busy = false }: { children: ReactNode; busy?: boolean }): ReactNode {
  return (
    <dl className={cx(css['lines'], busy && css['busy'])} aria-busy={busy || undefined}>
      {children}
    </dl>
  );
}

export function SlipLine({
  label,
  children,
  total = false,
  gain = false,
}: {
  label: ReactNode;
  children: ReactNode;
  total?: boolean;
  gain?: boolean;
}): ReactNode {
  return (
    <div className={cx(css['line'], total && css['total'], gain && css['gain'])}>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

/** The dashed line where a slip would be torn. */
export function SlipCut(): ReactNode {
  return <hr className={css['cut']} />;
}
