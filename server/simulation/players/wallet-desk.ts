// Actions of the desk's people on wallets, right and wrong: withdrawals approved late, twice or by too few, deposits released or
// given back, accounts frozen, and settings changed meanwhile.

import { writeHolderMacs } from '../../auth/testing.ts';
import { type Db, putSetting } from '../../platform/index.ts';
import { resolvePayout } from '../../payments/index.ts';
import { clearBackAccount, decideDeposit, decideWithdrawal } from '../../wallets/index.ts';
import { type Step, refusable } from './customers.ts';
import type { World } from '../world.ts';

const NAME = 'Kurs';

/** Decides a waiting withdrawal. */
export const decide: Step = (world) => decideAmong(world, world.auditor.wallets.withdrawals('approving'), 2);

/** Decides a withdrawal that no longer waits, or alone one that takes two people. */
export const decideWrongly: Step = (world) => decideAmong(world, world.auditor.wallets.withdrawals(), 1);

async function decideAmong(
  world: World,
  among: readonly { readonly id: string; readonly status: string }[],
  people: 1 | 2,
): Promise<string | undefined> {
  const { dice } = world;
  if (among.length === 0) return undefined;
  const { id, status } = dice.pick(among);
  const action = dice.chance(0.75) ? 'approve' : 'reject';
  const by = people === 2 ? ['ann', 'bob'] : ['ann'];
  const once = (what: string): Promise<string> =>
    refusable(what, async () => {
      await world.live('a word on a withdrawal', async ({ db }) => {
        await db.tx((tx) => decideWithdrawal(tx, NAME, { id, action, reason: 'simulated', by }));
      });
      return '';
    });
  const first = await once(`desk: ${action} withdrawal ${id} (${status})`);
  // A second press of the same button, or a colleague who saw the same list.
  return dice.chance(0.2) ? `${first}, ${await once('and again')}` : first;
}

/** Decides a deposit whose sender must be checked. */
export const decideADeposit: Step = async (world) => {
  const waiting = world.auditor.wallets.deposits('checking');
  if (waiting.length === 0) return undefined;
  const { dice, tally } = world;
  const { id, currency } = dice.pick(waiting);
  const action = dice.weighed([
    [6, 'release'],
    [4, 'give_back'],
    [3, 'ask_papers'],
    [2, 'papers_came'],
  ] as const);
  if (action === 'ask_papers') tally.fault('papers are asked of a deposit');
  const account = { ...world.chainOf(currency).memory.receiver() };
  return refusable(`desk: ${action} deposit ${id}`, async () => {
    await world.live('a word on a deposit', async ({ db }) => {
      const to = action === 'give_back' ? await clearBackAccount(db, id, account) : undefined;
      await db.tx((tx) => decideDeposit(tx, NAME, { id, action, by: ['kim'], to }));
    });
    return '';
  });
};

interface InDoubt {
  readonly id: string;
  readonly currency: string;
}

/** Two people decide the outcome of a withdrawal, a deposit given back, or a claim of a refund, once its rail's statement shows it. */
export const decideSends: Step = async (world) => {
  const { db } = world.ground;
  const open = await db.rows<InDoubt>(
    `select id, currency from payout where status = 'in_doubt' and owner_kind in ('wallet', 'store_refund') order by created_at, id`,
  );
  const decided = open.flatMap((one) => {
    const outcome = whatBecame(world, one);
    return outcome === undefined ? [] : [{ ...one, outcome }];
  });
  for (const { id, outcome } of decided) {
    await world.live('a word on a doubt', (process) =>
      process.db.tx((tx) => resolvePayout(tx, id, outcome, { statement: 'the statement of the rail', by: ['ann', 'bob'] })),
    );
  }
  return decided.length > 0 ? `desk: ${decided.length} doubts are decided` : undefined;
};

function whatBecame(world: World, { id, currency }: InDoubt): 'sent' | 'not_sent' | undefined {
  const chain = world.chainOf(currency);
  if (chain.executions(id) > 0 && !chain.isChain) return 'sent';
  return chain.isShown(id) || chain.hasLate ? undefined : 'not_sent';
}

/** Resets a holder's password: none of their money leaves for three days. */
export const freeze: Step = async ({ holders, dice, ground, tally }) => {
  if (holders.length === 0) return undefined;
  const { id, email } = dice.pick(holders);
  await ground.db.run(
    `update account_holder set frozen_until = clock_now() + interval '3 days', frozen_because = 'password_reset' where id = $1`,
    [id],
  );
  await writeHolderMacs(ground.db);
  tally.fault('an account is frozen');
  return `${email} is frozen`;
};

/** Limits that an operator changes, from strict to wide. */
const BOUNDS = {
  'moneyout.auto_usd': ['0', '500', '5000'],
  'moneyout.auto_customer_day_usd': ['100', '2000', '50000'],
  'moneyout.auto_desk_day_usd': ['500', '10000', '500000'],
  'moneyout.two_people_usd': ['200', '5000'],
  'exchange.auto_order_usd': ['0', '800', '3000'],
} as const;

/** Changes a limit while money is on its way. */
export const moveBound: Step = async ({ dice, ground, tally }) => {
  const key = dice.pick(Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]);
  const value = dice.pick<string>(BOUNDS[key]);
  await setTo(ground.db, key, value);
  await ground.poll();
  tally.fault('a setting changes in the middle');
  return `desk: ${key} is ${value}`;
};

const setTo = (db: Db, key: string, value: string): Promise<void> => db.tx((tx) => putSetting(tx, key, value, 'ann'));

/** Decides everything that waits for people: at the end of a seed nobody is left waiting. */
export async function decideAll(world: World): Promise<void> {
  for (const { id } of world.auditor.wallets.withdrawals('approving')) {
    const action = world.dice.chance(0.5) ? 'approve' : 'reject';
    const by = ['ann', 'bob'];
    await refusable('', async () => {
      await world.ground.db.tx((tx) => decideWithdrawal(tx, NAME, { id, action, reason: 'the end', by }));
      return '';
    });
  }
  for (const { id } of world.auditor.wallets.deposits('checking')) {
    await world.ground.db.tx((tx) => decideDeposit(tx, NAME, { id, action: 'release', by: ['kim'] }));
  }
  await decideSends(world);
  world.auditor.expectChange();
  await world.poll();
}
