import manifest from '../../../package.json' with { type: 'json' };
import type { Routes } from '@kurs/contract';
import type { Config, Db, Server, Work } from '../../platform/index.ts';

/** Returns the handler of the call that says the mode, the build of the site and the database's time. */
export const healthCall =
  ({
    db,
    mode,
    build,
  }: {
    readonly db: Pick<Db, 'now'>;
    readonly mode: Config['KURS_MODE'];
    readonly build: string;
  }): Work<Routes['health']> =>
  async () => ({ status: 'ok' as const, mode, build, time: (await db.now()).toISOString() });

/**
 * Mounts health checks for monitors and load balancers. `/health/live` answers that the process serves, with its version;
 * `/health/ready` also requires the database. If `/health/live` has another status than 200, restart the process. If
 * `/health/ready` has another status than 200, send no traffic to the process.
 */
export function mountHealth({ app }: Server, db: Pick<Db, 'now'>): void {
  app.get('/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send(`live ${manifest.version}\n`),
  );
  app.get('/health/ready', async (_request, reply) => {
    const isReady = await db.now().then(
      () => true,
      () => false,
    );
    reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain');
    return reply.send(isReady ? 'ready\n' : 'the database does not answer\n');
  });
}
