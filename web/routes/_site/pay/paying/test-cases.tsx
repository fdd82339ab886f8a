import type { ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import css from './test-cases.module.css';
import { usePay } from '../use-pay.ts';

/** Cases of a payment to a test invoice, with the words of their buttons. */
const CASES = {
  seen: m.test_case_seen,
  final: m.test_case_final,
  short: m.test_case_short,
  over: m.test_case_over,
  late: m.test_case_late,
  held: m.test_case_held,
  dropped: m.test_case_dropped,
  reversed: m.test_case_reversed,
  refund_claimed: m.test_case_refund_claimed,
} as const;

/** Buttons that play payments to a test invoice, in place of an address. */
export function TestCases(): ReactNode {
  const { data, submit, sent } = usePay();
  if (!data.invoice.test) return null;
  const playing = sent?.get('intent') === 'test' ? sent.get('case') : undefined;
  return (
    <form method="post" action={data.path} onSubmit={submit} className={css['cases']}>
      <h2 className="card-title">{m.test_cases()}</h2>
      <p className="small soft">{m.test_cases_text()}</p>
      <input type="hidden" name="intent" value="test" />
      <div className={css['buttons']}>
        {Object.entries(CASES).map(([name, label]) => (
          <Button
            key={name}
            type="submit"
            name="case"
            value={name}
            look="secondary"
            busy={playing === name && m.test_case_playing()}
          >
            {label()}
          </Button>
        ))}
      </div>
    </form>
  );
}
