import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';

/**
 * The other side of screening, by docs/screening.md: it says of every account that it is clean, until it is told otherwise, and
 * answers in whichever wrong way it is told.
 */
export interface Screening {
  /** How often its answers misbehave. */
  readonly faults: Faults;
  /** What the product's configuration must say to reach it. */
  environment(where: Where): Readonly<Record<string, string>>;
  /** Adds its address to a scope whose prefix is `/sandbox/screening`. */
  mount(scope: FastifyInstance): void;
  /** What only tests ask of it, by name: `POST /screening/<name>` on the control port. */
  readonly tricks: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;
}

interface Result {
  readonly score: unknown;
  readonly labels: unknown;
}

/** Answers that are none: what comes in place of the right one. */
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

/** Opens it. Its key is a file in the folder; what it was told is forgotten with it. */
export function openScreening({ folder }: { folder: string }): Screening {
  const key = randomBytes(24).toString('base64url');
  const keyFile = join(folder, 'screening.key');
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  const faults = new Faults();
  const judged = new Map<string, Result>();
  let wrong = '';

  const resultOf = ({ fields }: { fields: Readonly<Record<string, string>> }): Result =>
    Object.values(fields)
      .map((field) => judged.get(field))
      .find((one) => one !== undefined) ?? { score: 0, labels: [] };

  return {
    faults,
    environment: ({ base }) => ({ KURS_SCREENING_URL: `${base}/accounts`, KURS_SCREENING_KEY_FILE: keyFile }),
    mount(scope) {
      faults.mount(scope);
      type Asked = { readonly version: number; readonly accounts: { readonly fields: Readonly<Record<string, string>> }[] };
      scope.post<{ Body: Asked }>('/accounts', async ({ headers, body }, reply) => {
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
      /** Sets what it answers about an account. */
      async judge({ account, score = 0, labels = [] }) {
        judged.set(String(account), { score, labels });
        return { account };
      },
      /** Answers wrongly from now on, by name; empty: rightly again. */
      async 'answer-wrongly'({ how = '' }) {
        if (how !== '' && !WRONG[String(how)]) throw new Error(`There is no wrong answer called ${String(how)}`);
        wrong = String(how);
        return { how: wrong };
      },
    },
  };
}
