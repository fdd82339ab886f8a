const SHOWN_MS = 2_000;

/**
 * Enables buttons with `data-copy`. Each button copies the `code` elements of its figure, or those that match the selector in
 * `data-copy`, and shows for a moment that it has copied. Without JavaScript the buttons stay hidden. Returns the function that
 * removes this behaviour.
 */
export function listenForCopying(): () => void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
  const copy = async ({ target }: MouseEvent): Promise<void> => {
    const button = (target as Element).closest<HTMLElement>('[data-copy]');
    if (!button) return;
    const selector = button.dataset['copy'] ?? '';
    const found = selector === '' ? button.closest('figure')?.querySelectorAll('code') : document.querySelectorAll(selector);
    const codes = [...(found ?? [])];
    const label = button.querySelector('span') ?? button;
    const said = label.textContent;
    try {
      await navigator.clipboard.writeText(codes.map((code) => code.textContent).join('\n'));
    } catch {
      // If the browser refuses to copy, the first code is selected, so that the visitor can copy it.
      if (codes[0]) getSelection()?.selectAllChildren(codes[0]);
      return;
    }
    if (said === button.dataset['copied']) return;
    label.textContent = button.dataset['copied'] ?? said;
    setTimeout(() => (label.textContent = said), SHOWN_MS);
  };
  const listen = (event: MouseEvent): void => void copy(event);
  document.addEventListener('click', listen);
  return () => document.removeEventListener('click', listen);
}
