const SHOWN_MS = 2_000;

/**
 * Makes the buttons with `data-copy` copy what stands in the `code` of their figure, or in those that the selector names,
 * and say so for a while. They are hidden until then: without a script they could do nothing. Gives what ends it.
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
      // The browser refuses: what was meant is selected, to be copied by hand.
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
