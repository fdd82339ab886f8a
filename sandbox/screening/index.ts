import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';

/**
 * Counterpart of screening, by docs/screening.md. It reports every account as clean unless a test sets another result, and can
 * return each kind of invalid answer.
 */
export interface Screening {
  /** Faults of its answers. */
  readonly faults: Faults;
  /** Returns the configuration that the product needs to reach it. */
  environment(where: Where): Readonly<Record<string, string>>;
  /** Adds its address to a scope whose prefix is `/sandbox/screening`. */
  mount(scope: FastifyInstance): void;
  /** Actions for tests, by name: `POST /screening/<name>` on the control port. */
  readonly tricks: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;
}

interface Result {
  readonly score: unknown;
  readonly labels: unknown;
}

/** Invalid answers by name, each made from the right one. */
const WRONG: Readonly<Record<string, (results: readonly Result[]) => { readonly status?: number; readonly body: string }>> = {
  'too-few': (results) => ({ body: JSON.stringify({ version: 1, results: results.slice(1) }) }),
  'too-many': (results) => ({ body: JSON.stringify({ version: 1, results: [...results, { score: 0, labels: [] }] }) }),
  'no-json': () => ({ body: '<html>OK</html>' }),
  empty: () => ({ body: '' }),
  'another-version': (results) => ({ body: JSON.stringify({ version: 2, results }) }),
  'no-labels': (results) => ({ body: JSON.stringify({ version: 1, results: results.map(({ score }) => ({ score })) }) }),
  'text-score': (results) => ({
    body: JSON.stringify({ version: 1, results: results.map(({ labels }) => ({ score: '0', labels })) }),
  }),
  'high-score': (results) => ({
    body: JSON.stringify({ version: 1, results: results.map(({ labels }) => ({ score: 101, labels })) }),
  }),
  'no-content': () => ({ status: 204, body: '' }),
  created: (results) => ({ status: 201, body: JSON.stringify({ version: 1, results }) }),
  busy: () => ({ status: 429, body: '{}' }),
  elsewhere: () => ({ status: 307, body: '' }),
  endless: () => ({ body: `{"version":1,"results":[${' '.repeat(300 * 1024)}]}` }),
};

/** Opens the counterpart. Its key is a file in the folder; results that tests set are not stored. */
export function openScreening({ folder }: { folder: string }): Screening {
  const key = randomBytes(24).toString('base64url');
  const keyFile = join(folder, 'screening.key');
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  const faults = new Faults();
  const checked = new Map<string, Result>();
  let wrong = '';

  const resultOf = ({ fields }: { fields: Readonly<Record<string, string>> }): Result =>
    Object.values(fields)
      .map((field) => checked.get(field))
      .find((one) => one !== undefined) ?? { score: 0, labels: [] };

  return {
    faults,
    environment: ({ base }) => ({ KURS_SCREENING_URL: `${base}/accounts`, KURS_SCREENING_KEY_FILE: keyFile }),
    mount(scope) {
      faults.mount(scope);
      type ScreeningRequest = {
        readonly version: number;
        readonly accounts: { readonly fields: Readonly<Record<string, string>> }[];
      };
      scope.post<{ Body: ScreeningRequest }>('/accounts', async ({ headers, body }, reply) => {
        if (headers.authorization !== `Bearer ${key}`) return reply.code(401).send({ error: 'unknown key' });
        if (body.version !== 1 || !Array.isArray(body.accounts) || body.accounts.length > 100)
          return reply.code(400).send({ error: 'not a request of version 1' });
        const results = body.accounts.map(resultOf);
        const answer = WRONG[wrong]?.(results);
        if (!answer) return { version: 1, results };
        if (answer.status === 307) reply.header('location', '/sandbox/screening/accounts');
        return reply
          .code(answer.status ?? 200)
          .type('application/json')
          .send(answer.body);
      });
    },
    tricks: {
      /** Sets the result of an account. */
      async judge({ account, score = 0, labels = [] }) {
        checked.set(String(account), { score, labels });
        return { account };
      },
      /** Makes all answers invalid in the named way; an empty name makes them valid again. */
      async 'answer-wrongly'({ how = '' }) {
        if (how !== '' && !WRONG[String(how)]) throw new Error(`There is no wrong answer called ${String(how)}`);
        wrong = String(how);
        return { how: wrong };
      },
    },
  };
}
