import { useState } from 'react';
import { type Wrong, wrongOf } from '../../../../features/account/wrong.ts';

/** One form's work: what is wrong with it, and whether it runs. It runs once at a time. */
export function useWork(fields: readonly string[]): {
  wrong: Wrong;
  busy: boolean;
  run: (work: () => Promise<void>) => void;
} {
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
  const perform = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setWrong({});
    try {
      await work();
    } catch (error) {
      setWrong(wrongOf(error, fields));
    } finally {
      setBusy(false);
    }
  };
  const run = (work: () => Promise<void>): void => {
    if (!busy) void perform(work);
  };
  return { wrong, busy, run };
}
