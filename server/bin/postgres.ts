// PostgreSQL's keeper: runs the embedded server as its child and stops it when whoever forked the keeper is gone.

import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnPostgres, stopOrphan, type ClusterPlace } from '../platform/cluster.ts';

type Request = {
  place: ClusterPlace;
  port: number;
  settings: Record<string, string>;
  /** Remove the directory at the end: a cluster for tests. */
  discard?: boolean;
};

const request = JSON.parse(process.argv[2] ?? '') as Request;
const { place, port, settings, discard = false } = request;

await stopOrphan(place.directory);
const server = spawnPostgres(place, port, settings, discard ? 'ignore' : 'inherit');
process.send?.({ pids: { postgres: server.pid } });
void listening(port).then(() => process.connected && process.send?.({ ready: true }));

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  // A cluster that is thrown away needs no checkpoint.
  server.kill(discard ? 'SIGQUIT' : 'SIGINT');
  setTimeout(() => server.kill('SIGQUIT'), 10_000).unref();
};
process.on('disconnect', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

server.on('error', (error) => {
  console.error(`PostgreSQL can't be started: ${error.message}`);
  process.exit(1);
});
server.on('exit', async (code) => {
  if (discard) await rm(place.directory, { recursive: true, force: true });
  process.exit(stopping ? 0 : (code ?? 1) || 1);
});

/** Resolves when something accepts connections on the port. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const accepted = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
      socket.once('close', () => done(false)).once('connect', () => socket.destroy());
    });
    if (accepted) return;
    await sleep(30);
  }
}
