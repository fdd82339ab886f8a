import type { Visit } from './visit.ts';

/** Returns true if the visitor may see the page. */
export type Guard = (visit: Visit) => boolean;

/**
 * Guards by name. `session` admits requests with a session's token. Requests for documents have no token, so their documents
 * contain only the dashboard's frame; the browser then requests the data with its token. The API calls for the data check if the
 * token is valid.
 */
const GUARDS: Readonly<Record<string, Guard>> = {
  session: ({ hasToken }) => hasToken,
};

/** Returns the guard with a name. Throws if no guard has this name, so that a misspelled name can't open a page. */
export function guardNamed(name: string): Guard {
  const guard = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (!guard) throw new Error(`There is no guard called ${name}`);
  return guard;
}

/** Checks the guards of all pages. Throws during the build if a page names an unknown guard. */
export function requireGuards(pages: Readonly<Record<string, { readonly path: string; readonly guard?: string }>>): void {
  for (const [name, { guard }] of Object.entries(pages)) {
    if (guard === undefined) continue;
    try {
      guardNamed(guard);
    } catch (error) {
      throw new Error(`The page ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
}
