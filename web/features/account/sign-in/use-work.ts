import { useRef, useState } from 'react';
import { type Wrong, wrongOf } from './wrong.ts';

/** Submission of a form: its errors, and a flag that is true while it runs. Only one submission runs at a time. */
export interface Work {
  readonly wrong: Wrong;
  readonly isBusy: boolean;
  /** Runs `work`. Shows its failure at the named fields, or above the form. Does nothing while earlier work runs. */
  readonly run: (work: () => Promise<void>, fields?: readonly string[]) => void;
  /** Clears the form's errors. */
  readonly clear: () => void;
}

/** Returns the state of a form's submission. Failures are shown at the fields `own`, unless `run` names other fields. */
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
