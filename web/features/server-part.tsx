import { type ReactNode, createContext, useContext } from 'react';

/** Parts of a page that only the server renders, by name. */
export type ServerParts = Readonly<Record<string, ReactNode>>;

const Parts = createContext<ServerParts>({});

export const ServerPartsProvider = Parts.Provider;

/**
 * Part of a page that never changes once it is shown. The server renders it, so its code, texts and data never reach the browser.
 * Use it only on pages that are always loaded as documents.
 */
export function ServerPart({ name, className }: { name: string; className?: string | undefined }): ReactNode {
  const part = useContext(Parts)[name];
  return part === undefined ? (
    <div className={className} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
  ) : (
    <div className={className}>{part}</div>
  );
}
