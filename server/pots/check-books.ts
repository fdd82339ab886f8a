import { type BooksCheck, accuse, unlikeTimes } from '../ledger/index.ts';
import { type PotKind, potAccount } from './pot.ts';

/**
 * Checks that a pot holds the money that people put into it. Checks of rooms that take from a pot check the same accounts, and
 * subtract the amounts that they took.
 */
export const potCheck: BooksCheck = {
  accountTypes: ['promo:affiliate', 'promo:earn', 'promo:late'],
  causes: [{ kinds: ['promo_funded'], rows: 'select id from pot_funding' }],
  async balances(db) {
    const rows = await db.rows<{ pot: PotKind; parts: string }>(
      'select pot, sum(parts) as parts from pot_funding group by pot order by pot',
    );
    return rows.map(({ pot, parts }) => ({ account: potAccount(pot), parts: BigInt(parts), of: `the pot ${pot}` }));
  },
  async faults(db, scope) {
    const moved = 'select id as cause, at from pot_funding';
    return accuse('pot', await unlikeTimes(db, 'promo_funded', moved, scope), 'the money was not set aside then, by the books');
  },
};
