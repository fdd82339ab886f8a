import { type ReactNode, createElement } from 'react';
import { Form, useNavigation } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import { type CardProps, type DrawnProps, hasReceipt } from './card-props.ts';
import type { OrderData } from './page.server.ts';

const lazy = makeLazyPart<DrawnProps>(async () => (await import('./provider-cards.tsx')).ProviderCards);

/** Context provider by which the server passes the cards to the page and renders them. */
export const LazyCardsProvider = lazy.Provider;

/**
 * Cards that only few orders have. The server renders them, and the browser loads their code only if they are shown. Their styles
 * belong to the page's styles.
 */
export function LazyCards(props: CardProps): ReactNode {
  const { formData, state } = useNavigation();
  const intent = state === 'submitting' ? formData?.get('intent') : undefined;
  return createElement(lazy.Part, { ...props, Form, intent: typeof intent === 'string' ? intent : undefined });
}

/**
 * True if an order has one of these cards: paying at a provider, entering a voucher, waiting, a bought voucher, or the receipt.
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
