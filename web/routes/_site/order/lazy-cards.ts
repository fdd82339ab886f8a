import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import { type CardProps, type DrawnProps, hasReceipt } from './card-props.ts';
import type { OrderData } from './page.server.ts';

const lazy = makeLazyPart<DrawnProps>(async () => (await import('./provider-cards.tsx')).ProviderCards);

/** Provides the cards on the server, which draws them at once. */
export const LazyCardsProvider = lazy.Provider;

/**
 * Cards that only few orders show. The server draws them, and the browser loads their code only where they are shown. Their
 * styles are part of the page's.
 */
export function LazyCards(props: CardProps): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent') : undefined;
  return createElement(lazy.Part, { ...props, Form, intent: typeof intent === 'string' ? intent : undefined });
}

/**
 * True if an order shows such a card: to pay at a provider, to enter a voucher, to wait, to see a bought voucher, or its receipt.
 */
export function hasLateCards({ order }: OrderData, isDue: boolean): boolean {
  const waits = order.kind === 'order' && order.status === 'waiting' && order.pay === undefined;
  return (
    hasReceipt(order) ||
    order.voucher !== undefined ||
    waits ||
    (isDue && order.pay !== undefined && order.pay.kind !== 'address')
  );
}
