// Measures webhooks of stores: how long one takes while other endpoints hang, and what a query for due deliveries costs among
// many endpoints.

import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  openDeliveries,
  openPost,
  publish,
  putEndpoint,
  removeEndpoint,
  rotateSecret,
  runDeliveries,
} from '../server/deliveries/index.ts';
import { storeChannels } from '../server/gate/index.ts';
import { type Db, migrate, newId, openDb } from '../server/platform/index.ts';
import { testSealer } from '../server/platform/testing.ts';
import { type Rounds, median, quantile } from './harness/measure.ts';
import { type BenchServer, freshDatabase } from './harness/postgres.ts';
import { type SpeedRow, row } from './harness/table.ts';

/** Number of endpoints that answer, and of those that hang. */
const ENDPOINTS = 10;
/** Events a second for the endpoints that answer. */
const A_SECOND = 50;
const MANY = 10_000;
/** Queries for each second of a round. */
const LOOKS = 100;
const LONGEST_MS = 60_000;
/** Deliveries that wait for each endpoint that hangs. */
const BACKLOG = 8;
/** Time in ms in which those are claimed. */
const CLAIMED_MS = 1_000;

/** Measures the rows of webhooks in a database of their own on this server. */
export async function webhookRows(server: BenchServer, { rounds, seconds }: Rounds): Promise<SpeedRow[]> {
  const url = await freshDatabase(server, 'bench_webhooks');
  await migrate(url, 'sandbox');
  const db = openDb({ url, name: 'bench-webhooks', max: 16, budget: 20_000, connectMs: 20_000 });
  try {
    return [await besideHanging(db, rounds, seconds), await lookRow(db, rounds, LOOKS * seconds)];
  } finally {
    await db.close();
  }
}

/** A shop's server: stores when each event came, and never answers under `/hang`. */
interface Receiver {
  readonly origin: string;
  readonly heard: Map<string, number>;
  readonly server: Server;
}

