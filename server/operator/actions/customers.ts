// The desk's decisions about customers: verification levels and blocks.

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
 * Sets an account holder's verification level. A higher level takes two people and evidence; a lower level takes one person.
 * Returns the level after the call. Throws `validation` at `evidence` if a higher level has no evidence, and `validation` at
 * `email` if no account has this verified address. Throws the errors of `actAs`.
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
      // A request is bound to this account's id: when the second person consents, the address may belong to another account.
      about: `${holder.id} level ${before}`,
      people: isHigher ? 2 : 1,
      body: { level, was: before, evidence, holder: holder.id },
    };
    const acted = await actAs(tx, person, wanted, (by) => setLevel(tx, holder.id, level as Level, by.join(', ')));
    return { ...acted, level: acted.status === 'done' ? level : before };
  });
}

/** Returns the customers who are blocked, the latest first. */
export async function blocksView(db: Db): Promise<Output<Routes['operatorBlocks']>> {
  const found = await openBlocks(db);
  return found.map(({ who, keys, by, reason, evidence, since, until }) => ({
    ...{ who, keys: [...keys], by, reason, evidence, since: since.toISOString() },
    ...(until && { until: until.toISOString() }),
  }));
}

/** Returns the keys of an order's customer, and for each key the other orders that have it. Throws `order_not_found`. */
export async function keysView(db: Db, { order }: Input<Routes['operatorKnownBy']>): Promise<Output<Routes['operatorKnownBy']>> {
  const found = await readOrder(db, order);
  if (!found) throw new Problem('order_not_found');
  return (await orderKeys(db, found)).map(({ key, isShown, orders }) => ({
    key: named(key),
    shown: isShown,
    orders: [...orders],
  }));
}

/**
 * Returns a key in the form that `block` accepts. For an account on a chain, returns the key of its address: a block of that
 * key applies to all currencies of the chain.
 */
function named(key: string): string {
  const [, currency = '', account] = /^account:([A-Z0-9_-]+):(.+)$/.exec(key) ?? [];
  const rail = currencyOf(currency)?.rail;
  return rail !== undefined && isChain(currency) ? `address:${rail}:${account}` : key;
}

/** Longest block of a device or a network, in ms. Other people may use the same device or network later. */
const LONGEST_MS = 366 * 24 * 3_600_000;

/**
 * Returns the end of a block. Throws `validation` at `until` if the end is in the past or too far away. Also throws it if a
 * block of a device or network has no end.
 */
function endOf(keys: readonly string[], until: string | undefined, now: Date): Date | undefined {
  const passes = keys.every((key) => /^(device|net):/.test(key));
  if (until === undefined && passes) throw fieldProblem('until', 'end_needed');
  if (until === undefined) return undefined;
  const left = Date.parse(until) - now.getTime();
  if (left <= 0 || left > LONGEST_MS) throw fieldProblem('until', 'end_needed');
  return new Date(until);
}

/**
 * Blocks a customer by all proven keys, or blocks one address of a chain, one device or one network. Throws `order_not_found`,
 * `validation` at `who` and `until`, and the errors of `actAs`.
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

/** Lifts a block; takes two people. Throws `not_found` for an unknown block, and the errors of `actAs`. */
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
    // A request is bound to this block's id and to the evidence.
    const wanted: Wanted = { ...said, about: found?.id ?? '', body: { evidence } };
    return actAs(tx, person, wanted, (by) => liftBlock(tx, (found as Block).id, by.join(', ')));
  });
}

const ORDER = /^KX-/i;

/** Returns the canonical name of a blocked customer, address or network, so that each spelling gives the same name. */
function nameOf(who: string): string {
  if (ADDRESS.test(who)) return `address:${addressOf(who).name}`;
  if (who.startsWith('net:')) return `net:${who.includes('/') ? who.slice(4) : (networkBlock(who.slice(4)) ?? who.slice(4))}`;
  return who.includes('@') && !who.includes(':') ? canonicalEmail(who) : ORDER.test(who) ? who.toUpperCase() : who;
}

const ADDRESS = /^address:([a-z0-9-]+):(.+)$/;

/**
 * Returns the stored form of a chain's address, and the address's keys in all currencies of the chain. Throws `validation` at
 * `who` if the text isn't an address.
 */
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
  // The customer of this order has proven no key that could be blocked.
  if (keys.length === 0) throw fieldProblem('who', 'nothing_shown', { order: nameOf(who) });
  return keys;
}
