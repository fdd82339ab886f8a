import { type RefObject, useEffect, useRef } from 'react';

const PREFIX = 'typed ';

/**
 * Keeps what is typed into a form's fields marked `data-kept="name"` until the tab is closed: a reload, another language or
 * a step back loses nothing. Fields that came filled stay as they are.
 */
export function useKeptForm(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    for (const input of element.querySelectorAll<HTMLInputElement>('input[data-kept]')) {
      const kept = sessionStorage.getItem(PREFIX + (input.dataset['kept'] ?? ''));
      if (kept === null) continue;
      if (input.type === 'checkbox') input.checked ||= kept === 'yes';
      else if (input.value === '') input.value = kept;
    }
    const keep = ({ target }: Event): void => {
      if (!(target instanceof HTMLInputElement) || target.dataset['kept'] === undefined) return;
      const value = target.type === 'checkbox' ? (target.checked ? 'yes' : '') : target.value;
      sessionStorage.setItem(PREFIX + target.dataset['kept'], value);
    };
    element.addEventListener('input', keep);
    return () => element.removeEventListener('input', keep);
  }, []);
  return form;
}
