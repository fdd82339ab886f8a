// Pages of businesses and stores as the server renders them for a signed-in account holder, for tests.

import { createClient } from '@kurs/contract/client';
import en from '../../locales/en-US.json' with { type: 'json' };
import ru from '../../locales/ru-RU.json' with { type: 'json' };
import { textOf } from '../ask-text.ts';
import { stubSite } from '../serve.ts';
import { type Answers, withAnswers } from './answers.ts';

export const WORDS = { En: en, Ru: ru } as const;
type Prefix = keyof typeof WORDS;
export const PREFIXES = ['En', 'Ru'] as const;

/** Returns a text with single plain spaces. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ');

export interface Shown {
  readonly status: number;
  readonly body: string;
  readonly text: string;
  readonly location: string | undefined;
}

/** Language of a request, the form that it posts, and the list to which the calls of the API are added. */
export interface ShowRequest {
  readonly prefix?: Prefix;
  readonly form?: Record<string, string>;
  readonly made?: [string, unknown][];
}

/** Requests a page below the business's page as a signed-in holder; with `form`, posts that form. */
export async function showBusiness(
  now: Date,
  answers: Answers,
  path: string,
  { prefix = 'En', form, made = [] }: ShowRequest = {},
): Promise<Shown> {
  const transport = withAnswers(() => now, answers);
  const client = createClient((call) => {
    made.push([call.name, call.input]);
    return transport(call);
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  const { status, body, headers } = await site.handle({
    ...{ method: form ? 'POST' : 'GET', url: `/${prefix}/dashboard/business${path}`, cookies: {} },
    headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin', authorization: 'Bearer a-token' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  return { status, body, text: plain(textOf(body)), location: new Map(headers).get('location') };
}
