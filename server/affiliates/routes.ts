// Bindings of the contract's calls to this room's verbs; no logic.

import { type Routes, fieldProblem } from '@kurs/contract';
import { MoneyError, REWARD_UNIT, format, money, parse } from '@kurs/money';
import { knownBy, shownHolder } from '../compliance/index.ts';
import { type Db, type Tokens, type Work, userOf } from '../platform/index.ts';
import { noteKeys, switchStatements } from '../referrals/index.ts';
import { switchLettersOff } from './letters.ts';
import { affiliateView, rewardsView } from './views.ts';
import { toWallet } from './take-out.ts';

type Names = 'affiliate' | 'affiliateLetters' | 'affiliateLettersOff' | 'affiliateRewards' | 'affiliateToWallet';

/** The room's calls by their names in the contract. */
export function affiliateRoutes(db: Db, tokens: Tokens): { [N in Names]: Work<Routes[N]> } {
  return {
    async affiliate(_input, context) {
      const { id, email } = userOf(context);
      const holder = await shownHolder(db, id);
      const keys = knownBy({ email, holder, accounts: [], device: context.deviceKey, ip: context.ip });
      await db.tx((tx) => noteKeys(tx, [{ holderId: id, keys }]));
      return affiliateView(db, id);
    },
    async affiliateLetters({ statements }, context) {
      await db.tx((tx) => switchStatements(tx, userOf(context).id, statements));
      return { statements };
    },
    async affiliateLettersOff(input) {
      await switchLettersOff(db, tokens, input);
      return {};
    },
    affiliateRewards: (input, context) => rewardsView(db, userOf(context).id, input),
    async affiliateToWallet({ amount }, context) {
      const { parts, left } = await toWallet(db, userOf(context).id, amount === undefined ? undefined : partsOf(amount));
      return { amount: format(money(REWARD_UNIT, parts)), left: format(money(REWARD_UNIT, left)), currency: REWARD_UNIT };
    },
  };
}

/** Parses a typed amount into minor units. Throws `validation` on `amount` if it is invalid. */
function partsOf(amount: string): bigint {
  try {
    return parse(REWARD_UNIT, amount).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw fieldProblem('amount', 'amount_format');
    throw error;
  }
}
