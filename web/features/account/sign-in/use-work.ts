import { useRef, useState } from 'react';
import { type Wrong, wrongOf } from './wrong.ts';

/** What a form does: what is wrong with it, and whether it runs. It runs once at a time. */
export interface Work {
  readonly wrong: Wrong;
  readonly busy: boolean;
  /** Does it; what fails is said at the fields that are named here, or altogether. Nothing while something runs. */
  readonly run: (work: () => Promise<void>, fields?: readonly string[]) => void;
  /** Forgets what was wrong. */
  readonly clear: () => void;
}

/** The work of a form, with the fields that it has unless a run names others. */
export function useWork(own: readonly string[] = []): Work {
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);
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
  return { wrong, busy, run, clear: () => setWrong({}) };
}
