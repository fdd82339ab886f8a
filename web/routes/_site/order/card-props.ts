import type { ReactNode } from 'react';
import type { Form } from 'react-router';
import type { OrderAnswer, OrderData } from './page.server.ts';

export interface CardProps {
  readonly data: OrderData;
  readonly answer: OrderAnswer | undefined;
  readonly now: number;
  /** Countdown of the locked rate, shown above every way to pay. */
  readonly hold: ReactNode;
}

/** Props that the cards get from the page. A chunk that imported the router itself would move it out of the entry's chunk. */
export interface DrawnProps extends CardProps {
  readonly Form: typeof Form;
  /** Intent of the form that is being submitted. */
  readonly intent: string | undefined;
}

/** Props that the choices get from the page, for the same reason. */
export interface DrawnChoicesProps extends Omit<CardProps, 'hold'> {
  readonly Form: typeof Form;
  /** The choice that is being submitted. */
  readonly sending: string | undefined;
  /** Loads the order again. */
  readonly revalidate: () => Promise<void>;
}

/** Props that the chat gets from the page. */
export type DrawnChatProps = Pick<DrawnProps, 'data' | 'answer' | 'Form' | 'intent'>;

/** True if the order has a receipt: it is done, and not an unallocated payment. */
export const hasReceipt = ({ status, kind }: OrderData['order']): boolean => status === 'done' && kind === 'order';
