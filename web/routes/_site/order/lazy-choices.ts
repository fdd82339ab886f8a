import { type ReactNode, createElement } from 'react';
import { Form, useNavigation, useRevalidator } from 'react-router';
import { makeLazyPart } from '../../../features/lazy-part.ts';
import type { DrawnChoicesProps } from './card-props.ts';

const lazy = makeLazyPart<DrawnChoicesProps>(async () => (await import('./choices.tsx')).Choices);

/** Where the server finds the choices, which it draws at once. */
export const LazyChoicesProvider = lazy.Provider;

/** What a customer may decide, which few orders ask: drawn by the server, its code fetched only where it stands. */
export function LazyChoices(props: Pick<DrawnChoicesProps, 'data' | 'answer' | 'now'>): ReactNode {
  const sent = useNavigation().formData?.get('choice');
  const { revalidate } = useRevalidator();
  return createElement(lazy.Part, { ...props, Form, sending: typeof sent === 'string' ? sent : undefined, revalidate });
}
