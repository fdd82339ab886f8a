import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { acceptForms } from '../provider/index.ts';

/**
 * Counterpart of a robot check, for Cloudflare Turnstile and Google reCAPTCHA (version 2): the script that a browser loads, and
 * the address that verifies a token once. Written from developers.cloudflare.com/turnstile and developers.google.com/recaptcha;
 * not compared with the live services.
 */
export interface RobotCheck {
  readonly name: RobotCheckName;
  /** Faults of the address that verifies tokens. */
  readonly faults: Faults;
  /** Returns the configuration that the product needs to reach it. */
  environment(where: Where): Readonly<Record<string, string>>;
  /** Adds its addresses to a scope whose prefix is `/sandbox/<name>`. */
  mount(scope: FastifyInstance): void;
}

export type RobotCheckName = 'turnstile' | 'recaptcha';

const CLIENT = readFileSync(new URL('client.js', import.meta.url));
/** Lifetime of a token, in ms. */
const GOOD_MS: Record<RobotCheckName, number> = { turnstile: 300_000, recaptcha: 120_000 };

/** Opens a robot check. Its tokens are not stored. */
export function openRobotCheck(name: RobotCheckName, { now = Date.now }: { now?: () => number } = {}): RobotCheck {
  const siteKey = `sandbox-${name}-site-key`;
  const secret = `sandbox-${name}-secret`;
  const faults = new Faults();
  const given = new Map<string, { readonly at: number; readonly host: string }>();

  const verify = ({ secret: shown, response }: Readonly<Record<string, string | undefined>>): object => {
    const wrong = (...codes: string[]): object => ({ success: false, 'error-codes': codes });
    if (!shown) return wrong('missing-input-secret');
    if (shown !== secret) return wrong('invalid-input-secret');
    if (!response) return wrong('missing-input-response');
    const token = given.get(response);
    if (!token) return wrong(isSpent(response) ? 'timeout-or-duplicate' : 'invalid-input-response');
    given.delete(response);
    if (now() - token.at > GOOD_MS[name]) return wrong('timeout-or-duplicate');
    return { success: true, challenge_ts: new Date(token.at).toISOString(), hostname: token.host, 'error-codes': [] };
  };
  /** Creates a token. It contains a hash, so that spent tokens need not be stored. */
  const make = (id: string = randomUUID()): string => `${id}.${createHash('sha256').update(`${secret}${id}`).digest('hex')}`;
  const isSpent = (token: string): boolean => token === make(token.split('.')[0]);

  return {
    name,
    faults,
    environment: ({ base, pages }) => ({
      KURS_BOT_SITE_KEY: siteKey,
      KURS_BOT_SECRET: secret,
      KURS_BOT_VERIFY: `${base}/siteverify`,
      KURS_BOT_SCRIPT: `${pages}/api.js`,
    }),
    mount(scope) {
      acceptForms(scope);
      scope.register(async (api) => {
        faults.mount(api);
        api.post<{ Body: Record<string, string> | undefined }>('/siteverify', async ({ body }) => verify(body ?? {}));
      });
      scope.get('/api.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(CLIENT));
      // Replaces the providers' frames: pressing the button issues a token for the page's host.
      scope.post<{ Body: Record<string, string> | undefined }>('/token', async ({ body }, reply) => {
        if (body?.['sitekey'] !== siteKey) return reply.code(400).send({ error: 'invalid sitekey' });
        const token = make();
        given.set(token, { at: now(), host: body['host'] ?? '' });
        return { token };
      });
    },
  };
}
