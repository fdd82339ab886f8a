import { type ReactNode, createElement } from 'react';
import { Form, useNavigation, useRevalidator } from 'react-router';
import { makeLazyPart } from '../../../../features/lazy-part.ts';
import type { DrawnChoicesProps } from '../card-props.ts';

const lazy = makeLazyPart<DrawnChoicesProps>(async () => (await import('./choices.tsx')).Choices);

/** Context provider by which the server passes the choices to the page and renders them. */
export const LazyChoicesProvider = lazy.Provider;

/**
 * Choices of the customer, which only few orders have. The server renders them, and the browser loads their code only if they are
 * shown.
 */
export function LazyChoices(props: Pick<DrawnChoicesProps, 'data' | 'answer' | 'now'>): ReactNode {
  const form = useNavigation().formData;
  const sent = form?.get('choice') ?? form?.get('intent');
  const { revalidate } = useRevalidator();
  return createElement(lazy.Part, { ...props, Form, sending: typeof sent === 'string' ? sent : undefined, revalidate });
}
