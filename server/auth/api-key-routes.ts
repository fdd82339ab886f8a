// Handlers of the calls about API keys of an account holder.

import { ACCOUNT_SCOPES, type Output, Problem, type Routes } from '@kurs/contract';
import { type Work, userOf } from '../platform/index.ts';
import { type ListedKey, keysOf, makeApiKey, revokeAllKeys, revokeApiKey } from './api-keys.ts';
import { queueNotice } from './accounts/letters.ts';
import { requireRecent } from './factors/recent-confirmation.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';

type ApiKeyCall = 'apiKeys' | 'apiKeyMake' | 'apiKeyRevoke' | 'apiKeyRevokeAll';

/** Returns the handlers of the calls about API keys, by their names in the contract. */
export function apiKeyRoutes(deps: AuthDeps): { [N in ApiKeyCall]: Work<Routes[N]> } {
  const { db, name, mode } = deps;
  return {
    apiKeys: async (_input, context) => (await keysOf(db, userOf(context).id)).map(summaryOf),
    async apiKeyMake({ password, otp, ...request }, context) {
      const holder = await holderOf(deps, context);
      const spendShown = await requireRecent(db, holder.id, { password, otp }, 'api_key', context);
      return db.tx(async (tx) => {
        await spendShown(tx);
        const made = await makeApiKey(tx, { holderId: holder.id, mode }, request);
        await queueNotice(tx, 'api_key_made', { holder, name, ip: context.ip, called: made.name });
        return { ...summaryOf(made), key: made.key };
      });
    },
    async apiKeyRevoke({ id }, context) {
      if (!(await revokeApiKey(db, userOf(context).id, id))) throw new Problem('not_found');
    },
    async apiKeyRevokeAll(_input, context) {
      await db.tx((tx) => revokeAllKeys(tx, userOf(context).id));
    },
  };
}

/** Returns an API key of an account as the API shows it. */
function summaryOf({ scopes, madeBy: _madeBy, isTest: _isTest, ...row }: ListedKey): Output<Routes['apiKeys']>[number] {
  return { ...row, scopes: ACCOUNT_SCOPES.filter((scope) => scopes.includes(scope)) };
}
