import type { Deliveries } from '../deliveries/index.ts';
import { type Db, Recent, configureLog, every, log, loopTroubles, monotonicMs, wallClock } from '../platform/index.ts';
import { type AlarmKind, type Found, kindsOf } from './alarm.ts';
import { type Beating, type Process, beat, foundSilent, signOff } from './beat.ts';
import { foundOfMail, foundOfWebhook, writeLines } from './deliver.ts';
import { foundInRooms, foundOfCertificate, foundOfDisk } from './state.ts';
import { type SignerHealth, foundOfRestarts, foundOfSigner } from './processes.ts';
import { RESTORED_ALARM, UNRECORDED_ALARM } from '../payments/index.ts';
import { storeFindings, loopKey } from './store.ts';

const POLL_MS = 10_000;
const WRITE_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * Texts of log alarms that people are not notified of here. A check finds the same problems, reports them, and also notices their
 * end.
 */
const POLLED_AT: ReadonlySet<string> = new Set([
  'rail is down: nothing is credited or paid on it',
  'the books and the rail differ',
  UNRECORDED_ALARM,
  RESTORED_ALARM,
]);

export interface AlarmsOptions {
  readonly db: Db;
  /** Name of the product. */
  readonly name: string;
  /** Path of the file with one line per alarm message. */
  readonly file: string;
  /** The data folder. */
  readonly folder: string;
  /** Name of the machine. */
  readonly machine: string;
}

/** Stores the problems that a process has found, and logs the messages to people. `kinds`: the kinds that the process checked. */
async function store(
  { db, name, machine }: AlarmsOptions,
  process: Process,
  kinds: readonly AlarmKind[],
  found: readonly Found[],
): Promise<void> {
  const events = await db.tx((tx) => storeFindings(tx, kinds, found, { name, by: { process, machine } }));
  for (const { notice, alarm } of events)
    log.warn('people are notified of an alarm', { notice, key: alarm.key, said: alarm.words });
}

const foundOfLoops = (by: Process): Found[] =>
  loopTroubles().map(({ name, words }) => ({ key: loopKey(by, name), kind: 'loop', words: `${words} (${by})` }));

/**
 * Starts the worker's checks, which cover everything but the worker itself, and the writing of the alarms' file. `url`: public
 * address of the product. `signer`: queries the signer's health.
 */
export function runAlarms(options: AlarmsOptions & { url: string; signer: () => Promise<SignerHealth> }): {
  stop(): Promise<void>;
} {
  const { db, folder, url, file, signer, machine } = options;
  const by: Beating = { process: 'worker', machine };
  const logged = new Recent();
  configureLog({
    onAlarm: (words, { subject, sentence }) => void (POLLED_AT.has(words) || logged.note(subject, sentence)),
  });
  const states = async (): Promise<Found[]> => {
    const { found, alarms } = await foundOfSigner(signer);
    const said = new Map([...alarms.map((words) => [words, words] as const), ...logged.all()]);
    return [
      ...(await foundInRooms(db)),
      ...(await foundOfDisk(folder)),
      ...(await foundOfWebhook(db)),
      ...(await foundOfMail(db)),
      ...(await foundSilent(db, 'api')),
      ...(await foundSilent(db, 'console')),
      ...foundOfLoops('worker'),
      ...foundOfRestarts(folder, wallClock()),
      ...found,
      ...[...said].map(([about, words]): Found => ({
        key: `log ${about}`,
        kind: 'logged',
        words: `${words}. See the log for details.`,
      })),
    ];
  };
  const loops = [
    every(POLL_MS, 'alarms', async () => {
      await beat(db, by);
      await store(options, 'worker', kindsOf('worker'), await states());
    }),
    every(
      MINUTE_MS,
      'alarms.certificate',
      hourlyUnlessOpen(async () => {
        const found = await foundOfCertificate(url, await db.now());
        await store(options, 'worker', kindsOf('certificate'), found);
        return found.length > 0;
      }),
    ),
    every(WRITE_MS, 'alarms.file', () => writeLines(db, file)),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await signOff(db, by);
    },
  };
}

/**
 * Returns a function to call every minute. The function calls `poll` once an hour. While `poll` finds a problem, and for three
 * minutes after that, the function calls `poll` each time. So a repair is reported soon. `poll` returns true if it finds a
 * problem.
 */
export function hourlyUnlessOpen(poll: () => Promise<boolean>, now: () => number = monotonicMs): () => Promise<void> {
  let [openAt, polledAt] = [-Infinity, -Infinity];
  return async () => {
    const at = now();
    if (at - polledAt < HOUR_MS && at - openAt > 3 * MINUTE_MS) return;
    if (await poll()) openAt = at;
    polledAt = at;
  };
}

/** Stores signs of life of the console, which the worker watches. */
export function runConsoleBeat({ db, machine }: { readonly db: Db; readonly machine: string }): { stop(): Promise<void> } {
  const by: Beating = { process: 'console', machine };
  const loop = every(POLL_MS, 'alarms.console', () => beat(db, by));
  return {
    async stop() {
      await loop.stop();
      await signOff(db, by);
    },
  };
}

/**
 * Starts the api's checks, which cover the worker. While the worker is silent or unstable, the api also sends messages in its
 * place. `deliver`: starts deliveries of mail and webhooks. `proxies`: returns addresses of proxies in the last hour that the
 * settings don't name.
 */
export function runAlarmsBeside(options: AlarmsOptions & { deliver: () => Deliveries; proxies: () => readonly string[] }): {
  stop(): Promise<void>;
} {
  const { db, file, folder, deliver, proxies, machine } = options;
  const by: Beating = { process: 'api', machine };
  let deliveries: Deliveries | undefined;
  const endDeliveries = async (): Promise<void> => {
    const done = deliveries;
    deliveries = undefined;
    await done?.stop();
  };
  const find = async (): Promise<Found[]> => [
    ...(await foundSilent(db, 'worker')),
    ...foundOfLoops('api'),
    ...foundOfRestarts(folder, wallClock()),
    ...proxies().map((ip): Found => ({
      key: `proxy ${ip}`,
      kind: 'proxy',
      words: `Requests come through a proxy at ${ip} that TRUST_PROXY doesn’t name, so all clients count as one network. Add it, and no other, to TRUST_PROXY.`,
    })),
  ];
  const loop = every(POLL_MS, 'alarms.beside', async () => {
    await beat(db, by);
    const found = await find();
    await store(options, 'api', kindsOf('api'), found);
    if (!found.some(({ key }) => key === 'worker' || key === 'restarts worker')) return endDeliveries();
    deliveries ??= deliver();
    await writeLines(db, file);
  });
  return {
    async stop() {
      await loop.stop();
      await signOff(db, by);
      await endDeliveries();
    },
  };
}
