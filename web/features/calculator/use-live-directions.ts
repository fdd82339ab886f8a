import { startTransition, useEffect, useMemo, useState } from 'react';
import { onFirstSign } from '../../ui/base/first-sign.ts';
import { storedReference } from '../account/referral.ts';
import { accessToken } from '../account/access-token.ts';
import { browserClient, viewerClient } from '../api/client.ts';
import { type OtherPairs, unpackPairs } from './offers.ts';
import type { Direction } from './price-breakdown.ts';

/** What a page came with: the directions that it shows, and which others there are. */
export interface Offered {
  readonly directions: readonly Direction[];
  readonly others: OtherPairs;
  readonly ratesAt?: string;
}

export interface LiveDirections {
  readonly directions: readonly Direction[];
  readonly ratesAt: string | undefined;
  /** True if the limits are those of the account that is signed in here, false for a visitor's. */
  readonly isOwn: boolean;
}

const EVERY_MS = 10_000;

/** All directions of a page, those without terms too. */
function allOf({ directions, others }: Offered): readonly Direction[] {
  const rest = unpackPairs(others);
  return rest.length === 0 ? directions : [...directions, ...rest];
}

type Answer = Awaited<ReturnType<typeof browserClient.directions>> & { readonly isOwn?: boolean };

/**
 * Directions of the viewer. On pages that many share, the browser alone knows the session and the sender. A
 * session that is over makes a visitor.
 */
async function asViewer(): Promise<Answer> {
  const asked = { ref: storedReference() };
  if (accessToken() === null) return browserClient.directions(asked);
  const own = await viewerClient.directions(asked).catch(() => undefined);
  return own ? { ...own, isOwn: true } : browserClient.directions(asked);
}

/**
 * Every direction, with rates that stay live while the page is looked at: asked every ten seconds, as often as they are
 * made, as soon as somebody stirs for those that the page came without, and at once where they are others than the page's: by
 * another `ask`, for who is signed in, or for a visitor whom somebody sent.
 */
export function useLiveDirections(offered: Offered, ask: () => Promise<Answer> = asViewer): LiveDirections {
  const [live, setLive] = useState<LiveDirections & { readonly since: Offered }>();
  const first = useMemo(() => allOf(offered), [offered]);
  useEffect(() => {
    let over = false;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = await ask().catch(() => undefined); // The last good rates stay, marked with their time.
      if (!answer || over) return;
      // Drawn in slices: anyone who types meanwhile doesn't wait for it.
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
