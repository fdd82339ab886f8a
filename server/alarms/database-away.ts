// Alarm for a database that doesn't answer. Other alarms are stored in the database. This alarm is held in memory, and its
// messages go directly to the mail server, the webhook and the file.

import { type Post, postOnce, sendAtOnce } from '../deliveries/index.ts';
import { type Db, type Sweeper, every, log, reasonOf, wallClock } from '../platform/index.ts';
import { type Alarm, type Found, type AlarmMessage, decide } from './alarm.ts';
import { alarmWebhook, appendLine } from './deliver.ts';
import { settings } from './settings.ts';
import { recordReported } from './store.ts';
import { writeNotice } from './notice-words.ts';

const POLL_MS = 10_000;
/** Maximum number of messages that wait for a mail server or webhook; older ones are dropped. */
const MAX_WAITING = 100;

export interface DatabaseAlarmOptions {
  readonly db: Pick<Db, 'row' | 'run'>;
  /** Name of the product. */
  readonly name: string;
  /** Path of the file with one line per alarm message. */
  readonly file: string;
  /** Sends letters. */
  readonly post: Post;
}

/** Checks every few seconds whether the database answers, and notifies people when it hasn't for half a minute. */
export function runDatabaseAlarm(options: DatabaseAlarmOptions): Sweeper {
  const poll = watchDatabase(options);
  return every(POLL_MS, 'alarms.database', () => poll(wallClock()));
}

/**
 * Returns a function that checks once whether the database answers. Each message is sent at once, and tried again at each check
 * until it is accepted. The messages are stored for `desk alarms` when the database answers again. Uses the settings that were
 * read last.
 */
export function watchDatabase({ db, name, file, post }: DatabaseAlarmOptions): (now: Date) => Promise<void> {
  let known: readonly Alarm[] = [];
  let unwritten: readonly { readonly reported: AlarmMessage; readonly at: Date }[] = [];
  let waiting: readonly (() => Promise<void>)[] = [];

  const report = (reported: AlarmMessage, now: Date): void => {
    const { letter, line } = writeNotice(reported, name, now);
    const webhook = settings.get('alarms.webhook');
    unwritten = [...unwritten, { reported, at: now }].slice(-MAX_WAITING);
    waiting = [
      ...waiting,
      async () => appendLine(file, now, line),
      ...(webhook === '' ? [] : [() => postOnce(alarmWebhook, webhook, { type: 'alarm', body: { text: line } })]),
      ...settings.get('alarms.mail').map((to) => () => sendAtOnce(post, { ...letter, to })),
    ].slice(-MAX_WAITING);
  };
  const deliver = async (): Promise<void> => {
    const failed: (() => Promise<void>)[] = [];
    for (const send of waiting)
      await send().catch((error: unknown) => {
        log.warn('a message about an alarm could not be sent', { error });
        failed.push(send);
      });
    waiting = failed;
  };

  return async (now) => {
    const found = await foundOfDatabase(db);
    const decision = decide(known, found, now, settings.get('alarms.remind_hours'));
    known = decision.store;
    for (const reported of decision.reported) report(reported, now);
    await deliver();
    if (found.length > 0) return;
    // Stores messages one at a time. If the database fails in between, no message is stored twice.
    for (const one of unwritten) {
      await recordReported(db, one.reported, one.at);
      unwritten = unwritten.filter((each) => each !== one);
    }
  };
}

async function foundOfDatabase(db: Pick<Db, 'row'>): Promise<Found[]> {
  try {
    await db.row('select 1 as answer', [], { name: 'alarms.database' });
    return [];
  } catch (error) {
    const words = `The database does not answer, so nobody gets a page and nothing is credited or paid out: ${reasonOf(error)}`;
    return [{ key: 'database', kind: 'database', words }];
  }
}
