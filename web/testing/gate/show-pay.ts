// The page of an invoice as the server renders it for a buyer, for tests.

import assert from 'node:assert/strict';
import { createClient } from '@kurs/contract/client';
import en from '../../locales/en-US.json' with { type: 'json' };
import ru from '../../locales/ru-RU.json' with { type: 'json' };
import { textOf } from '../ask-text.ts';
import { stubSite } from '../serve.ts';
import { worldTransport } from '../world.ts';
import { type Answers, withAnswers } from './answers.ts';
import { type SceneName, sceneId } from './invoices.ts';

export const WORDS = { En: en, Ru: ru } as const;
export type Prefix = keyof typeof WORDS;
export type Key = Exclude<keyof typeof en, 'checkout_more'>;
export const PREFIXES = ['En', 'Ru'] as const;
export const plain = (text: string): string => text.replace(/\s+/g, ' ');
/** Returns the beginning of a text, before its first placeholder, as a page shows it. */
export const start = (prefix: Prefix, key: Key): string => plain(String(WORDS[prefix][key]).split('{')[0] ?? '').trim();

interface Asked {
  readonly prefix?: Prefix;
  readonly query?: string;
  readonly form?: Record<string, string>;
  readonly made?: [string, unknown][];
  readonly answers?: Answers;
  readonly cookies?: Record<string, string>;
}

/** Requests the page of a scene's invoice; with `form`, posts that form. Calls are recorded in `made`. */
export async function show(scene: SceneName | 'unknown', { prefix = 'En', query = '', ...more }: Asked = {}) {
  const id = scene === 'unknown' ? '7c9e6679-7425-40de-944b-e07fc1f90ae7' : sceneId(scene);
  return request(`/${prefix}/pay/${id}${query}`, more);
}

/** A payer's secret, as the cookie of an invoice's page has it. */
export const SECRET = 'c3R1Yi1zZWNyZXQtb2YtYS1wYXllci0wMDAx';

export async function request(
  url: string,
  { form, made = [], answers = {}, cookies = {} }: Omit<Asked, 'form'> & { form?: Record<string, string> | undefined },
) {
  const clock = (): Date => new Date();
  const [known, world] = [withAnswers(clock, answers), worldTransport(clock)];
  const client = createClient(async (call) => {
    made.push([call.name, call.input]);
    return call.name in answers ? known(call) : world(call);
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  const { status, body, headers } = await site.handle({
    ...{ method: form ? 'POST' : 'GET', url, cookies },
    headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  const all = new Map(headers);
  const stored = headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  return {
    status,
    body,
    text: plain(textOf(body)),
    location: all.get('location'),
    policy: all.get('content-security-policy'),
    stored,
  };
}

/** Checks that a page holds the beginnings of these words. */
export function mustSay(prefix: Prefix, text: string, keys: readonly Key[]): void {
  for (const key of keys) assert.ok(text.includes(start(prefix, key)), `${key} is missing in: ${text}`);
}