async function openReceiver(): Promise<Receiver> {
  const heard = new Map<string, number>();
  const server = createServer((request, response) => {
    if (request.url === '/hang') return;
    heard.set(String(request.headers['webhook-id']), performance.now());
    request.resume().once('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { heard, server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const channelsTo = (db: Db, privateOrigin: string) =>
  storeChannels({ db, sealer: testSealer, poster: openPost({ privateOrigin }) });

/** Adds endpoints of stores with one secret each, and returns their ids. */
async function addEndpoints(db: Db, url: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await db.tx(async (tx) => {
    for (const id of ids) {
      await putEndpoint(tx, { id, owner: `store:${id}`, kind: 'gate', url });
      await rotateSecret(tx, testSealer, id, tx.now);
    }
  });
  return ids;
}

async function besideHanging(db: Db, rounds: number, seconds: number): Promise<SpeedRow> {
  const receiver = await openReceiver();
  const answering = await addEndpoints(db, `${receiver.origin}/`, ENDPOINTS);
  const [alone, beside]: [number[], number[]] = [[], []];
  await p95Of(db, receiver, answering, [], seconds);
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await p95Of(db, receiver, answering, [], seconds));
    const hanging = await addEndpoints(db, `${receiver.origin}/hang`, ENDPOINTS);
    beside.push(await p95Of(db, receiver, answering, hanging, seconds));
    await removeAll(db, hanging);
  }
  receiver.server.closeAllConnections();
  receiver.server.close();
  const ratio = median(beside.map((p95, round) => p95 / (alone[round] as number)));
  const words = `${median(beside).toFixed(1)} against ${median(alone).toFixed(1)} ms from the event to the shop; ${A_SECOND} events a second`;
  return row('webhooks beside ten hanging endpoints ÷ without, p95', '≤', 1.2, ratio, '', words);
}

/**
 * Publishes events for so many seconds for the endpoints that answer, and returns the p95 of the time in ms until they are received.
 * Those that hang have a backlog meanwhile.
 */
async function p95Of(
  db: Db,
  { origin, heard }: Receiver,
  answering: readonly string[],
  hanging: readonly string[],
  seconds: number,
): Promise<number> {
  await addBacklog(db, hanging);
  const deliveries = runDeliveries({ db, channels: channelsTo(db, origin) });
  await pause(CLAIMED_MS);
  const published = new Map<string, number>();
  const begin = performance.now();
  for (let at = 0; at < A_SECOND * seconds; at += 1) {
    published.set(await publishFor(db, answering[at % ENDPOINTS] as string), performance.now());
    await pause(Math.max(0, begin + ((at + 1) * 1_000) / A_SECOND - performance.now()));
  }
  for (const id of published.keys())
    while (!heard.has(id)) {
      if (performance.now() - begin > LONGEST_MS) throw new Error('not all webhooks came');
      await pause(10);
    }
  await deliveries.stop();
  // An event may be received before its publisher knows of the commit.
  const took = [...published].map(([id, at]) => Math.max(0, (heard.get(id) as number) - at));
  return quantile(took, 0.95);
}

/** Measures queries for due deliveries while ten endpoints hang. All other endpoints are idle, or wait for a retry. */
async function lookRow(db: Db, rounds: number, looks: number): Promise<SpeedRow> {
  const receiver = await openReceiver();
  const [few, idle, waiting]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    await db.run('truncate delivery_endpoint, delivery_event cascade');
    few.push(await lookFor(db, receiver, looks));
    await addIdle(db, MANY);
    idle.push(await lookFor(db, receiver, looks));
    await letIdleWait(db);
    waiting.push(await lookFor(db, receiver, looks));
  }
  receiver.server.closeAllConnections();
  receiver.server.close();
  const ratio = median(idle.map((ms, round) => ms / (few[round] as number)));
  const [ms, fewMs, waitingMs] = [idle, few, waiting].map((all) => median(all).toFixed(2));
  const words = `${ms} against ${fewMs} ms; ${waitingMs} ms if all of them wait for another attempt`;
  return row('looks for due deliveries with 10 000 endpoints ÷ with ten', '≤', 1.5, ratio, '', words);
}

async function addIdle(db: Db, count: number): Promise<void> {
  await db.run(
    `insert into delivery_endpoint (id, owner, kind, url, created_at, failing_since)
     select gen_random_uuid(), 'idle:' || at, 'gate', 'https://shop.example/', clock_now(), clock_now()
     from generate_series(1, $1::int) as at`,
    [count],
  );
}

/** Gives each idle endpoint a delivery that is due in an hour. */
async function letIdleWait(db: Db): Promise<void> {
  await db.run(
    `with event as (
       insert into delivery_event (id, owner, type, body, at) values ($1, 'idle:1', 'invoice.settled', '{}', clock_now())
       returning id)
     insert into delivery (id, event_id, endpoint_id, due_at, tries, failed)
     select gen_random_uuid(), event.id, delivery_endpoint.id, clock_now() + interval '1 hour', 1, 1
     from event, delivery_endpoint where owner like 'idle:%'`,
    [newId()],
  );
}

/** Returns the mean time in ms of so many queries for due deliveries. Adds ten hanging endpoints, and removes them. */
async function lookFor(db: Db, { origin }: Receiver, looks: number): Promise<number> {
  const hanging = await addEndpoints(db, `${origin}/hang`, ENDPOINTS);
  await addBacklog(db, hanging);
  for (const table of ['delivery_endpoint', 'delivery']) await db.run(`vacuum analyze ${table}`);
  const deliveries = openDeliveries({ db, channels: channelsTo(db, origin) });
  // Each endpoint hangs with as many deliveries as are made at a time.
  void (await deliveries.begin());
  await pause(CLAIMED_MS);
  const begin = performance.now();
  for (let at = 0; at < looks; at += 1) await deliveries.begin();
  const mean = (performance.now() - begin) / looks;
  await deliveries.stop();
  await removeAll(db, hanging);
  return mean;
}

/** Publishes events for endpoints: more for each than are delivered to it at a time. */
async function addBacklog(db: Db, endpoints: readonly string[]): Promise<void> {
  for (const id of endpoints) for (let at = 0; at < BACKLOG; at += 1) await publishFor(db, id);
}

/** Publishes an event for the store of an endpoint, in a thread of its own. Returns the event's id. */
async function publishFor(db: Db, endpoint: string): Promise<string> {
  const id = newId();
  const event = { id, owner: `store:${endpoint}`, type: 'invoice.settled', body: { data: { id }, metadata: '{}' } };
  await db.tx((tx) => publish(tx, { ...event, thread: { name: id, place: 1 } }));
  return id;
}

const removeAll = (db: Db, endpoints: readonly string[]): Promise<void> =>
  db.tx(async (tx) => {
    for (const id of endpoints) await removeEndpoint(tx, id);
  });
