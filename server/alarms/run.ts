import { type Db, type Postman, configureLog, every, log } from '../platform/index.ts';
import type { AlarmKind, Found } from './alarm.ts';
import { beat, foundSilent } from './beat.ts';
import { deliverMessages } from './deliver.ts';
import { Recent } from './recent.ts';
import { foundInRooms, foundOfCertificate, foundOfDisk } from './state.ts';
import { keepFound } from './store.ts';

const LOOK_MS = 10_000;
const DELIVER_MS = 1_000;
const HOUR_MS = 3_600_000;
/** What the log alarms of and a look finds by itself, with when it is over. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  'rail is down: nothing is credited or paid on it',
  'the books and the rail differ',
]);

export interface AlarmsOptions {
  readonly db: Db;
  /** The product's name. */
  readonly name: string;
  /** The file that every alarm is a line of. */
  readonly file: string;
}

/** Keeps what was found of the kinds that were looked for. */
async function keep({ db, name }: AlarmsOptions, kinds: readonly AlarmKind[], found: readonly Found[]): Promise<void> {
  const told = await db.tx((tx) => keepFound(tx, kinds, found, name));
  for (const { telling, alarm } of told) log.warn('people are told of an alarm', { telling, key: alarm.key, said: alarm.words });
}

/** The worker's part: it looks at all but itself, and tells. `folder`: of the data; `url`: by which people reach us. */
export function runAlarms(options: AlarmsOptions & { folder: string; url: string }): { stop(): Promise<void> } {
  const { db, folder, url, file } = options;
  const logged = new Recent();
  configureLog({ onAlarm: (words) => void (LOOKED_AT.has(words) || logged.note(words)) });
  const states = async (): Promise<Found[]> => [
    ...(await foundInRooms(db)),
    ...(await foundOfDisk(folder)),
    ...(await foundSilent(db, 'api')),
    ...logged.all().map((words): Found => ({ key: `log ${words}`, kind: 'logged', words: `${words}. The log says more.` })),
  ];
  const loops = [
    every(LOOK_MS, 'alarms', async () => {
      await beat(db, 'worker');
      await keep(options, ['rates', 'rail', 'reserve', 'doubt', 'books', 'disk', 'api', 'logged'], await states());
    }),
    every(HOUR_MS, 'alarms.certificate', async () =>
      keep(options, ['certificate'], await foundOfCertificate(url, await db.now())),
    ),
    every(DELIVER_MS, 'alarms.deliver', () => deliverMessages(db, file)),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}

/**
 * The api's part: it looks at the worker, and while that is silent tells in its place. `mail` opens what sends mail; `proxies`:
 * addresses of proxies that nobody has named, of the last hour.
 */
export function runAlarmsBeside(options: AlarmsOptions & { mail: () => Postman; proxies: () => readonly string[] }): {
  stop(): Promise<void>;
} {
  const { db, file, mail, proxies } = options;
  let postman: Postman | undefined;
  const find = async (): Promise<Found[]> => [
    ...(await foundSilent(db, 'worker')),
    ...proxies().map((ip): Found => ({
      key: `proxy ${ip}`,
      kind: 'proxy',
      words: `Requests come through a proxy at ${ip} that nobody has named, so all the world counts as one network: name it, and no more, in TRUST_PROXY.`,
    })),
  ];
  const loop = every(LOOK_MS, 'alarms.beside', async () => {
    await beat(db, 'api');
    const found = await find();
    await keep(options, ['worker', 'proxy'], found);
    if (!found.some(({ kind }) => kind === 'worker')) {
      const done = postman;
      postman = undefined;
      return void (await done?.stop());
    }
    postman ??= mail();
    await postman.deliver();
    await deliverMessages(db, file);
  });
  return {
    async stop() {
      await loop.stop();
      await postman?.stop();
    },
  };
}
