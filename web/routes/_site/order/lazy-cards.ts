import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import { type CardProps, type DrawnProps, hasReceipt } from './card-props.ts';
import type { OrderData } from './page.server.ts';

const lazy = makeLazyPart<DrawnProps>(async () => (await import('./provider-cards.tsx')).ProviderCards);

/** Where the server finds the cards, which it draws at once. */
export const LazyCardsProvider = lazy.Provider;

/**
 * The cards that few states of an order have: drawn by the server, and their code fetched by the browser only where
 * they stand. Their styles are the page's own.
 */
export function LazyCards(props: CardProps): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent') : undefined;
  return createElement(lazy.Part, { ...props, Form, intent: typeof intent === 'string' ? intent : undefined });
}

/** Whether an order has such a card: something to leave for, to enter, to wait for or to show, its receipt included. */
export function hasLateCards({ order }: OrderData, isDue: boolean): boolean {
  const waits = order.kind === 'order' && order.status === 'waiting' && order.pay === undefined;
  return (
    hasReceipt(order) ||
    order.voucher !== undefined ||
    waits ||
    (isDue && order.pay !== undefined && order.pay.kind !== 'address')
  );
}
