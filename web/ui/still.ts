import { type ReactElement, type ReactNode, createContext, createElement, useContext } from 'react';
import { type Locale, useLocale } from './locale.ts';

/** A component that says the same whenever it is given the same: no state, no id of its own, and one element at its root. */
export type StillPart<P extends object = never> = (props: P) => ReactElement;

/** Where the server keeps parts that it has drawn; the browser has no such place. */
export interface StillParts {
  /** A part as it was drawn before, or undefined where it has to be drawn now. */
  find<P extends object>(part: StillPart<P>, props: P, locale: Locale): ReactElement | undefined;
}

const Parts = createContext<StillParts | undefined>(undefined);

export const StillPartsProvider = Parts.Provider;

/** A part of a page that is the same for everybody: the server draws it once, the browser as any other. */
export function Still<P extends object>({ of: part, given }: { of: StillPart<P>; given: P }): ReactNode {
  const [parts, locale] = [useContext(Parts), useLocale()];
  return parts?.find(part, given, locale) ?? createElement(part, given);
}
