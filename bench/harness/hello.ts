// The measure of the HTTP rows: a process that only answers a small JSON, with the product's own Fastify and options. It sends
// its port over the channel to the process that forked it, and ends with that process.

import { fileURLToPath } from 'node:url';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import Fastify from 'fastify';

export interface Hello {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts it in a process of its own. */
export async function startHello(): Promise<Hello> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function serve(): Promise<void> {
  const app = Fastify({
    logger: false,
    bodyLimit: 64 * 1_024,
    requestTimeout: 15_000,
    routerOptions: { maxParamLength: 200 },
    trustProxy: ['127.0.0.1'],
    forceCloseConnections: 'idle',
  });
  app.get('/', async () => ({ hello: 'world' }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  process.once('disconnect', () => process.exit());
  process.send?.(url);
}

if (import.meta.main) await serve();
