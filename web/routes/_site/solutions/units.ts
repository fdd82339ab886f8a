/**
 * Shows the unit of an amount beside it: that of the selection that `data-unit-of` names. Without JavaScript it stays hidden,
 * since it could not follow another selection. Returns the function that ends this.
 */
export function showUnits(): () => void {
  const show = (): void => {
    for (const unit of document.querySelectorAll<HTMLElement>('[data-unit-of]')) {
      const choice = unit.closest('form')?.elements.namedItem(unit.dataset['unitOf'] ?? '');
      if (!(choice instanceof HTMLSelectElement)) continue;
      unit.textContent = choice.selectedOptions[0]?.dataset['unit'] ?? '';
      unit.hidden = false;
    }
  };
  show();
  document.addEventListener('change', show);
  return () => document.removeEventListener('change', show);
}
