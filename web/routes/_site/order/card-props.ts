import type { ReactNode } from 'react';
import type { Form } from 'react-router';
import type { OrderAnswer, OrderData } from './page.server.ts';

export interface CardProps {
  readonly data: OrderData;
  readonly answer: OrderAnswer | undefined;
  readonly now: number;
  /** Countdown of the locked rate, shown at the top of the card by which the customer pays. */
  readonly hold: ReactNode;
}

/**
 * Props that the page passes to its cards, including the router's `Form`. If a card's code imported the router, the bundler would
 * move the router out of the entry's chunk.
 */
export interface DrawnProps extends CardProps {
  readonly Form: typeof Form;
  /** Intent of the form that is being submitted; undefined if none is. */
  readonly intent: string | undefined;
}

/** Props that the page passes to the choices, including the router's `Form`, for the same reason as `DrawnProps`. */
export interface DrawnChoicesProps extends Omit<CardProps, 'hold'> {
  readonly Form: typeof Form;
  /** Choice whose form is being submitted, or else that form's intent; undefined if none is. */
  readonly sending: string | undefined;
  /** Loads the order again. */
  readonly revalidate: () => Promise<void>;
}

/** Props that the page passes to the chat. */
export type DrawnChatProps = Pick<DrawnProps, 'data' | 'answer' | 'Form' | 'intent'>;

/** True if the order's page shows a receipt: the order is done, and is not an unallocated payment. */
export const hasReceipt = ({ status, kind }: OrderData['order']): boolean => status === 'done' && kind === 'order';
