import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../fields/button.tsx';
import { cx } from '../base/cx.ts';
import css from './copyable.module.css';

/** Maximum number of characters in a line of a long code. All lines of the code get the same length. */
const LINE = 22;

/** Shows a crypto address, code or hash. Its first and last six characters are emphasised, since people compare those. */
export function Code({ children, isShort = false }: { children: string; isShort?: boolean }): ReactNode {
  if (children.length <= 16) return <span className={css['code']}>{children}</span>;
  if (isShort) {
    return (
      <span className={css['code']} title={children}>
        <b>{children.slice(0, 6)}</b>…<b>{children.slice(-6)}</b>
      </span>
    );
  }
  return (
    <span className={css['code']}>
      <b>{children.slice(0, 6)}</b>
      {breakable(children).map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
      <b>{children.slice(-6)}</b>
    </span>
  );
}

/** Shows a link with a query. The line may break before the query; the query's last value is emphasised. */
export function LinkText({ children }: { children: string }): ReactNode {
  const [query, value] = [children.indexOf('?'), children.lastIndexOf('=') + 1];
  return (
    <span className={css['code']}>
      {children.slice(0, query)}
      <wbr />
      {children.slice(query, value)}
      <b>{children.slice(value)}</b>
    </span>
  );
}

/** Returns a code without its first and last six characters, split into pieces. Lines may break between the pieces. */
function breakable(code: string): string[] {
  const lines = Math.ceil(code.length / LINE);
  const ends = Array.from({ length: lines - 1 }, (_, index) => Math.round(((index + 1) * code.length) / lines));
  return [6, ...ends].map((start, index) => code.slice(start, ends[index] ?? -6));
}

type CopyLook = 'primary' | 'secondary' | 'icon';

export interface CopyWords {
  readonly copy: string;
  readonly copied: string;
}

/**
 * Button that copies a value; with the look `icon`, an icon alone. If the browser refuses to copy, the button selects the text of
 * the element in `selects`.
 */
export function CopyButton({
  value,
  words,
  name,
  look = 'secondary',
  selects,
}: {
  value: string;
  words: CopyWords;
  /** Name of the value, for screen readers. */
  name: string;
  look?: CopyLook;
  selects?: React.RefObject<HTMLElement | null>;
}): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      if (selects?.current) getSelection()?.selectAllChildren(selects.current);
    }
  };
  const label = `${copied ? words.copied : words.copy}: ${name}`;
  if (look === 'icon') {
    return (
      <span className={css['iconButton']}>
        <IconButton name={copied ? 'check' : 'copy'} label={label} onClick={() => void copy()} />
        <output className="sr">{copied && words.copied}</output>
      </span>
    );
  }
  return (
    <Button
      look={look}
      size="small"
      icon={copied ? 'check' : 'copy'}
      onClick={() => void copy()}
      className={css['button']}
      aria-label={label}
    >
      <span aria-live="polite">{copied ? words.copied : words.copy}</span>
    </Button>
  );
}

/** Row with a label, a value and a button that copies the value. */
export function Copyable({
  label,
  value,
  children,
  hint,
  words,
  look = 'secondary',
  isStacked = false,
}: {
  label: string;
  /** Text that the button copies. */
  value: string;
  /** Displayed form of the value; if absent, the value is shown as a code. */
  children?: ReactNode;
  hint?: ReactNode;
  words: CopyWords;
  look?: CopyLook;
  /** True if a long value gets a line of its own, below the button. On small screens the button stands below the value. */
  isStacked?: boolean;
}): ReactNode {
  const shown = useRef<HTMLDivElement>(null);
  return (
    <div className={cx(css['row'], isStacked && css['stacked'])}>
      <div className={css['label']}>{label}</div>
      <div ref={shown} className={css['value']}>
        {children ?? <Code>{value}</Code>}
      </div>
      {hint && <div className={css['hint']}>{hint}</div>}
      <CopyButton value={value} words={words} name={label} look={look} selects={shown} />
    </div>
  );
}
