import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '../base/cx.ts';
import { IconButton } from '../fields/button.tsx';
import css from './dialog.module.css';

/**
 * Dialog over the page (a sheet from below on small screens). The browser's own `<dialog>` traps the focus, closes on Escape or a
 * click beside it, and returns the focus. `flush` leaves the padding to the content.
 */
export function Dialog({
  open,
  onClose,
  title,
  closeLabel,
  flush = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  flush?: boolean;
  children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      // Focus the marked field. The browser would focus the closing button.
      element.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={cx(css['dialog'], flush && css['flush'])}
      aria-labelledby={titleId}
      onClose={onClose}
      closedby="any"
    >
      {open && (
        <div className={css['body']}>
          <div className={css['head']}>
            <h2 id={titleId} className={flush ? 'card-title' : css['title']}>
              {title}
            </h2>
            <IconButton name="x" label={closeLabel} onClick={onClose} className={css['close']} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
