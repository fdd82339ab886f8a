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

/** Part of a page that the server renders. The browser loads the part's code only if the part is shown. */
export interface LazyPart<P> {
  /** Context provider that passes the part's component to the server, or to code that has loaded it already. */
  readonly Provider: Provider<ComponentType<P> | undefined>;
  readonly Part: (props: P) => ReactNode;
}

/**
 * Makes a part of a page whose code is loaded after hydration. Until the code is loaded, the part is not updated and keeps the
 * server's HTML. An update would remove that HTML, which the browser could not render again.
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
      // If loading fails, the part throws that error when it renders, and the page's error boundary catches it.
      if (!isThere) load().then(() => setThere(true), Boolean);
    }, [isThere]);
    const element = createElement(Suspense, { fallback: null }, createElement<P>(drawn ?? Fetched, props));
    const [first] = useState(element);
    return isThere ? element : first;
  };
  return { Provider: Drawn.Provider, Part };
}
