import { type ReactNode, createContext, useContext } from 'react';

/** Parts of one page that the server alone draws, by their names. */
export type ServerParts = Readonly<Record<string, ReactNode>>;

const Parts = createContext<ServerParts>({});

export const ServerPartsProvider = Parts.Provider;

/**
 * A part of a page that never changes once it is there: the server draws it, and neither its code, nor its words, nor its
 * data come into the browser. Only for pages that are always loaded as documents.
 */
export function ServerPart({ name, className }: { name: string; className?: string | undefined }): ReactNode {
  const part = useContext(Parts)[name];
  return part === undefined ? (
    <div className={className} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
  ) : (
    <div className={className}>{part}</div>
  );
}
