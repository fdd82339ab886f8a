import type { Output, Routes } from '@kurs/contract';
import { type DrawChecked, checkDraw } from '@kurs/contract/draw';
import { clientOf } from '@kurs/contract/client';
import { earnBegin, earnClaim, earnOwn, earnTask, earnToCredit, earnToWallet } from '@kurs/contract/paths';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { accessToken } from '../../../features/account/access-token.ts';
import { pageTransport } from '../../../features/api/client.ts';

/** API calls about prizes of the signed-in account holder. */
export const earnCalls = clientOf(pageTransport(accessToken), {
  earnBegin,
  earnClaim,
  earnOwn,
  earnTask,
  earnToCredit,
  earnToWallet,
});

export type OwnEarn = Output<Routes['earnOwn']>;
export type MadeDraw = OwnEarn['draws'][number];

let own: OwnEarn | undefined;
const listeners = new Set<() => void>();

/** Loads the account's prizes again, and updates all components that use them. */
export async function refreshOwn(): Promise<void> {
  own = await earnCalls.earnOwn({});
  for (const listener of listeners) listener();
}

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns the account's prizes; undefined until they are loaded. */
export const useOwn = (): OwnEarn | undefined =>
  useSyncExternalStore(
    listen,
    () => own,
    () => undefined,
  );

/**
 * Returns the result of checking a draw in this browser; undefined until it is computed. The check trusts no result of the
 * server.
 */
export function useChecked(draw: MadeDraw): DrawChecked | undefined {
  const [checked, setChecked] = useState<DrawChecked>();
  useEffect(() => {
    const { client_seed: clientSeed, ...made } = draw;
    const wrong = { isCommitted: false, number: 0, prize: '0', isRight: false };
    void checkDraw({ ...made, clientSeed }).then(setChecked, () => setChecked(wrong));
  }, [draw]);
  return checked;
}
