import { type ReactNode, useLayoutEffect } from 'react';

/** What was typed and chosen on a page before its scripts took it over is told to them: nothing of it is lost. */
export function CatchUp(): ReactNode {
  // Before anything is drawn anew, which would put back what the page came with.
  useLayoutEffect(tellAgain, []);
  return null;
}

function tellAgain(): void {
  document.querySelectorAll<HTMLInputElement>('#app input').forEach(typeAgain);
  document.querySelectorAll<HTMLSelectElement>('#app select').forEach(chooseAgain);
}

const writeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/** React hears of a text only where it differs from the last that React knows: it is told the page's own first. */
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
