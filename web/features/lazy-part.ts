import {
  type ComponentType,
  type Provider,
  type ReactNode,
  Suspense,
  createContext,
  createElement,
  lazy,
  useContext,
  useEffect,
  useState,
} from 'react';

/** Part of a page that the server renders. The browser loads its code only where the part is shown. */
export interface LazyPart<P> {
  /** Provider for the server, and for code that has loaded the part already. */
  readonly Provider: Provider<ComponentType<P> | undefined>;
  readonly Part: (props: P) => ReactNode;
}

/**
 * Makes a part whose code is loaded later. Until then it keeps the server's HTML: an update before that would remove it, since
 * the browser could not render it again.
 */
export function makeLazyPart<P extends object>(fetchCode: () => Promise<ComponentType<P>>): LazyPart<P> {
  const Drawn = createContext<ComponentType<P> | undefined>(undefined);
  let code: Promise<ComponentType<P>> | undefined;
  const load = (): Promise<ComponentType<P>> => (code ??= fetchCode());
  const Fetched = lazy(async () => ({ default: await load() }));
  const Part = (props: P): ReactNode => {
    const drawn = useContext(Drawn);
    const [isThere, setThere] = useState(drawn !== undefined);
    useEffect(() => {
      // The part throws a failure itself when it renders, and the page's error boundary catches it.
      if (!isThere) load().then(() => setThere(true), Boolean);
    }, [isThere]);
    const element = createElement(Suspense, { fallback: null }, createElement<P>(drawn ?? Fetched, props));
    const [first] = useState(element);
    return isThere ? element : first;
  };
  return { Provider: Drawn.Provider, Part };
}
