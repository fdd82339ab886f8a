import manifest from '../../../package.json' with { type: 'json' };
import type { Db, Server } from '../../platform/index.ts';

/**
 * For anyone who watches or balances the load: `/health/live` says that the process serves, and its version; `/health/ready`
 * that the database answers too. Anything but 200 means: start it again, or send nobody here.
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
