import { type RefObject, useEffect, useRef } from 'react';

const PREFIX = 'typed ';

/**
 * Stores the values of a form's fields with `data-kept="name"` until the tab is closed. So the input survives a reload, a change
 * of language and going back. Fields that the server has filled in are not overwritten.
 */
export function useSavedForm(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    for (const input of element.querySelectorAll<HTMLInputElement>('input[data-kept]')) {
      const stored = sessionStorage.getItem(PREFIX + (input.dataset['kept'] ?? ''));
      if (stored === null) continue;
      if (input.type === 'checkbox') input.checked ||= stored === 'yes';
      else if (input.value === '') input.value = stored;
    }
    const store = ({ target }: Event): void => {
      if (!(target instanceof HTMLInputElement) || target.dataset['kept'] === undefined) return;
      const value = target.type === 'checkbox' ? (target.checked ? 'yes' : '') : target.value;
      sessionStorage.setItem(PREFIX + target.dataset['kept'], value);
    };
    element.addEventListener('input', store);
    return () => element.removeEventListener('input', store);
  }, []);
  return form;
}
