import { routes } from '@kurs/contract';
import type { Server } from '../../platform/index.ts';

/** Binds handlers to the calls of their names. `streams`: event streams of these calls, by the same names. */
export function mountAll(
  to: Pick<Server, 'mount'>,
  handlers: Readonly<Record<string, unknown>>,
  streams: Readonly<Record<string, unknown>> = {},
): void {
  for (const [name, work] of Object.entries(handlers))
    to.mount(routes[name as keyof typeof routes], work as never, { stream: streams[name] } as never);
}
