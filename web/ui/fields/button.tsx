import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { cx } from '../base/cx.ts';
import { Icon } from '../base/icon.tsx';
import type { IconName } from '../base/icons.ts';
import css from './button.module.css';

interface Looks {
  /** A view has at most one primary button. */
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined;
  /** Height of the button: 54, 44, 36 or 30 px. */
  readonly size?: 'large' | 'normal' | 'small' | 'tiny' | undefined;
  readonly isWide?: boolean | undefined;
}

function classOf({ look = 'primary', size = 'normal', isWide = false }: Looks, more?: string): string {
  return cx(css['button'], css[look], css[size], isWide && css['wide'], more);
}

type ButtonProps = Looks & {
  readonly icon?: IconName | undefined;
  readonly iconAfter?: IconName | undefined;
  /** Text that replaces the label while work is in progress. The button is disabled for that time. */
  readonly busy?: string | false | undefined;
} & ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({
  look,
  size,
  isWide,
  icon,
  iconAfter,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, size, isWide }, className)}
      aria-busy={busy !== false || undefined}
      onClick={busy === false ? onClick : (event) => event.preventDefault()}
    >
      {busy !== false ? <Spinner /> : icon && <Icon name={icon} size={size === 'large' ? 20 : 16} />}
      <span>{busy !== false ? busy : children}</span>
      {busy === false && iconAfter && <Icon name={iconAfter} />}
    </button>
  );
}

/** Link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({
  look,
  size,
  isWide,
  icon,
  children,
  ...rest
}: Looks & { readonly icon?: IconName | undefined } & AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return (
    <a {...rest} className={classOf({ look, size, isWide })}>
      {icon && <Icon name={icon} size={20} />}
      <span>{children}</span>
    </a>
  );
}

/** Button with an icon alone; screen readers read its label. */
export function IconButton({
  name,
  label,
  className,
  ...rest
}: { readonly name: IconName; readonly label: string } & ButtonHTMLAttributes<HTMLButtonElement>): ReactNode {
  return (
    <button type="button" {...rest} className={cx(css['iconOnly'], className)} aria-label={label} title={label}>
      <Icon name={name} />
    </button>
  );
}

/** Magnifying glass at the start of a search field, which submits the text. */
export function SearchButton({ label }: { readonly label: string }): ReactNode {
  return (
    <button type="submit" className={css['glass']} aria-label={label}>
      <Icon name="magnifying-glass" size={16} />
    </button>
  );
}

function Spinner(): ReactNode {
  return (
    <svg className={css['spinner']} width={18} height={18} viewBox="0 0 18 18" aria-hidden="true">
      <circle
        cx="9"
        cy="9"
        r="7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeDasharray="33 11"
        strokeLinecap="round"
      />
    </svg>
  );
}
