import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { type Form, Store, acceptForms, escape, hidden, showPage } from '../provider/index.ts';
import { KeyRing } from './keys.ts';

/**
 * Google's side of a sign-in: the script that a browser loads, a window in which someone chooses an account, and the keys that
 * check its tokens. Written from developers.google.com/identity/gsi/web; not compared with the live service.
 */
export interface Google {
  /** Faults of the address with its keys. */
  readonly faults: Faults;
  /** Returns the configuration that the product needs to reach it. */
  environment(where: Where): Readonly<Record<string, string>>;
  /** Adds its addresses to a scope whose prefix is `/sandbox/google`. */
  mount(scope: FastifyInstance): void;
  /** Actions for tests, by name. */
  readonly tricks: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;
}

/** Person who has signed in before. */
interface Person {
  readonly email: string;
  readonly name: string;
  readonly subject: string;
  readonly [field: string]: unknown;
}

const CLIENT_ID = 'kurs-sandbox.apps.example';
const ISSUER = 'https://accounts.google.invalid';
const HOUR = 3_600;
const CLIENT = readFileSync(new URL('client.js', import.meta.url));

/** Returns the default subject of an address: 21 digits, as Google's have. */
const subjectOf = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`)}`.slice(0, 21);

/** Opens the counterpart. Without a folder, persons are not stored. */
export function openGoogle({ folder, now = Date.now }: { folder?: string; now?: () => number } = {}): Google {
  const store = new Store(folder === undefined ? undefined : join(folder, 'google.jsonl'));
  const keys = new KeyRing(store, now);
  const faults = new Faults();
  return {
    faults,
    environment: ({ base, pages }) => ({
      KURS_GOOGLE_CLIENT_ID: CLIENT_ID,
      KURS_GOOGLE_ISSUERS: ISSUER,
      KURS_GOOGLE_KEYS: `${base}/certs`,
      KURS_GOOGLE_SCRIPT: `${pages}/client`,
    }),
    mount(scope) {
      acceptForms(scope);
      scope.register(async (api) => {
        faults.mount(api);
        api.get('/certs', async (_request, reply) =>
          reply.header('cache-control', `public, max-age=${HOUR}, must-revalidate`).send({ keys: keys.published() }),
        );
      });
      scope.get('/client', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(CLIENT));
      mountWindow(scope, store, (claims) => keys.sign({ ...claims, ...timesOf(now()) }));
    },
    tricks: {
      /** Creates a new signing key. */
      rotate: async () => ({ kid: keys.rotate() }),
    },
  };
}

function timesOf(milliseconds: number): object {
  const at = Math.floor(milliseconds / 1_000);
  return { iat: at, nbf: at, exp: at + HOUR, jti: randomUUID() };
}

function mountWindow(scope: FastifyInstance, store: Store, sign: (claims: object) => string): void {
  scope.get<{ Querystring: Form }>('/select', async ({ query }, reply) => {
    const wrong = wrongOf(query);
    if (wrong !== undefined) return showPage(reply, 'Google', 'Error', `<p class="error">${escape(wrong)}</p>`, 400);
    return ask(reply, query, store.all<Person>('person'));
  });
  scope.post<{ Body: Form }>('/select', async ({ body }, reply) => {
    const email = (body['email'] ?? '').trim();
    const wrong = wrongOf(body) ?? (/^\S+@\S+\.\S+$/.test(email) ? undefined : `${email} is no address`);
    if (wrong !== undefined) return showPage(reply, 'Google', 'Error', `<p class="error">${escape(wrong)}</p>`, 400);
    const known = store.get<Person>('person', email.toLowerCase());
    const person = {
      email,
      name: (body['name'] ?? '').trim() || known?.name || (email.split('@')[0] as string),
      subject: (body['subject'] ?? '').trim() || known?.subject || subjectOf(email),
    };
    store.put('person', email.toLowerCase(), person);
    const credential = sign(claimsOf(person, body));
    return handOver(reply, credential, body['origin'] ?? '');
  });
}

function claimsOf({ email, name, subject }: Person, { nonce, verified, hosted }: Form): object {
  const domain = email.split('@')[1] as string;
  return {
    ...{ iss: ISSUER, azp: CLIENT_ID, aud: CLIENT_ID, sub: subject, email, email_verified: verified !== 'no', name },
    ...(hosted !== 'no' && !domain.endsWith('gmail.com') && { hd: domain }),
    ...(nonce !== undefined && nonce !== '' && { nonce }),
  };
}

/** Returns Google's error for an unknown page or client; undefined if both are known. */
function wrongOf({ client_id, origin }: Form): string | undefined {
  if (client_id !== CLIENT_ID) return `The OAuth client was not found: ${client_id ?? ''}`;
  return /^https?:\/\/[\w.[\]:-]+$/.test(origin ?? '') ? undefined : 'The given origin is not allowed for the given client ID';
}

/** Shows recent accounts, and a form for another one. */
function ask(reply: FastifyReply, { client_id = '', nonce = '', origin = '' }: Form, people: readonly Person[]): FastifyReply {
  const carried = hidden({ client_id, nonce, origin });
  const known = people
    .slice(-4)
    .map(
      ({ email, name }) =>
        `<form method="post" action="select">${carried}${hidden({ email })}<button>${escape(name)}, ${escape(email)}</button></form>`,
    );
  const field = (name: string, label: string, more = ''): string =>
    `<label>${label}<input name="${name}" autocomplete="off" ${more}></label>`;
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]): string =>
    `<label>${label}<br><select name="${name}">${options.map(([value, words]) => `<option value="${value}">${words}</option>`).join('')}</select></label>`;
  const form = `<form method="post" action="select">${carried}
${field('email', 'E-mail', 'type="email" required autofocus')}
${field('name', 'Name, if you like')}
${field('subject', 'Subject (the account’s own number); made of the e-mail when empty')}
${choice('verified', 'Has Google verified the e-mail?', [
  ['yes', 'yes'],
  ['no', 'no'],
])}
${choice('hosted', 'Does Google run this mailbox?', [
  ['yes', 'yes (Gmail, or an organisation at Google)'],
  ['no', 'no (an address from elsewhere)'],
])}
<button>Sign in</button></form>`;
  return showPage(reply, 'Google', 'Choose an account', `${known.join('')}${form}`);
}

/** Posts the token to the page that opened this window, and to no other, and closes the window. */
function handOver(reply: FastifyReply, credential: string, origin: string): FastifyReply {
  const reported = JSON.stringify({ credential });
  return showPage(
    reply,
    'Google',
    'Signed in',
    `<p>You can close this window.</p><script>opener?.postMessage(${reported}, ${JSON.stringify(origin)}); close();</script>`,
  );
}
