// Actions of the desk's people: operators and compliance act on orders, and switch payouts off and on.

import {
  type ActionName,
  type StoredOrder,
  actOnOrder,
  clearActionAccount,
  openActions,
  peopleFor,
} from '../../exchange/index.ts';
import { switchPayouts } from '../../payments/index.ts';
import { type Step, refusable } from './customers.ts';
import type { World } from '../world.ts';

/** Frequencies of people's actions; an action that `openActs` doesn't list for an order isn't open there. */
const ACTIONS: Readonly<Record<ActionName, number>> = {
  hold: 0.7,
  ask_papers: 1.5,
  papers_came: 1.5,
  release: 3,
  decide_refund: 1,
  approve: 6,
  stop: 4,
  refund: 0.5,
  retry: 3,
  resolve_sent: 4,
  resolve_not_sent: 4,
  freeze: 0.5,
  unfreeze: 1,
  surrender: 1.5,
  claim_give: 6,
  claim_get: 6,
  write_off: 3,
};

/** Rare states of orders. */
const SELDOM: Readonly<Record<string, number>> = {
  payout_failed: 5,
  refund_failed: 5,
  in_doubt: 10,
  r_in_doubt: 14,
  unclaimed: 8,
  charged_back: 3,
};

export const action: Step = async (world) => {
  const { dice, ground } = world;
  const open = world.orders().flatMap((order) =>
    openActions(order.view, world.auditor.payoutOf(order.view))
      .filter((each) => isTrue(world, order, each))
      .map((each) => [ACTIONS[each] * (SELDOM[world.stateOf(order)] ?? 1), { order, name: each }] as const),
  );
  if (open.length === 0) return undefined;
  const { order, name } = dice.weighed(open);
  const account = name === 'claim_give' ? order.view.give : name === 'claim_get' ? order.view.get : undefined;
  const input = {
    number: order.number,
    action: name,
    by: peopleFor(name, order) === 2 ? ['ann', 'bob'] : dice.pick(['ann', 'bob']),
    reason: 'simulated',
    ...((name.startsWith('resolve') || name === 'write_off') && { evidence: 'the statement of the rail' }),
    ...(account && { account: { ...world.chainOf(account.currency).memory.receiver() } }),
  };
  return refusable(`desk: ${name} ${order.number} (${order.view.state})`, async () => {
    await world.live('an action', async ({ db }) => {
      await clearActionAccount(db, input);
      await db.tx((tx) => actOnOrder(tx, ground.sender, input));
    });
    return '';
  });
};

/** Two people decide every doubt by the real outcome: nothing else would end it. */
export async function decideDoubts(world: World): Promise<void> {
  for (const order of world.orders('in_doubt', 'r_in_doubt')) {
    for (const action of ['resolve_sent', 'resolve_not_sent'] as const) {
      if (!isTrue(world, order, action)) continue;
      const input = {
        number: order.number,
        action,
        by: ['ann', 'bob'],
        reason: 'simulated',
        evidence: 'the statement of the rail',
      };
      await world.live('deciding', ({ db }) => db.tx(async (tx) => void (await actOnOrder(tx, world.ground.sender, input))));
    }
  }
}

/** Returns the rail's statement with the real outcome, once nothing is on its way. */
function isTrue(world: World, { view }: StoredOrder, name: ActionName): boolean {
  if (!name.startsWith('resolve')) return true;
  const { transfer } = view.facts;
  const side = transfer?.kind === 'payout' ? view.get : view.give;
  if (!transfer || !side) return false;
  const chain = world.chainOf(side.currency);
  // A transaction in a chain's mempool isn't on any statement yet; a failed one is, with its fee.
  if (name === 'resolve_sent') return chain.executions(transfer.intent) > 0 && !chain.isChain;
  return !chain.isShown(transfer.intent) && !chain.hasLate;
}

/** Switches all payouts, or one rail's, off or on. */
export const flip: Step = async ({ ground, dice, chains, tally }) => {
  const isOn = dice.chance(0.6);
  const rail = dice.chance(0.5) ? undefined : dice.pick(Object.values(chains)).rail.id;
  await ground.db.tx((tx) => switchPayouts(tx, { rail, isOn }, 'ann'));
  if (!isOn) tally.fault('payouts switched off');
  return `desk: payouts of ${rail ?? 'all rails'} ${isOn ? 'on' : 'off'}`;
};

/** Switches everything on again. */
export async function allOn({ ground, chains }: World): Promise<void> {
  await ground.db.tx((tx) => switchPayouts(tx, { isOn: true }, 'ann'));
  for (const { rail } of Object.values(chains)) {
    await ground.db.tx((tx) => switchPayouts(tx, { rail: rail.id, isOn: true }, 'ann'));
  }
}
