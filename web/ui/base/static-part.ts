import { type ReactNode, createContext, createElement, useContext } from 'react';
import { type Locale, useLocale } from './locale.ts';

/**
 * A component whose first look depends on its properties alone. Functions among them don't count: they are called later. It may
 * have state that begins with its properties, and has no id of its own (`useId`).
 */
export type StaticComponent<P extends object = never> = (props: P) => ReactNode;

/** Where the server keeps parts that it has drawn; the browser has no such place. */
export interface StaticParts {
  /** What stands for a part while a page is drawn. */
  stand<P extends object>(part: StaticComponent<P>, props: P, locale: Locale): ReactNode;
}

const Parts = createContext<StaticParts | undefined>(undefined);

export const StaticPartsProvider = Parts.Provider;

/** A part of a page that is the same for everybody: the server draws it once, the browser as any other. */
export function StaticPart<P extends object>({ of: part, given }: { of: StaticComponent<P>; given: P }): ReactNode {
  const [parts, locale] = [useContext(Parts), useLocale()];
  return parts ? parts.stand(part, given, locale) : createElement(part, given);
}
