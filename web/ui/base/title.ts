import { useEffect } from 'react';

/** Sets the document's title while a page is shown: `Page · Name`. */
export function useTitle(title: string, name: string): void {
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
}
