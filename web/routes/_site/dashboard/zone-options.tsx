import type { ReactNode } from 'react';

/** Options of a select field for a time zone: UTC, the chosen zone, then all others. */
export function ZoneOptions({ own }: { own: string }): ReactNode {
  return [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])].map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ));
}
