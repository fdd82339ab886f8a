import type { ReactNode } from 'react';
import { m } from './words.ts';
import { Button } from '../ui/fields/button.tsx';
import { useHydrated } from '../ui/base/clock.ts';

/** Puts what was copied into a field; absent where the browser can't. */
export function PasteButton({ target }: { target: string }): ReactNode {
  const hydrated = useHydrated();
  if (!hydrated || !navigator.clipboard?.readText) return null;
  const paste = async (): Promise<void> => {
    const input = document.getElementById(target) as HTMLInputElement | null;
    if (!input) return;
    input.focus();
    try {
      input.value = (await navigator.clipboard.readText()).trim();
      input.dispatchEvent(new Event('input', { bubbles: true }));
    } catch {
      // Refused by the person or the browser: the field has the focus, the keyboard pastes.
    }
  };
  return (
    <Button look="secondary" size="tiny" icon="clipboard-text" onClick={() => void paste()}>
      {m.paste()}
    </Button>
  );
}
