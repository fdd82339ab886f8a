import { useRouteLoaderData } from 'react-router';
import type { SiteData } from '../routes/_site/site-data.ts';

/** Returns the data of the site that every page has: its name, mode and currencies. */
export function useSite(): SiteData {
  const site = useRouteLoaderData('site') as SiteData | undefined;
  if (!site) throw new Error('This component stands inside the site’s layout');
  return site;
}
