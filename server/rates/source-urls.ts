import { SOURCES } from './sources.ts';
import { settings } from './settings.ts';

/** Base URL by source, and true if all of it is the sandbox's seeded walk. */
export interface SourceUrls {
  readonly bases: Readonly<Record<string, string>>;
  readonly isSeeded: boolean;
}

/**
 * Returns the addresses of the markets: the operator's setting (`rates.<source>_url`), otherwise the sandbox below
 * `/sandbox/rates/<source>` if this process runs beside one, otherwise the provider's own address.
 */
export function sourceUrls(sandboxUrl: string): SourceUrls {
  const walk = sandboxUrl && `${sandboxUrl.replace(/\/+$/, '')}/sandbox/rates`;
  const bases = Object.fromEntries(
    SOURCES.map(({ id, base }) => {
      const set = settings.get(`rates.${id as 'kraken' | 'coinbase' | 'bitstamp'}_url`);
      return [id, set || (walk ? `${walk}/${id}` : base)];
    }),
  );
  return { bases, isSeeded: walk !== '' && Object.values(bases).some((base) => base.startsWith(walk)) };
}
