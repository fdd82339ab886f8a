// Screens accounts by a service over HTTP, as described in docs/screening.md. A faulty answer is treated as no answer, so that
// the accounts are held. Faults are another status or shape, a redirect, too long an answer, too few results, or a score out of
// range.

import { z } from 'zod';
import type { Risk, ScreenedAccount, Screener } from './screener.ts';

/** URL of the service, and our key for it. */
export interface HttpScreenerOptions {
  readonly url: string;
  readonly key: string;
}

/** Maximum number of accounts in one request. */
const BATCH_SIZE = 100;
const LARGEST_ANSWER = 256 * 1024;

const label = z.object({ name: z.string().trim().min(1).max(100), kind: z.enum(['hard', 'soft']) });
const answers = z.object({
  version: z.literal(1),
  results: z.array(z.object({ score: z.number().min(0).max(100), labels: z.array(label).max(100) })),
});

/** Opens a screening service by its URL and key. Makes no request yet. */
export function openHttpScreener(options: HttpScreenerOptions): Screener {
  return async (accounts, signal) => {
    const risks: Risk[] = [];
    for (let from = 0; from < accounts.length; from += BATCH_SIZE)
      risks.push(...(await ask(options, accounts.slice(from, from + BATCH_SIZE), signal)));
    return risks;
  };
}

async function ask(
  { url, key }: HttpScreenerOptions,
  accounts: readonly ScreenedAccount[],
  signal: AbortSignal,
): Promise<Risk[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ version: 1, accounts }),
    redirect: 'error',
    signal,
  });
  const text = await textOf(response);
  const { host } = new URL(url);
  if (response.status !== 200) throw new Error(`${response.status} from ${host}`);
  const parsed = answers.safeParse(jsonOf(text));
  if (!parsed.success) throw new Error(`no answer of the screening’s form from ${host}`);
  const { results } = parsed.data;
  if (results.length !== accounts.length)
    throw new Error(`${results.length} results for ${accounts.length} accounts from ${host}`);
  return results;
}

/** Reads the body of an answer. Throws if it is longer than `LARGEST_ANSWER` bytes. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LARGEST_ANSWER) throw new Error(`more than ${LARGEST_ANSWER} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
