import type { Output, Routes } from '@kurs/contract';
import { createContext, useContext } from 'react';

/** Account of the signed-in holder, as the API returns it. */
export type User = Output<Routes['userInfo']>;

/** Account of the signed-in holder, and a function that stores it after a change. */
export interface Signed {
  readonly user: User | undefined;
  readonly setUser: (user: User) => void;
}

const SignedContext = createContext<Signed>({ user: undefined, setUser: () => undefined });

export const SignedProvider = SignedContext.Provider;

/** Returns the account of the signed-in holder; undefined until it is loaded. */
export const useUser = (): User | undefined => useContext(SignedContext).user;

/** Returns the function that stores a changed account. All parts of the page then show the change. */
export const useSetUser = (): ((user: User) => void) => useContext(SignedContext).setUser;
