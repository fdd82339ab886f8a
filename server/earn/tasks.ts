// Tasks: an account is paid once for each, as soon as it is done.

import { Problem } from '@kurs/contract';
import { secondFactorSince } from '../auth/index.ts';
import { alone } from '../collecting/index.ts';
import { type AccountHolder, type Db, type Statements, type Tx, canonicalEmail, newId } from '../platform/index.ts';
import { lockPot } from '../pots/index.ts';
import { prizeJournal } from './claim.ts';
import { DAY_MS } from './draw.ts';
import { addWon, endDraws, lockHolder, streakOf } from './draw-store.ts';
import { macOfTask } from './macs.ts';
import { qualifies, wouldQualify } from './orders.ts';
import { countDays, purseAt } from './purse.ts';
import { TASKS, type Task, rules } from './settings.ts';

/** Status of a task: to be done, done and not paid, paid. */
export type TaskState = 'open' | 'ready' | 'paid';

/**
 * Pays a task that is done, once. Returns the amount. No task is done until the holder has proven their mailbox: an address
 * counts once, and anybody can type it. Throws `earn_closed`, `earn_task_open` if it is not done, and `earn_pot_empty`.
 */
export function payTask(db: Db, holder: AccountHolder, task: Task): Promise<bigint> {
  const now = rules();
  return alone(db, async (unit) => {
    const { tx } = unit;
    await lockPot(tx, 'earn');
    await lockHolder(tx, holder.id);
    const before = (await paidTasks(tx, holder.id)).get(task);
    if (before !== undefined) return before;
    if (!now.isOpen) throw new Problem('earn_closed');
    const customer = canonicalEmail(holder.email);
    if (await tx.row('select from earn_task where customer = $1 and task = $2', [customer, task]))
      throw new Problem('earn_task_open');
    const isDone = () => (task === 'first_order' ? qualifies(tx, holder.id) : isTaskDone(tx, holder, task, tx.now));
    if (!holder.isEmailVerified || !(await isDone())) throw new Problem('earn_task_open');
    await endDraws(tx);
    const pays = now.pays(task);
    if (!(await purseAt(tx, tx.now, now)).take(pays)) throw new Problem('earn_pot_empty');
    const id = newId();
    const mac = macOfTask({ id, holderId: holder.id, customer, task, parts: pays, at: tx.now });
    await tx.run('insert into earn_task (id, holder_id, customer, task, parts, at, mac) values ($1, $2, $3, $4, $5, $6, $7)', [
      ...[id, holder.id, customer, task, pays, tx.now, mac],
    ]);
    await addWon(tx, [{ holderId: holder.id, parts: pays }]);
    await countDays(tx, [{ at: tx.now, parts: pays }]);
    unit.post(prizeJournal(id, holder.id, pays, `task ${task} of ${holder.id}`));
    return pays;
  });
}

/** Returns the status of each task of a holder. */
export async function tasksOf(
  db: Statements,
  holder: AccountHolder,
  now: Date,
): Promise<{ readonly task: Task; readonly state: TaskState }[]> {
  const paid = await paidTasks(db, holder.id);
  return Promise.all(
    TASKS.map(async (task) => {
      if (paid.has(task)) return { task, state: 'paid' as const };
      const isDone = () => (task === 'first_order' ? wouldQualify(db, holder.id, now) : isTaskDone(db, holder, task, now));
      return { task, state: holder.isEmailVerified && (await isDone()) ? ('ready' as const) : ('open' as const) };
    }),
  );
}

/** True if a holder with a proven mailbox has done a task. */
async function isTaskDone(
  db: Statements,
  { id }: AccountHolder,
  task: Exclude<Task, 'first_order'>,
  now: Date,
): Promise<boolean> {
  const { twoFactorDays, streakDays } = rules();
  if (task === 'email') return true;
  if (task === 'streak') return (await streakOf(db, id, now)) >= streakDays;
  const since = await secondFactorSince(db, id);
  return since !== undefined && since.getTime() + twoFactorDays * DAY_MS <= now.getTime();
}

async function paidTasks(db: Statements | Tx, holderId: string): Promise<Map<Task, bigint>> {
  const rows = await db.rows<{ task: Task; parts: string }>('select task, parts from earn_task where holder_id = $1', [holderId]);
  return new Map(rows.map(({ task, parts }) => [task, BigInt(parts)]));
}
