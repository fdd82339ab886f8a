import type { Visit } from './visit.ts';

/** Whether a visit may see a page. */
export type Guard = (visit: Visit) => boolean;

/**
 * Who may see a page, by the guard's name. `session`: anyone who brings a session's token. Documents bring none, so that they
 * are the frame alone; the browser asks for the data with its token. Whether the token opens anything the calls decide.
 */
const GUARDS: Readonly<Record<string, Guard>> = {
  session: ({ hasToken }) => hasToken,
};

/** The guard of a name. Throws where there is none: a page must not stand open because of a typing error. */
export function guardNamed(name: string): Guard {
  const guard = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (!guard) throw new Error(`There is no guard called ${name}`);
  return guard;
}

/** Looks at the guards of all pages. Throws, in the build, where a page names one that there is not. */
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
