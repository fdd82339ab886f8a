// The web site of a store, and the addresses that lead to it. Pure.

export interface Site {
  readonly id: string;
  readonly storeId: string;
  /** Origin such as `https://shop.example.com`. */
  readonly origin: string;
  readonly addedAt: Date;
  /** Id of the member who added the site; undefined if it stands in the application of the business. */
  readonly addedBy: string | undefined;
  /** Time at which the desk let an added site stand, and by whom. */
  readonly acceptedAt: Date | undefined;
  readonly acceptedBy: string | undefined;
  /** Time at which the desk struck the site, and by whom. */
  readonly struckAt: Date | undefined;
  readonly struckBy: string | undefined;
  /** True if the row was changed outside the product. Such a site counts as struck. */
  readonly isAltered: boolean;
}

/** Maximum number of web sites of a store. */
export const MAX_SITES = 20;

/** True if no return address may lead to the site. */
export const isStruck = ({ struckAt, isAltered }: Pick<Site, 'struckAt' | 'isAltered'>): boolean =>
  struckAt !== undefined || isAltered;

/** True if a member added the site and the desk has not decided about it. */
export const isUndecided = ({ addedBy, acceptedAt, struckAt }: Pick<Site, 'addedBy' | 'acceptedAt' | 'struckAt'>): boolean =>
  addedBy !== undefined && acceptedAt === undefined && struckAt === undefined;

const hostOf = (address: string): string => new URL(address).hostname;
const isWithin = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

/**
 * Returns the sites to which an address leads: those of its host, else those of the nearest domain above it. The address is
 * https; its path is of no importance.
 */
function nearestTo(address: string, sites: readonly Site[]): Site[] {
  const host = hostOf(address);
  const above = sites.filter(({ origin }) => isWithin(host, hostOf(origin)));
  const length = Math.max(...above.map(({ origin }) => hostOf(origin).length));
  return above.filter(({ origin }) => hostOf(origin).length === length);
}

/** True if an https address leads to one of the sites, and that site is not struck. */
export function leadsToSite(address: string, sites: readonly Site[]): boolean {
  const nearest = nearestTo(address, sites);
  return nearest.length > 0 && !nearest.some(isStruck);
}

/** True if a site that is to be added, or a domain above it, is struck. */
export const isBelowStruck = (origin: string, sites: readonly Site[]): boolean =>
  sites.some((site) => isStruck(site) && isWithin(hostOf(origin), hostOf(site.origin)));
