import { type ComponentType, type ReactNode, Suspense, createContext, createElement, lazy, useContext, useState } from 'react';
import { useHydrated } from '../../ui/base/clock.ts';
import { StaticPart, type StaticComponent } from '../../ui/base/static-part.ts';
import type { SiteData } from './site-data.ts';

/** The links around every page. */
export interface FrameParts {
  readonly Navigation: StaticComponent<{ site: SiteData }>;
  readonly Menu: StaticComponent<{ site: SiteData }>;
  readonly Footer: StaticComponent<{ site: SiteData }>;
  readonly Sandbox: StaticComponent<{ site: SiteData }>;
}

const Drawn = createContext<FrameParts | undefined>(undefined);

/** Where the server finds them, which it draws at once. */
export const FramePartsProvider = Drawn.Provider;

const fetched = (name: keyof FrameParts): ComponentType<{ site: SiteData }> =>
  lazy(async () => ({ default: (await import('./frame-links.tsx'))[name] }));
const Fetched = {
  Navigation: fetched('Navigation'),
  Menu: fetched('Menu'),
  Footer: fetched('Footer'),
  Sandbox: fetched('Sandbox'),
};

/**
 * Links of the frame in an element of their own. The server draws them, and what it drew stays as it is: their code and
 * their words come into the browser only where a frame begins later, as for somebody whose session ended.
 */
export function FramePart({
  of: name,
  as,
  site,
  className,
}: {
  of: keyof FrameParts;
  as: 'div' | 'footer';
  site: SiteData;
  className?: string | undefined;
}): ReactNode {
  const drawn = useContext(Drawn);
  const isHydrated = useHydrated();
  const [isThere] = useState(!isHydrated);
  if (drawn) return createElement(as, { className }, <StaticPart of={drawn[name]} given={{ site }} />);
  if (isThere) return createElement(as, { className, dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true });
  return createElement(as, { className }, <Suspense fallback={null}>{createElement(Fetched[name], { site })}</Suspense>);
}
