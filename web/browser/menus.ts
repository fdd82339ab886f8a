/** Closes a menu of the header when the visitor clicks or focuses something else, follows one of its links, or presses Escape. */
export function closeMenus(): void {
  const open = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>('details[name=menu][open]')];
  document.addEventListener('click', ({ target }) => {
    for (const menu of open()) if (!menu.contains(target as Node) || (target as Element).closest('a')) menu.open = false;
  });
  document.addEventListener('focusin', ({ target }) => {
    for (const menu of open()) if (!menu.contains(target as Node)) menu.open = false;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  });
}
