// A draw is claimed: with a text of its holder's it gives its prize, and shows its seed.

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

export interface ClaimAsked {
  readonly holderId: string;
  readonly id: string;
  readonly clientSeed: string;
}

/** A draw that was claimed. */
export type Claimed = Draw & { readonly clientSeed: string; readonly prize: bigint };

/**
 * Opens the claiming of draws: a function that claims one. The same claim again gives the same draw. Throws `not_found` for no
 * draw of the holder's, and `claim_over` for one that was claimed with another text, or not in time.
 */
export const openClaiming = (db: Db): ((asked: ClaimAsked) => Promise<Claimed>) =>
  inGroups(db, claimAll, { keysOf: ({ id }) => [id] });

async function claimAll(tx: Tx, members: readonly Member<ClaimAsked>[]): Promise<(Claimed | Problem)[]> {
  const draws = await lockDraws(
    tx,
    members.map(({ asked }) => asked.id),
  );
  const decided = members.map(({ asked }) => claimOf(draws.get(asked.id), asked, tx.now));
  const won = decided.flatMap((one) => (one instanceof Problem || one.state === 'claimed' ? [] : [one]));
  await saveClaims(tx, won);
  await countDays(
    tx,
    won.map(({ hour, most, prize }) => ({ at: hour, parts: prize - most })),
  );
  for (const [at, one] of decided.entries())
    if (!(one instanceof Problem) && one.state === 'open') members[at]?.unit.post(prizeJournal(one.id, one.holderId, one.prize));
  return decided;
}

/** What a claim comes to: of a draw that is open still, as it is to be saved; of one that was claimed so already, itself. */
function claimOf(draw: Draw | undefined, { holderId, clientSeed }: ClaimAsked, now: Date): Claimed | Problem {
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
