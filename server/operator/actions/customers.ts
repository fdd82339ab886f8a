// What the desk says of customers: how much they have shown of themselves, and that nothing is done for them.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { emailKey } from '../../auth/index.ts';
import {
  type Block,
  type Level,
  addBlock,
  holderWithLevel,
  keysOfNamed,
  levelOf,
  liftBlock,
  openBlocks,
  setLevel,
} from '../../compliance/index.ts';
import { keysShownBy, readOrder } from '../../exchange/index.ts';
import { type Db, type Statements, canonicalEmail } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';

/**
 * Sets an account holder's level: a higher one by two people, with what the holder has shown; a lower one at once. Returns the
 * level as it is now. Throws `validation` on `evidence`, and on `email` where nobody has an account with that verified address;
 * and as `actAs`.
 */
export async function changeLevel(
  db: Db,
  person: Person,
  { email, level, evidence, reason }: Input<Routes['operatorLevel']>,
  key?: string,
): Promise<Acted & { readonly level: number }> {
  return db.tx(async (tx) => {
    const holder = await holderWithLevel(tx, email);
    const before = await levelOf(tx, holder.id);
    const isHigher = level > before;
    if (isHigher && evidence === undefined) throw fieldProblem('evidence', 'required');
    const wanted: Wanted = {
      ...{ act: 'level', subject: emailKey(holder.email), reason, permission: 'customers.judge', key },
      // Two people agree on this account: the address may be another's by the time that the second one is asked.
      about: `${holder.id} level ${before}`,
      people: isHigher ? 2 : 1,
      body: { level, was: before, evidence, holder: holder.id },
    };
    const acted = await actAs(tx, person, wanted, (by) => setLevel(tx, holder.id, level as Level, by.join(', ')));
    return { ...acted, level: acted.status === 'done' ? level : before };
  });
}

/** Customers who are blocked, the latest first. */
export async function blocksView(db: Db): Promise<Output<Routes['operatorBlocks']>> {
  const found = await openBlocks(db);
  return found.map(({ who, keys, by, reason, evidence, since }) => ({
    ...{ who, keys: [...keys], by, reason, evidence, since: since.toISOString() },
  }));
}

/** Blocks a customer by all that is shown to be theirs. Throws `validation` on `who`, `order_not_found`, and as `actAs`. */
export async function block(
  db: Db,
  person: Person,
  { who, evidence, reason }: Input<Routes['operatorBlock']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const keys = await keysOf(tx, who);
    const body = { keys, evidence };
    const wanted = { act: 'block', subject: nameOf(who), reason, permission: 'customers.judge', people: 1, body, key } as const;
    return actAs(tx, person, wanted, ([by = '']) => addBlock(tx, { who: nameOf(who), by, reason, evidence, keys }));
  });
}

/** Lifts a block: two people. Throws `not_found` for an unknown block, and as `actAs`. */
export async function unblock(
  db: Db,
  person: Person,
  { who, evidence, reason }: Input<Routes['operatorUnblock']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const [found] = await openBlocks(tx, nameOf(who));
    const check = (): void => {
      if (!found) throw new Problem('not_found');
    };
    const said = { act: 'unblock', subject: nameOf(who), reason, permission: 'customers.judge', people: 2, key, check } as const;
    // Two agree on this block, and on why it may go.
    const wanted: Wanted = { ...said, about: found?.id ?? '', body: { evidence } };
    return actAs(tx, person, wanted, (by) => liftBlock(tx, (found as Block).id, by.join(', ')));
  });
}

const ORDER = /^KX-/i;

/** One name for each spelling of it. */
const nameOf = (who: string): string =>
  who.includes('@') && !who.includes(':') ? canonicalEmail(who) : ORDER.test(who) ? who.toUpperCase() : who;

async function keysOf(db: Statements, who: string): Promise<string[]> {
  if (!ORDER.test(who)) return keysOfNamed(db, nameOf(who));
  const order = await readOrder(db, nameOf(who));
  if (!order) throw new Problem('order_not_found');
  const keys = await keysShownBy(db, order);
  // Nobody has shown anything of themselves with it.
  if (keys.length === 0) throw fieldProblem('who', 'wrong_value');
  return keys;
}
