import type { ReactNode } from 'react';
import blocks from '../../../../features/blocks/blocks.module.css';
import { Crumbs } from '../../../../features/blocks/crumbs.tsx';
import { Rich } from '../../../../server/document/rich-text.tsx';
import { useLocale } from '../../../../ui/base/locale.ts';
import css from '../solutions.module.css';

/** Title and introduction of a page with a calculator. */
export function DealIntro({
  title,
  crumb,
  lead,
  children,
}: {
  title: string;
  crumb: string;
  lead: string;
  children?: ReactNode;
}): ReactNode {
  const locale = useLocale();
  return (
    <>
      <Crumbs name={crumb} locale={locale} />
      <h1 className={blocks['title']}>{title}</h1>
      <p className={blocks['lead']}>
        <Rich text={lead} locale={locale} />
      </p>
      {children}
    </>
  );
}

/** Switch between prepared pairs of the calculator. Each is a link, so the switch works without JavaScript. */
export function Presets({
  label,
  places,
}: {
  label: string;
  places: readonly { readonly to: string; readonly name: string; readonly isChosen: boolean }[];
}): ReactNode {
  return (
    <nav className={css['switch']} aria-label={label}>
      {places.map(({ to, name, isChosen }) => (
        <a key={to} href={to} aria-current={isChosen ? 'true' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
