// Bindings of the contract's calls to this room's verbs; no logic.

import { Problem, type Routes } from '@kurs/contract';
import { levelOf, proveBot, whence } from '../compliance/index.ts';
import { type Db, type Work, canonicalEmail, userOf } from '../platform/index.ts';
import { openBeginning } from './begin.ts';
import { openClaiming } from './claim.ts';
import { toCredit, toWallet } from './out.ts';
import { payTask } from './tasks.ts';
import { madeView, openView, ownView, rulesView, usd } from './views.ts';

type Names = 'earnRules' | 'earnOwn' | 'earnBegin' | 'earnClaim' | 'earnTask' | 'earnToCredit' | 'earnToWallet';

/** The room's calls by their names in the contract. */
export function earnRoutes(db: Db): { [N in Names]: Work<Routes[N]> } {
  const [begin, claim] = [openBeginning(db), openClaiming(db)];
  return {
    earnRules: () => rulesView(db),
    earnOwn: (_input, context) => ownView(db, userOf(context)),
    async earnBegin({ bot_token: token }, context) {
      const user = userOf(context);
      if ((await levelOf(db, user.id)) < 1) throw new Problem('earn_task_open');
      const spend = await proveBot(token, { ip: context.ip });
      const from = { customer: canonicalEmail(user.email), ...whence({ device: context.deviceKey, ip: context.ip }) };
      return openView(await begin({ holderId: user.id, ...from, spend }));
    },
    async earnClaim({ id, client_seed: clientSeed }, context) {
      return madeView(await claim({ holderId: userOf(context).id, id, clientSeed }));
    },
    earnTask: async ({ task }, context) => ({ task, paid: usd(await payTask(db, userOf(context), task)) }),
    earnToCredit: async ({ amount }, context) => movedView(await toCredit(db, userOf(context), amount)),
    earnToWallet: async ({ amount }, context) => movedView(await toWallet(db, userOf(context), amount)),
  };
}

const movedView = ({ moved, balance }: { moved: bigint; balance: bigint }) => ({ moved: usd(moved), balance: usd(balance) });
