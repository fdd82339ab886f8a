import type { ReactNode } from 'react';
import { usePay } from '../use-pay.ts';
import css from './with-number.module.css';

/** Text in which the invoice's number is never broken into two lines. */
export function WithNumber({ children: text }: { children: string }): ReactNode {
  const { number } = usePay().data.invoice;
  return text.split(number).flatMap((piece, index) =>
    index === 0
      ? [piece]
      : [
          // eslint-disable-next-line react/no-array-index-key -- pieces of a text have no other key than their position
          <span key={index} className={css['number']}>
            {number}
          </span>,
          piece,
        ],
  );
}
