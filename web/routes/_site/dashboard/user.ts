import type { Output, Routes } from '@kurs/contract';
import { createContext, useContext } from 'react';

/** The account holder who is signed in. */
export type User = Output<Routes['userInfo']>;

/** Who is signed in, and what says that the account has changed. */
export interface Signed {
  readonly user: User | undefined;
  readonly setUser: (user: User) => void;
}

const SignedContext = createContext<Signed>({ user: undefined, setUser: () => undefined });

export const SignedProvider = SignedContext.Provider;

/** Who is signed in; undefined until that is known. */
export const useUser = (): User | undefined => useContext(SignedContext).user;

/** Says that the account has changed: all of the page shows it at once. */
export const useSetUser = (): ((user: User) => void) => useContext(SignedContext).setUser;
