/**
 * Says beside an amount which currency it is of: that of the choice which `data-unit-of` names. It is hidden until then:
 * without a script it would keep the currency of another choice. Gives what ends it.
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
