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
import { keysShownBy, orderKeys, readOrder } from '../../exchange/index.ts';
import { checkAccount, currencies, currencyOf, isChain } from '../../payments/index.ts';
import { type Db, type Statements, canonicalEmail, networkBlock } from '../../platform/index.ts';
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
      ...{ action: 'level', subject: emailKey(holder.email), reason, permission: 'customers.judge', key },
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
  return found.map(({ who, keys, by, reason, evidence, since, until }) => ({
    ...{ who, keys: [...keys], by, reason, evidence, since: since.toISOString() },
    ...(until && { until: until.toISOString() }),
  }));
}

/** Keys of an order's customer, and the orders that share them. Throws `order_not_found`. */
export async function keysView(db: Db, { order }: Input<Routes['operatorKnownBy']>): Promise<Output<Routes['operatorKnownBy']>> {
  const found = await readOrder(db, order);
  if (!found) throw new Problem('order_not_found');
  return (await orderKeys(db, found)).map(({ key, isShown, orders }) => ({
    key: named(key),
    shown: isShown,
    orders: [...orders],
  }));
}

/** A typed account of a chain is blocked as its address, on all of the chain. */
function named(key: string): string {
  const [, currency = '', account] = /^account:([A-Z0-9_-]+):(.+)$/.exec(key) ?? [];
  const rail = currencyOf(currency)?.rail;
  return rail !== undefined && isChain(currency) ? `address:${rail}:${account}` : key;
}

/** Longest time for which a device or a network is blocked: others come to use it. */
const LONGEST_MS = 366 * 24 * 3_600_000;

/** The end of a block. Throws `validation` on `until` where it is needed, over, or too far. */
function endOf(keys: readonly string[], until: string | undefined, now: Date): Date | undefined {
  const passes = keys.every((key) => /^(device|net):/.test(key));
  if (until === undefined && passes) throw fieldProblem('until', 'end_needed');
  if (until === undefined) return undefined;
  const left = Date.parse(until) - now.getTime();
  if (left <= 0 || left > LONGEST_MS) throw fieldProblem('until', 'end_needed');
  return new Date(until);
}

/**
 * Blocks a customer by all that is shown to be theirs, or one address of a chain, a device or a network. Throws `validation` on
 * `who` and `until`, `order_not_found`, and as `actAs`.
 */
export async function block(
  db: Db,
  person: Person,
  { who, until, evidence, reason }: Input<Routes['operatorBlock']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const keys = await keysOf(tx, who);
    const end = endOf(keys, until, tx.now);
    const body = { keys, evidence, ...(end && { until: end.toISOString() }) };
    const wanted = {
      action: 'block',
      subject: nameOf(who),
      reason,
      permission: 'customers.judge',
      people: 1,
      body,
      key,
    } as const;
    return actAs(tx, person, wanted, ([by = '']) => addBlock(tx, { who: nameOf(who), by, reason, evidence, keys, until: end }));
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
    const said = {
      action: 'unblock',
      subject: nameOf(who),
      reason,
      permission: 'customers.judge',
      people: 2,
      key,
      check,
    } as const;
    // Two agree on this block, and on why it may go.
    const wanted: Wanted = { ...said, about: found?.id ?? '', body: { evidence } };
    return actAs(tx, person, wanted, (by) => liftBlock(tx, (found as Block).id, by.join(', ')));
  });
}

const ORDER = /^KX-/i;

/** One name for each spelling of it. */
function nameOf(who: string): string {
  if (ADDRESS.test(who)) return `address:${addressOf(who).name}`;
  if (who.startsWith('net:')) return `net:${who.includes('/') ? who.slice(4) : (networkBlock(who.slice(4)) ?? who.slice(4))}`;
  return who.includes('@') && !who.includes(':') ? canonicalEmail(who) : ORDER.test(who) ? who.toUpperCase() : who;
}

const ADDRESS = /^address:([a-z0-9-]+):(.+)$/;

/** An address of a chain as it is kept, and its keys in all currencies there. Throws `validation` on `who` for none. */
function addressOf(who: string): { readonly name: string; readonly keys: string[] } {
  const [, rail = '', address = ''] = ADDRESS.exec(who) ?? [];
  const checked = currencies()
    .filter((one) => one.rail === rail && isChain(one.code))
    .map(({ code }) => ({ code, account: checkAccount(code, { address }) }));
  const keys = checked.flatMap(({ code, account }) => (account.ok ? [{ code, key: account.key }] : []));
  const [first] = keys;
  if (!first) throw fieldProblem('who', 'wrong_value');
  return { name: `${rail}:${first.key}`, keys: keys.map(({ code, key }) => `address:${code}:${key}`) };
}

async function keysOf(db: Statements, who: string): Promise<string[]> {
  if (ADDRESS.test(who)) return addressOf(who).keys;
  if (!ORDER.test(who)) return keysOfNamed(db, nameOf(who));
  const order = await readOrder(db, nameOf(who));
  if (!order) throw new Problem('order_not_found');
  const keys = await keysShownBy(db, order);
  // Nobody has shown anything of themselves with it.
  if (keys.length === 0) throw fieldProblem('who', 'nothing_shown', { order: nameOf(who) });
  return keys;
}
