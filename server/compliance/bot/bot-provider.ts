// Robot checks by outside providers. Both use one protocol, in which the browser's token is posted to `siteverify`:
// developers.cloudflare.com/turnstile/get-started/server-side-validation, developers.google.com/recaptcha/docs/verify (version
// 2). Written from their documentation, and not yet tried with either service.

import { z } from 'zod';
import { log, monotonicMs } from '../../platform/index.ts';

export type BotProviderName = 'turnstile' | 'recaptcha';

export interface BotProviderOptions {
  readonly name: BotProviderName;
  /** Public key with which browsers show the check. */
  readonly siteKey: string;
  readonly secret: string;
  /** Address at which tokens are verified. */
  readonly verifyUrl: string;
  /** The site's host. Tokens that were made on other sites are refused. */
  readonly host: string;
}

/** A robot check by an outside provider. */
export interface BotProvider extends Pick<BotProviderOptions, 'name' | 'siteKey'> {
  /**
   * Returns true if the provider failed to answer within the last minute. During that time, proofs of work are accepted instead.
   */
  isSilent(): boolean;
  /**
   * Verifies a token that a caller sent from `ip`. `silent`: the provider gave no usable answer. Makes a network request, so
   * don't call it within a transaction.
   */
  verify(token: string, ip: string): Promise<'passed' | 'failed' | 'silent'>;
}

const TIMEOUT_MS = 4_000;
/** Time for which proofs of work are accepted after the provider failed to answer, in ms. */
const SILENT_MS = 60_000;
const LARGEST_ANSWER = 20_000;

const answers = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
});

/** Error codes of the provider that say nothing about the token: our settings are wrong, or the provider has trouble. */
const NOT_THE_TOKENS = new Set(['missing-input-secret', 'invalid-input-secret', 'internal-error', 'bad-request']);

/** Opens a provider by its settings. Makes no request yet. */
export function openBotProvider(
  options: BotProviderOptions,
  { now = monotonicMs, timeoutMs = TIMEOUT_MS }: { now?: () => number; timeoutMs?: number } = {},
): BotProvider {
  const { name, siteKey } = options;
  let silentUntil = -Infinity;
  return {
    ...{ name, siteKey },
    isSilent: () => now() < silentUntil,
    async verify(token, ip) {
      try {
        return (await isGood(options, { token, ip, timeoutMs })) ? 'passed' : 'failed';
      } catch (error) {
        silentUntil = now() + SILENT_MS;
        log.warn('the robot check’s provider did not answer', { provider: name, error });
        return 'silent';
      }
    },
  };
}

async function isGood(
  { secret, verifyUrl, host }: BotProviderOptions,
  { token, ip, timeoutMs }: { token: string; ip: string; timeoutMs: number },
): Promise<boolean> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ secret, response: token, remoteip: ip }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (text.length > LARGEST_ANSWER) throw new Error(`${text.length} characters from ${new URL(verifyUrl).host}`);
  const parsed = response.status < 500 ? answers.safeParse(jsonOf(text)) : undefined;
  if (!parsed?.success) throw new Error(`${response.status} and no answer from ${new URL(verifyUrl).host}`);
  const { success, hostname, 'error-codes': codes = [] } = parsed.data;
  if (success) return hostname === host;
  const trouble = codes.filter((code) => NOT_THE_TOKENS.has(code));
  if (trouble.length > 0) throw new Error(`${trouble.join(', ')} from ${new URL(verifyUrl).host}`);
  return false;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
