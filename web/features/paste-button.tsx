import type { ReactNode } from 'react';
import { m } from './words.ts';
import { Button } from '../ui/fields/button.tsx';
import { useHydrated } from '../ui/base/clock.ts';

/** Button that pastes the clipboard into a field; absent if the browser can't read the clipboard. */
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
      // The visitor or the browser refused. The field has the focus, so the visitor can paste by the keyboard.
    }
  };
  return (
    <Button look="secondary" size="tiny" icon="clipboard-text" onClick={() => void paste()}>
      {m.paste()}
    </Button>
  );
}
