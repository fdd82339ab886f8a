import type { ReactNode } from 'react';
import type { Form } from 'react-router';
import type { OrderAnswer, OrderData } from './page.server.ts';

export interface CardProps {
  readonly data: OrderData;
  readonly answer: OrderAnswer | undefined;
  readonly now: number;
  /** The clock of the rate, which every way to pay has above it. */
  readonly hold: ReactNode;
}

/** What the cards have from the page: a chunk of their own that asked for the router would take it off the entry's. */
export interface DrawnProps extends CardProps {
  readonly Form: typeof Form;
  /** What is being sent just now. */
  readonly intent: string | undefined;
}

/** What choices have from the page, for the same reason. */
export interface DrawnChoicesProps extends Omit<CardProps, 'hold'> {
  readonly Form: typeof Form;
  /** The choice that is being sent just now. */
  readonly sending: string | undefined;
  /** Looks at the order again. */
  readonly revalidate: () => Promise<void>;
}

/** What the chat has from the page. */
export type DrawnChatProps = Pick<DrawnProps, 'data' | 'answer' | 'Form' | 'intent'>;

/** A finished exchange has a receipt. */
export const hasReceipt = ({ status, kind }: OrderData['order']): boolean => status === 'done' && kind === 'order';
