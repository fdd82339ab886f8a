import type { Output, Routes } from '@kurs/contract';
import { createContext, useContext } from 'react';

/** The signed-in account holder. */
export type User = Output<Routes['userInfo']>;

/** The signed-in account holder, and the function that replaces them after a change. */
export interface Signed {
  readonly user: User | undefined;
  readonly setUser: (user: User) => void;
}

const SignedContext = createContext<Signed>({ user: undefined, setUser: () => undefined });

export const SignedProvider = SignedContext.Provider;

/** Returns the signed-in account holder; undefined until they are loaded. */
export const useUser = (): User | undefined => useContext(SignedContext).user;

/** Returns the function that stores a changed account; the whole page then shows the change. */
export const useSetUser = (): ((user: User) => void) => useContext(SignedContext).setUser;
