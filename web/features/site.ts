import { createContext, useContext } from 'react';
import type { SiteData } from '../routes/_site/site-data.ts';

const SiteContext = createContext<SiteData | undefined>(undefined);

/** Context provider by which a layout passes the site's data to its pages. */
export const SiteProvider = SiteContext.Provider;

/** Returns the data of the site that every page has: its name, mode and currencies. */
export function useSite(): SiteData {
  const site = useContext(SiteContext);
  if (!site) throw new Error('This component stands inside the site’s layout');
  return site;
}
