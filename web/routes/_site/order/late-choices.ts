import { type ComponentType, type ReactNode, Suspense, createContext, createElement, lazy, useContext } from 'react';
import { Form, useNavigation, useRevalidator } from 'react-router';
import type { DrawnChoicesProps } from './card-props.ts';

const Drawn = createContext<ComponentType<DrawnChoicesProps> | undefined>(undefined);

/** Where the server finds the choices, which it draws at once. */
export const LateChoicesProvider = Drawn.Provider;

const Fetched = lazy(async () => ({ default: (await import('./choices.tsx')).Choices }));

/** What a customer may decide, which few orders ask: drawn by the server, its code fetched only where it stands. */
export function LateChoices(props: Pick<DrawnChoicesProps, 'data' | 'answer' | 'now'>): ReactNode {
  const sent = useNavigation().formData?.get('choice');
  const { revalidate } = useRevalidator();
  const given = { ...props, Form, sending: typeof sent === 'string' ? sent : undefined, revalidate };
  return createElement(Suspense, { fallback: null }, createElement(useContext(Drawn) ?? Fetched, given));
}
