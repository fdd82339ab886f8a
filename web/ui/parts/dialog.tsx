import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '../base/cx.ts';
import { IconButton } from '../fields/button.tsx';
import css from './dialog.module.css';

/**
 * Dialog over the page; on small screens a sheet at the bottom. It uses the browser's `<dialog>`, which traps the focus, closes
 * on Escape, and returns the focus. With `isFlush` the content sets its own padding.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  closeLabel,
  isFlush = false,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  isFlush?: boolean;
  children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (isOpen && !element.open) {
      element.showModal();
      // Focuses the element with `data-focus`; otherwise the browser would focus the closing button.
      element.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    if (!isOpen && element.open) element.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={cx(css['dialog'], isFlush && css['flush'])}
      aria-labelledby={titleId}
      onClose={onClose}
      closedby="any"
    >
      {isOpen && (
        <div className={css['body']}>
          <div className={css['head']}>
            <h2 id={titleId} className={isFlush ? 'card-title' : css['title']}>
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
