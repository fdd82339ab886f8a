import { type ComponentType, type ReactNode, Suspense, createContext, createElement, lazy, useContext, useState } from 'react';
import { useHydrated } from '../../ui/base/clock.ts';
import type { SiteData } from './site-data.ts';

/** Components with the links around every page. */
export interface FrameParts {
  readonly Navigation: ComponentType<{ site: SiteData }>;
  readonly Menu: ComponentType<{ site: SiteData }>;
  readonly Footer: ComponentType<{ site: SiteData }>;
  readonly Sandbox: ComponentType<{ site: SiteData }>;
}

const Drawn = createContext<FrameParts | undefined>(undefined);

/** Context provider by which the server passes the components to the frame and renders them. */
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
 * Part of the frame's links, in an element of its own. The server renders the part, and the browser leaves the part's HTML
 * unchanged. The part's code and texts are loaded only if a frame is added later, for example after a session has ended.
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
  if (drawn) return createElement(as, { className }, createElement(drawn[name], { site }));
  if (isThere) return createElement(as, { className, dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true });
  return createElement(as, { className }, <Suspense fallback={null}>{createElement(Fetched[name], { site })}</Suspense>);
}
