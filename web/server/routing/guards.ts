import type { Visit } from './visit.ts';

/** True if a visit may see a page. */
export type Guard = (visit: Visit) => boolean;

/**
 * Guards by name. `session` admits requests with a session's token. Documents carry none, so they show the frame alone, and the
 * browser requests the data with its token. The calls check if the token is valid.
 */
const GUARDS: Readonly<Record<string, Guard>> = {
  session: ({ hasToken }) => hasToken,
};

/** Returns the guard with a name. Throws if there is none, so that a typing error can't open a page. */
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
