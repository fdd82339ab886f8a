// Counts clicks on affiliates' links by people, one for each device, campaign and day. Clicks are gathered in memory and written
// each second, so that a click costs no transaction.

import { isbot } from 'isbot';
import type { Reference } from '@kurs/contract/reference';
import { type Db, type Statements, type Sweeper, createLimiter, every, monotonicMs } from '../platform/index.ts';
import type { Sender } from './campaigns.ts';
import { rememberedSenders } from './reference.ts';

/** Request data of a browser that opens a link. */
export interface Opened {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Identity of its device. */
  readonly device: () => string;
  /** Its network: one address, or the range that one customer has. */
  readonly network: () => string;
}

/** Gathers clicks. */
export interface Clicks {
  /** Counts a click by a person. Returns false for an unknown reference. */
  open(reference: Pick<Reference, 'code' | 'campaign'>, opened: Opened): Promise<boolean>;
  /** Writes the remaining clicks. */
  stop(): Promise<void>;
}

/** Milliseconds between two writes, and the maximum number of clicks that wait for one. */
const WRITE_MS = 1_000;
const MAX_WAITING = 50_000;
const REMEMBERED_MS = 60_000;
/** Maximum number of new devices of one network in a minute: more are one program with many names. */
const NEW_OF_NETWORK = { max: 60, seconds: 60 };

/** Starts gathering the clicks of this process. */
export function openClicks(db: Db): Clicks {
  let waiting = new Map<string, Click>();
  /** Clicks written within the last minute: the database is queried once in that time for the same device. */
  const written = new Set<string>();
  let writtenSince = monotonicMs();
  const senderOf = rememberedSenders(db);
  const limiter = createLimiter();
  const isAmongFew = (network: string): boolean => {
    try {
      limiter.take(network, NEW_OF_NETWORK);
      return true;
    } catch {
      return false;
    }
  };
  const write = async (): Promise<void> => {
    if (monotonicMs() - writtenSince > REMEMBERED_MS || written.size > MAX_WAITING) {
      written.clear();
      writtenSince = monotonicMs();
    }
    if (waiting.size === 0) return;
    const clicks = waiting;
    waiting = new Map();
    try {
      await writeClicks(db, [...clicks.values()]);
      for (const key of clicks.keys()) written.add(key);
    } catch (error) {
      for (const [key, click] of clicks) if (waiting.size < MAX_WAITING) waiting.set(key, click);
      throw error;
    }
  };
  const loop: Sweeper = every(WRITE_MS, 'referrals.clicks', write);
  return {
    async open(reference, { method, headers, device, network }) {
      const sender = await senderOf(reference);
      if (!sender) return false;
      if (method === 'GET' && isPerson(headers) && waiting.size < MAX_WAITING) {
        const click = { ...sender, device: device() };
        const key = `${click.holderId} ${click.campaign} ${click.device}`;
        if (!written.has(key) && !waiting.has(key) && isAmongFew(network())) waiting.set(key, click);
      }
      return true;
    },
    async stop() {
      await loop.stop();
      await write();
    },
  };
}

type Click = Sender & { readonly device: string };

/** Writes clicks, and counts those of devices without a click on this day; in a fixed order, so that processes don't deadlock. */
export async function writeClicks(db: Statements, clicks: readonly Click[]): Promise<void> {
  await db.run(
    `with today as (select (clock_now() at time zone 'UTC')::date as day), fresh as (
       insert into affiliate_click (day, holder_id, campaign, device)
       select day, holder, campaign, device from today, unnest($1::uuid[], $2::text[], $3::text[]) as c (holder, campaign, device)
       order by holder, campaign, device
       on conflict do nothing returning day, holder_id, campaign
     )
     insert into affiliate_day as d (holder_id, day, campaign, clicks)
     select holder_id, day, campaign, count(*) from fresh group by holder_id, day, campaign order by holder_id, day, campaign
     on conflict (holder_id, day, campaign) do update set clicks = d.clicks + excluded.clicks`,
    [clicks.map(({ holderId }) => holderId), clicks.map(({ campaign }) => campaign), clicks.map(({ device }) => device)],
    { name: 'referrals.clicks' },
  );
}

/** Deletes devices of clicks on past days. Returns the number of rows. */
export const forgetClicks = (db: Statements): Promise<number> =>
  db.run(`delete from affiliate_click where day < (clock_now() at time zone 'UTC')::date - 1`);

/** True if a person opens a page: no picture, frame or program, and no prefetch. */
function isPerson(headers: Opened['headers']): boolean {
  const isDocument = headers['sec-fetch-dest'] === 'document';
  return isDocument && headers['sec-purpose'] === undefined && !isProgram(String(headers['user-agent'] ?? ''));
}

/** Cache of parsed browser names: few are sent, and the list is long. */
const programs = new Map<string, boolean>();
const MAX_NAMES = 2_000;

function isProgram(agent: string): boolean {
  const known = programs.get(agent);
  if (known !== undefined) return known;
  const found = agent === '' || isbot(agent);
  if (programs.size >= MAX_NAMES) programs.clear();
  if (agent.length < 500) programs.set(agent, found);
  return found;
}
