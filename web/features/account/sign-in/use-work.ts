import { useRef, useState } from 'react';
import { type Wrong, wrongOf } from './wrong.ts';

/** Submission of a form: its errors, and whether it is running. Only one runs at a time. */
export interface Work {
  readonly wrong: Wrong;
  readonly isBusy: boolean;
  /** Runs the work. Its failure is shown at the named fields, or above the form. Does nothing while other work runs. */
  readonly run: (work: () => Promise<void>, fields?: readonly string[]) => void;
  /** Clears the errors. */
  readonly clear: () => void;
}

/** Returns the submission of a form. Failures belong to the given fields unless a run names others. */
export function useWork(own: readonly string[] = []): Work {
  const [wrong, setWrong] = useState<Wrong>({});
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const perform = async (work: () => Promise<void>, fields: readonly string[]): Promise<void> => {
    running.current = true;
    setBusy(true);
    setWrong({});
    try {
      await work();
    } catch (error) {
      setWrong(wrongOf(error, fields));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const run: Work['run'] = (work, fields = own) => {
    if (!running.current) void perform(work, fields);
  };
  return { wrong, isBusy, run, clear: () => setWrong({}) };
}
