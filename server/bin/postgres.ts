// PostgreSQL's keeper: runs the embedded server as its child, and stops it when the process that forked the keeper is gone.

import { rm } from 'node:fs/promises';
import { type KeeperRequest, spawnPostgres, stopOrphan, untilServing } from '../platform/process/cluster.ts';

const { place, port, settings, mayDiscard = false } = JSON.parse(process.argv[2] ?? '') as KeeperRequest;

await stopOrphan(place.directory);
const server = spawnPostgres(place, port, settings, mayDiscard ? 'ignore' : 'inherit');
process.send?.({ pids: { postgres: server.pid } });
if (server.pid !== undefined) {
  void untilServing(place.directory, server.pid).then(() => process.connected && process.send?.({ ready: true }));
}

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  // A temporary cluster needs no checkpoint.
  server.kill(mayDiscard ? 'SIGQUIT' : 'SIGINT');
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
  if (mayDiscard) await rm(place.directory, { recursive: true, force: true });
  process.exit(stopping ? 0 : (code ?? 1) || 1);
});
