import { type ReactNode, useLayoutEffect } from 'react';

/** What was typed on a page before its scripts took it over is typed again once they have: nothing of it is lost. */
export function CatchUp(): ReactNode {
  // Before anything is drawn anew, which would put back what the page came with.
  useLayoutEffect(typeAgain, []);
  return null;
}

const writeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/** React hears of a text only where it differs from the last that React knows: it is told the page's own first. */
function typeAgain(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('#app input')) {
    const { value, defaultValue, type } = input;
    if (value === defaultValue || ['hidden', 'checkbox', 'radio', 'file'].includes(type)) continue;
    input.value = defaultValue;
    writeValue?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
