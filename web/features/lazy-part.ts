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

/** A part of a page that the server draws, and whose code the browser fetches only where the part is shown. */
export interface LazyPart<P> {
  /** Where the server, or code that has the part already, provides it. */
  readonly Provider: Provider<ComponentType<P> | undefined>;
  readonly Part: (props: P) => ReactNode;
}

/**
 * Makes a part of code that is fetched. Until the code is there, what the server drew stands as it is: an update that came
 * before would take it away, since the browser has nothing yet to draw it anew with.
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
      // A failure is the part's own, which the page's boundary meets.
      if (!isThere) load().then(() => setThere(true), Boolean);
    }, [isThere]);
    const element = createElement(Suspense, { fallback: null }, createElement<P>(drawn ?? Fetched, props));
    const [first] = useState(element);
    return isThere ? element : first;
  };
  return { Provider: Drawn.Provider, Part };
}
