import { type RouteName, routes } from '@kurs/contract';
import type { Server } from '../../platform/index.ts';

/** Mounts each handler at the route of the same name. `streams`: the event streams of these routes, by the same names. */
export function mountAll<N extends RouteName>(
  to: Pick<Server, 'mount'>,
  handlers: Readonly<Record<N, unknown>>,
  streams: Readonly<Record<string, unknown>> = {},
): void {
  for (const [name, work] of Object.entries(handlers))
    to.mount(routes[name as N], work as never, { stream: streams[name] } as never);
}
