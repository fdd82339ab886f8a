import { type ReactNode, useLayoutEffect } from 'react';

/** Reports input to React that the visitor typed or chose before hydration, so that no input is lost. */
export function CatchUp(): ReactNode {
  // A layout effect runs before the next render, which would set the fields back to the values in the served HTML.
  useLayoutEffect(reportAgain, []);
  return null;
}

function reportAgain(): void {
  document.querySelectorAll<HTMLInputElement>('#app input').forEach(typeAgain);
  document.querySelectorAll<HTMLSelectElement>('#app select').forEach(chooseAgain);
}

const writeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/**
 * Repeats the input event of a field. React ignores an `input` event if the value equals the last value that React knows, so the
 * value in the served HTML is set first.
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
