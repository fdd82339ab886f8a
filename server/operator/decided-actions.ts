// Whether what people of the desk decided last is what the rows say. A row's own MAC can't say that: somebody may have kept an older
// row with its MAC, and write it back by SQL.

import { levelsSetAt } from '../compliance/index.ts';
import { type Fault, accuse } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { type Affiliate, findAffiliates, usualAffiliate } from '../referrals/index.ts';
import { type Action, isAsRecorded } from './people/audit-seal.ts';

/** Affiliates whose terms, and customers whose levels, are older than what the desk's last actions say of them. */
export async function olderThanDecided(db: Statements): Promise<Fault[]> {
  return [
    ...accuse('affiliate', await olderTerms(db), 'the terms are not those that the desk’s last actions gave'),
    ...accuse('level', await olderLevels(db), 'the level is older than the desk’s last action'),
  ];
}

/** Actions of one kind that were done, the oldest first, as they were recorded. */
async function done(db: Statements, action: string): Promise<Action[]> {
  const rows = await db.rows<Action & { mac: string | null }>(
    `select id, at, by, action, subject, reason, outcome, body, mac from audit where action = $1 and outcome = 'done' order by at, xid, id`,
    [action],
  );
  return rows.filter(isAsRecorded);
}

interface Terms {
  readonly share?: number;
  readonly split_most?: number;
  readonly suspend?: boolean;
}

async function olderTerms(db: Statements): Promise<string[]> {
  const decided = new Map<string, Terms>();
  for (const { subject, body } of await done(db, 'affiliate'))
    decided.set(subject, { ...decided.get(subject), ...(body as Terms) });
  const ids = [...decided.keys()];
  const found = await findAffiliates(db, ids);
  return ids.filter((id) => !isAs(found.get(id) ?? usualAffiliate(id), decided.get(id) ?? {}));
}

const isAs = ({ share, splitMost, suspendedAt }: Affiliate, decided: Terms): boolean =>
  (decided.share === undefined || decided.share === share) &&
  (decided.split_most === undefined || decided.split_most === splitMost) &&
  (decided.suspend === undefined || decided.suspend === (suspendedAt !== undefined));

async function olderLevels(db: Statements): Promise<string[]> {
  const decided = new Map<string, Date>();
  for (const { at, body } of await done(db, 'level')) {
    const { holder } = body as { readonly holder?: string };
    if (holder !== undefined) decided.set(holder, at);
  }
  const set = await levelsSetAt(db, [...decided.keys()]);
  return [...decided].filter(([holder, at]) => (set.get(holder)?.getTime() ?? 0) < at.getTime()).map(([holder]) => holder);
}
