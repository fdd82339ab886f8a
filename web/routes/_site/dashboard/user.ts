import type { Output, Routes } from '@kurs/contract';
import { createContext, useContext } from 'react';

/** The account holder who is signed in. */
export type User = Output<Routes['userInfo']>;

const Signed = createContext<User | undefined>(undefined);

export const UserProvider = Signed.Provider;

/** Who is signed in; undefined until that is known. */
export function useUser(): User | undefined {
  return useContext(Signed);
}
