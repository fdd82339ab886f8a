// The desk's decisions about affiliates: cases of abuse, terms, suspension, postbacks.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { casesView, decideCase, healthOfPostbacks, switchPostbackOn, troubledPostbacks } from '../../../affiliates/index.ts';
import { holderByEmail, holdersById, nameReferrer } from '../../../auth/index.ts';
import { alone } from '../../../collecting/index.ts';
import type { Db, Tx } from '../../../platform/index.ts';
import {
  type Affiliate,
  type Terms,
  findAffiliate,
  lockAffiliates,
  maxSplit,
  saveTerms,
  shareOf,
} from '../../../referrals/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

/** Returns the rewards that wait for people to decide them. */
export const abuseView = (db: Db): Promise<Output<Routes['operatorAbuse']>> => casesView(db);

/** Pays or refuses the reward of a case. Takes one operator. Throws `not_found`, `action_not_open`, and the errors of `actAs`. */
export function decideAbuse(
  db: Db,
  person: Person,
  { id, decision, reason }: Input<Routes['operatorAbuseDecide']>,
  key?: string,
): Promise<Acted> {
  return alone(db, (unit) => {
    const said = {
      action: `abuse_${decision}`,
      subject: id,
      reason,
      permission: 'affiliates.change',
      people: 1,
      body: {},
      key,
    } as const;
    return actAs(unit.tx, person, said, () => decideCase(unit, id, decision));
  });
}

type Change = Input<Routes['operatorAffiliate']>;

/**
 * Changes an affiliate's terms. Takes two people if the new terms may pay out more than before, for example when a suspension
 * ends. Throws `no_such_holder`, `alias_taken`, and the errors of `actAs`.
 */
export function changeAffiliate(
  db: Db,
  person: Person,
  { email, reason, ...change }: Change,
  key?: string,
): Promise<Output<Routes['operatorAffiliate']>> {
  return db.tx(async (tx) => {
    const holder = await holderByEmail(tx, email);
    if (!holder) throw new Problem('no_such_holder');
    if (holder.isAltered) throw new Problem('record_altered');
    const before = (await lockAffiliates(tx, [holder.id])).get(holder.id);
    const wanted = termsOf(change);
    const people = before && isMore(before, wanted) ? 2 : 1;
    const said = {
      action: 'affiliate',
      subject: holder.id,
      reason,
      permission: 'affiliates.change',
      people,
      body: change,
      key,
    } as const;
    const acted = await actAs(tx, person, said, async () => {
      await saveTerms(tx, holder.id, wanted);
      if (change.alias !== undefined && !(await nameReferrer(tx, holder.id, change.alias))) throw new Problem('alias_taken');
    });
    return { ...acted, ...(await shownTerms(tx, holder.id)) };
  });
}

const termsOf = ({ share, split_most: maxSplit, suspend: isSuspended }: Omit<Change, 'email' | 'reason'>): Terms => ({
  ...{ share, maxSplit, isSuspended },
});

/** True if the new terms may give the affiliate or their customers more than before. */
function isMore(before: Affiliate, { share, maxSplit: usualMaxSplit, isSuspended }: Terms): boolean {
  const isHigher =
    (share !== undefined && share > shareOf(before)) || (usualMaxSplit !== undefined && usualMaxSplit > maxSplit(before));
  return isHigher || (isSuspended === false && before.suspendedAt !== undefined);
}

async function shownTerms(
  tx: Tx,
  holderId: string,
): Promise<{ share: number; split_most: number; level: number; suspended: boolean }> {
  const affiliate = await findAffiliate(tx, holderId);
  const { level, suspendedAt } = affiliate;
  return { share: shareOf(affiliate), split_most: maxSplit(affiliate), level, suspended: suspendedAt !== undefined };
}

/** Returns campaigns whose postbacks fail or were switched off. */
export async function postbacksView(db: Db): Promise<Output<Routes['operatorPostbacks']>> {
  const troubles = await troubledPostbacks(db);
  const holders = await holdersById(
    db,
    troubles.map(({ holderId }) => holderId),
  );
  return troubles.map(({ holderId, campaign, health: { url, state, since, because, status, said, missed } }) => ({
    ...{ email: holders.get(holderId)?.email ?? '', campaign, to: new URL(url).origin, state },
    ...(since && { since: since.toISOString() }),
    ...(because && { reason: because }),
    ...(status !== null && { status }),
    ...(said !== null && said !== '' && { said }),
    missed,
  }));
}

/** Switches a campaign's postbacks on. Takes one operator. Throws `no_such_holder`, `not_found`, and the errors of `actAs`. */
export function switchOnPostback(
  db: Db,
  person: Person,
  { email, campaign, missed, reason }: Input<Routes['operatorPostbackOn']>,
  key?: string,
): Promise<Output<Routes['operatorPostbackOn']>> {
  return db.tx(async (tx) => {
    const holder = await holderByEmail(tx, email);
    if (!holder) throw new Problem('no_such_holder');
    const stateNow = async () => (await healthOfPostbacks(tx, holder.id, [campaign])).get(campaign);
    if (!(await stateNow())) throw new Problem('not_found');
    const said = {
      action: 'postback_on',
      subject: holder.id,
      reason,
      permission: 'affiliates.change',
      people: 1,
      body: { campaign, missed },
      key,
    } as const;
    const acted = await actAs(tx, person, said, async () => {
      await switchPostbackOn(tx, { holderId: holder.id, campaign }, missed);
    });
    const now = await stateNow();
    return { ...acted, state: now?.state ?? 'on', missed: now?.missed ?? 0 };
  });
}
