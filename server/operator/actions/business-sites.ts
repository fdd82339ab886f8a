// The desk's decisions about web sites of businesses: one is accepted or struck, in all stores of its business.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { holdersById } from '../../auth/index.ts';
import {
  type LetterSender,
  type Site,
  acceptSite,
  isStruck,
  isUndecided,
  lockBusiness,
  sitesNamed,
  sitesOfBusinesses,
  strikeSite,
} from '../../gate/index.ts';
import type { Db, Statements } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';

type SiteAction = Input<Routes['operatorBusinessSite']>['action'];
type SiteRow = Output<Routes['operatorBusiness']>['sites'][number];

/** Names of the decisions in the audit. The subject is the business, and the body names the site. */
export const SITE_NAMES = { accept: 'site_accept', strike: 'site_strike' } as const satisfies Record<SiteAction, string>;

const stateOf = (site: Site): SiteRow['state'] => (isStruck(site) ? 'struck' : isUndecided(site) ? 'new' : 'accepted');

/** Returns web sites that members of businesses added and nobody has decided about, by the ids of the businesses. */
export async function newSitesOf(db: Statements, businessIds: readonly string[]): Promise<Map<string, string[]>> {
  const all = await sitesOfBusinesses(db, businessIds);
  const names = new Map<string, string[]>();
  for (const [id, sites] of all) {
    const undecided = sites.filter((site) => stateOf(site) === 'new').map(({ origin }) => origin);
    names.set(id, [...new Set(undecided)]);
  }
  return names;
}

/** Returns the web sites that members added to the stores of a business, and struck ones, the oldest first. */
export async function siteRows(db: Statements, businessId: string): Promise<SiteRow[]> {
  const all = (await sitesOfBusinesses(db, [businessId])).get(businessId) ?? [];
  const shown = all.filter((site) => site.addedBy !== undefined || isStruck(site));
  const members = await holdersById(
    db,
    shown.flatMap(({ addedBy }) => addedBy ?? []),
  );
  return shown.map((site) => {
    const decidedBy = site.struckBy ?? site.acceptedBy;
    return {
      ...{ site: site.origin, store: site.storeId, state: stateOf(site), added_at: site.addedAt.toISOString() },
      added_by: members.get(site.addedBy ?? '')?.email ?? '',
      ...(decidedBy !== undefined && { decided_by: decidedBy }),
    };
  });
}

/**
 * Accepts or strikes a web site in all stores of a business. Throws `not_found`, `action_not_open` if the site is in that state
 * already, `record_altered`, and the errors of `actAs`. To accept a struck site takes two people.
 */
export async function decideSite(
  { db, sender }: { readonly db: Db; readonly sender: LetterSender },
  person: Person,
  { id, action, site: origin, reason }: Input<Routes['operatorBusinessSite']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const business = await lockBusiness(tx, id);
    if (!business) throw new Problem('not_found');
    const sites = await sitesNamed(tx, business, origin);
    const states = sites.map(stateOf);
    const wanted: Wanted = {
      ...{ action: SITE_NAMES[action], subject: id, reason, permission: 'businesses.judge', key },
      people: action === 'accept' && states.includes('struck') ? 2 : 1,
      about: `${origin} ${states.join(' ')}`,
      body: { site: origin },
      check() {
        if (business.isAltered || sites.some(({ isAltered }) => isAltered)) throw new Problem('record_altered');
        const ends = action === 'accept' ? 'accepted' : 'struck';
        if (states.every((state) => state === ends)) throw new Problem('action_not_open');
      },
    };
    return actAs(tx, person, wanted, (by) =>
      action === 'accept' ? acceptSite(tx, business, { origin, by }) : strikeSite(tx, sender, business, { origin, by }),
    );
  });
}
