// Claims draws: a text of the holder's gives the prize, and the seed is shown.

import { Problem } from '@kurs/contract';
import { REWARD_UNIT } from '@kurs/money';
import { type Member, inGroups } from '../collecting/index.ts';
import { accounts, leg } from '../ledger/index.ts';
import type { Db, Tx } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { type Draw, prizeOf } from './draw.ts';
import { lockDraws, saveClaims } from './draw-store.ts';
import { idOnce } from './once.ts';
import { countDays } from './purse.ts';

export interface ClaimRequest {
  readonly holderId: string;
  readonly id: string;
  readonly clientSeed: string;
}

/** A draw that was claimed. */
export type Claimed = Draw & { readonly clientSeed: string; readonly prize: bigint };

/**
 * Returns a function that claims a draw. The same claim again gives the same draw. It throws `not_found` if the holder has no
 * such draw, and `claim_over` if it was claimed with another text, or too late.
 */
export const openClaiming = (db: Db): ((request: ClaimRequest) => Promise<Claimed>) =>
  inGroups(db, claimAll, { keysOf: ({ id }) => [id] });

async function claimAll(tx: Tx, members: readonly Member<ClaimRequest>[]): Promise<(Claimed | Problem)[]> {
  const draws = await lockDraws(
    tx,
    members.map(({ request }) => request.id),
  );
  const decided = members.map(({ request }) => claimOf(draws.get(request.id), request, tx.now));
  const won = decided.flatMap((one) => (one instanceof Problem || one.state === 'claimed' ? [] : [one]));
  await saveClaims(tx, won);
  await countDays(
    tx,
    won.map(({ hour, max, prize }) => ({ at: hour, parts: prize - max })),
  );
  for (const [at, one] of decided.entries())
    if (!(one instanceof Problem) && one.state === 'open') members[at]?.unit.post(prizeJournal(one.id, one.holderId, one.prize));
  return decided;
}

/** Returns the result of a claim: an open draw as it will be saved, or one that was claimed with the same text, unchanged. */
function claimOf(draw: Draw | undefined, { holderId, clientSeed }: ClaimRequest, now: Date): Claimed | Problem {
  if (!draw || draw.holderId !== holderId) return new Problem('not_found');
  const { prize } = draw;
  if (draw.state === 'claimed' && draw.clientSeed === clientSeed && prize !== undefined) return { ...draw, clientSeed, prize };
  if (draw.state !== 'open' || draw.endsAt <= now) return new Problem('claim_over');
  return { ...draw, clientSeed, prize: prizeOf(draw, clientSeed) };
}

/** Journal of a prize or of the pay for a task. `once`: its name, which the ledger pays once. */
export const prizeJournal = (cause: string, holderId: string, parts: bigint, once = `draw ${cause}`) =>
  ({
    ...({ id: idOnce(once), kind: 'earn', cause } as const),
    legs: [leg(potAccount('earn'), accounts.earn(holderId, REWARD_UNIT), parts)],
  }) as const;
