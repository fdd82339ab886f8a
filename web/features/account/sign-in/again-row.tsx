import { type ReactNode, useEffect, useState } from 'react';
import { m } from '../../words.ts';
import css from './sign-in.module.css';

/** Writes seconds as a clock does: `1:00`. */
const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Row below a form for a mailed code, with buttons to request another code after a while, and to use another e-mail address. */
export function AgainRow({
  resendIn,
  onAgain,
  onOther,
}: {
  /** Seconds until another code may be requested, counted from the time the last code was mailed. */
  resendIn: number;
  onAgain: () => void;
  onOther: () => void;
}): ReactNode {
  const [left, setLeft] = useState(resendIn);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  const again = (): void => {
    setLeft(resendIn);
    onAgain();
  };
  return (
    <p className={css['again']}>
      {left > 0 ? (
        <span>{m.code_again_in({ time: clockOf(left) })}</span>
      ) : (
        <button type="button" className="link" onClick={again}>
          {m.code_again()}
        </button>
      )}
      <button type="button" className="link" onClick={onOther}>
        {m.code_other()}
      </button>
    </p>
  );
}
