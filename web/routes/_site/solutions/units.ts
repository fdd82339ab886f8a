/**
 * Shows a unit beside an amount's field. `data-unit-of` names the select field whose selected option determines the unit. Without
 * JavaScript the unit stays hidden, since it could not change with the selection. Returns the function that stops updating the
 * units.
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
