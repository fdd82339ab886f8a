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

/** The guard of a name. Throws, at start-up, where there is none: a page must not stand open because of a typing error. */
export function guardNamed(name: string): Guard {
  const guard = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (!guard) throw new Error(`There is no guard called ${name}`);
  return guard;
}
