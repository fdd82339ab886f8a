import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import { wallClock } from '../../platform/index.ts';
import { Unreachable, callProvider } from '../provider/index.ts';
import type { PayPalSettings } from './config.ts';
import { Recent } from './newest-by-key.ts';

/** Certificates that messages are signed with, by the URL that a message names. */
export interface Certificates {
  /** Returns true if a URL may be fetched: it begins with a URL of the settings, path included. */
  isPinned(address: string): boolean;
  /** Returns a valid certificate, or undefined if it isn't valid. Throws `Unreachable` if it can't be fetched. */
  keyAt(address: string): Promise<X509Certificate | undefined>;
}

/** Number of certificates to cache. */
const REMEMBERED = 32;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** Longest chain of certificates to read. */
const LONGEST = 6;

/** Opens a cache of valid certificates. `roots`: trusted authorities, as PEM; by default those of Node. */
export function openCertificates({ from, name, roots }: PayPalSettings['certificates']): Certificates {
  const held = new Recent<X509Certificate>(REMEMBERED);
  let trusted: readonly X509Certificate[] | undefined;

  return {
    isPinned: (address) => {
      const url = URL.parse(address);
      if (!url || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false;
      return from.some((start) => url.href.startsWith(new URL(start).href));
    },
    keyAt: async (address) => {
      const known = held.get(address);
      if (known && isCurrent(known)) return known;
      const reply = await callProvider(new URL(address));
      if (reply.status !== 200) throw new Unreachable(`no certificate: status ${reply.status}`);
      trusted ??= (roots ?? getCACertificates('default')).map((pem) => new X509Certificate(pem));
      const leaf = chainOf(reply.text, name, trusted);
      if (!leaf) return undefined;
      held.set(address, leaf);
      return leaf;
    },
  };
}

/**
 * Returns the first certificate of a file if it has the given name and a valid chain to a trusted authority. Each issuer must be
 * allowed to issue and be valid now (RFC 5280 §6.1, without revocation). Returns undefined otherwise.
 */
export function chainOf(file: string, name: string, trusted: readonly X509Certificate[]): X509Certificate | undefined {
  const [leaf, ...others] = (file.match(PEM) ?? []).slice(0, LONGEST).map((pem) => new X509Certificate(pem));
  if (!leaf || !isCurrent(leaf) || leaf.checkHost(name, { subject: 'default' }) === undefined) return undefined;
  let at = leaf;
  for (let step = 0; step < LONGEST; step += 1) {
    const below = at;
    if (trusted.some((one) => isIssuedBy(below, one))) return leaf;
    const issuer = others.find((one) => isIssuedBy(below, one));
    if (!issuer) return undefined;
    at = issuer;
  }
  return undefined;
}

function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && isCurrent(issuer) && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

function isCurrent({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = wallClock();
  return validFromDate <= now && now <= validToDate;
}
