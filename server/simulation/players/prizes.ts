// Account holders in a seed's world who draw prizes: some share a mailbox or a device, and their pot is small.

import { writeHolderMacs } from '../../auth/testing.ts';
import { alone } from '../../collecting/index.ts';
import { setLevel } from '../../compliance/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { fundPot } from '../../pots/index.ts';
import { POT, type Player } from '../audit/prize-audit.ts';

/** The first two have one mailbox, the second and third as well as the fourth and fifth one device; from the fifth on all may leave. */
export const PLAYERS: readonly Player[] = [1, 2, 3, 4, 5, 6].map((number) => ({
  id: `01900000-0000-7000-8000-00000000b00${number}`,
  email: number === 2 ? 'player1+two@example.org' : `player${number}@example.org`,
  mailbox: Math.max(2, number),
  device: 200 + Math.floor(number / 2),
  isVerified: number !== 4,
  level: number >= 5 ? 2 : 1,
}));

/** Opens the players' accounts, and fills the pot. */
export async function openPlayers(db: Db): Promise<void> {
  await alone(db, async (unit) => {
    for (const { id, email, level } of PLAYERS) {
      await unit.tx.run(
        `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
         values ($1, $2, $2, clock_now(), 'en', clock_now())`,
        [id, email],
      );
      await writeHolderMacs(unit.tx);
      await setLevel(unit.tx, id, level, 'simulation');
    }
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts: POT, isBack: false }));
  });
}
