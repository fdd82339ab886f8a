import { startTransition, useEffect, useMemo, useState } from 'react';
import { onFirstSign } from '../../ui/base/first-sign.ts';
import { storedReference } from '../account/referral.ts';
import { accessToken } from '../account/access-token.ts';
import { browserClient, viewerClient } from '../api/client.ts';
import { type OtherPairs, unpackPairs } from './offers.ts';
import type { Direction } from './price-breakdown.ts';

/** Directions with which a page was rendered: `directions` in full, and the `others` as pairs without a price. */
export interface Offered {
  readonly directions: readonly Direction[];
  readonly others: OtherPairs;
  readonly ratesAt?: string;
}

export interface LiveDirections {
  readonly directions: readonly Direction[];
  readonly ratesAt: string | undefined;
  /** True if the directions have the limits of the signed-in account; false if they have the limits of a visitor. */
  readonly isOwn: boolean;
}

const EVERY_MS = 10_000;

/** Returns all directions of a page, including those without a price. */
function allOf({ directions, others }: Offered): readonly Direction[] {
  const rest = unpackPairs(others);
  return rest.length === 0 ? directions : [...directions, ...rest];
}

type DirectionsResponse = Awaited<ReturnType<typeof browserClient.directions>> & { readonly isOwn?: boolean };

/**
 * Requests the directions with the viewer's own terms and limits, by the session and the affiliate's reference in this browser.
 * If the session has ended, requests the directions as a visitor.
 */
async function asViewer(): Promise<DirectionsResponse> {
  const request = { ref: storedReference() };
  if (accessToken() === null) return browserClient.directions(request);
  const own = await viewerClient.directions(request).catch(() => undefined);
  return own ? { ...own, isOwn: true } : browserClient.directions(request);
}

/**
 * Returns all directions with live rates. The rates are requested every ten seconds while the page is visible, because the server
 * makes new rates that often.
 *
 * If the rendered page lacks some prices, they are requested when the visitor first uses the page. If the viewer's terms or
 * limits may differ from the rendered ones, all directions are requested immediately: with another `ask`, a session, or an
 * affiliate's reference.
 */
export function useLiveDirections(offered: Offered, ask: () => Promise<DirectionsResponse> = asViewer): LiveDirections {
  const [live, setLive] = useState<LiveDirections & { readonly since: Offered }>();
  const first = useMemo(() => allOf(offered), [offered]);
  useEffect(() => {
    let over = false;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = await ask().catch(() => undefined); // After a failure the last rates stay, with their time.
      if (!answer || over) return;
      // Updated in a transition, so that typing is not delayed.
      startTransition(() =>
        setLive({ directions: answer.directions, ratesAt: answer.rates_at, isOwn: answer.isOwn === true, since: offered }),
      );
    };
    let stopWaiting: (() => void) | undefined;
    if (ask !== asViewer || storedReference() !== undefined || accessToken() !== null) void look();
    else if (first !== offered.directions) stopWaiting = onFirstSign(() => void look());
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => {
      over = true;
      clearInterval(timer);
      stopWaiting?.();
    };
  }, [offered, first, ask]);
  return live?.since === offered ? live : { directions: first, ratesAt: offered.ratesAt, isOwn: false };
}
