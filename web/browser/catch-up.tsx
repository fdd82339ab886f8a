import { type ReactNode, useLayoutEffect } from 'react';

/** Reports to React what was typed and chosen before hydration, so that no input is lost. */
export function CatchUp(): ReactNode {
  // Runs before the next render, which would restore the values that the page was served with.
  useLayoutEffect(reportAgain, []);
  return null;
}

function reportAgain(): void {
  document.querySelectorAll<HTMLInputElement>('#app input').forEach(typeAgain);
  document.querySelectorAll<HTMLSelectElement>('#app select').forEach(chooseAgain);
}

const writeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/**
 * Replays what was typed into a field. React ignores an `input` event whose value equals the last one it knows, so the served
 * value is set first.
 */
function typeAgain(input: HTMLInputElement): void {
  const { value, defaultValue, type } = input;
  if (value === defaultValue || ['hidden', 'checkbox', 'radio', 'file'].includes(type)) return;
  input.value = defaultValue;
  writeValue?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function chooseAgain(select: HTMLSelectElement): void {
  const own = [...select.options].findIndex(({ defaultSelected }) => defaultSelected);
  if (select.selectedIndex !== Math.max(0, own)) select.dispatchEvent(new Event('input', { bubbles: true }));
}
