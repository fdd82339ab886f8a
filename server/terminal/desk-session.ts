// The desk tool's commands for sessions. A key sets up an authenticator and begins a session. All other commands use the session
// stored next to the key, or the key if there is none.

import { readFile, rm } from 'node:fs/promises';
import type { CallError } from '@kurs/contract/client';
import { replaceFile } from '../platform/index.ts';
import type { SupportTool } from './commands/desk-support.ts';
import type { Usage } from './desk-usage.ts';

/** A key to act with, and the file of its session; no file for a key in the arguments. */
export interface OwnKey {
  readonly key: string;
  readonly session?: string;
}

export const SESSION_HELP: readonly Usage[] = [
  ['second-factor', 'set up an authenticator: prints the secret for it'],
  ['second-factor CODE', 'switch the authenticator on with its first code; prints recovery codes, once'],
  ['sign-in [CODE]', 'begin a session of 12 hours with a code or a recovery code; with real money all other commands need one'],
  ['sign-out', 'end all of your sessions'],
];

/** Commands that use the key itself. */
const BY_KEY: ReadonlySet<string> = new Set(['second-factor', 'sign-in']);

/** Returns the bearer for a command: the stored session, else the key. */
export async function bearerOf({ key, session }: OwnKey, command: string): Promise<string> {
  if (session === undefined || BY_KEY.has(command)) return key;
  try {
    return (await readFile(session, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return key;
    throw error;
  }
}

/**
 * Returns advice if the API refuses a bearer: the command to run next; undefined if there is none. `signIn` signs in without a
 * code, whose refusal reveals whether an authenticator is set up.
 */
export async function hintOf(
  bearer: string,
  { code, message }: CallError,
  signIn: () => Promise<unknown>,
): Promise<string | undefined> {
  const isKey = bearer.startsWith('kurs_op_');
  if (code === 'unauthorised')
    return isKey
      ? `Nobody of the desk has this key (${code}). Somebody who has one hires you: npm run desk -- help hire`
      : `The session is over (${code}): npm run desk -- sign-in CODE`;
  if (code === 'two_factor_off') return `No authenticator is set up yet (${code})\n${FACTOR_FIRST}`;
  if (code === 'two_factor_on') return `${message} (${code})\nNext: npm run desk -- sign-in CODE`;
  if (code !== 'forbidden' || !isKey) return undefined;
  const refusal = await signIn().then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
  if (refusal === 'two_factor_off') return `With real money a key alone does nothing (${code})\n${FACTOR_FIRST}`;
  return refusal === undefined ? undefined : `${message} (${code})\nWith real money sign in first: npm run desk -- sign-in CODE`;
}

const FACTOR_FIRST = 'Set an authenticator up first: npm run desk -- second-factor';

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const SESSIONS: Readonly<Record<string, Command>> = {
  async 'second-factor'({ client, isJson, show, print }, [code]) {
    if (code === undefined) {
      show(await client.deskFactorBegin({}));
      if (!isJson) print('Enter the secret or the address into your authenticator, then: npm run desk -- second-factor CODE');
      return;
    }
    const { recovery_codes: codes } = await client.deskFactorEnable({ code });
    if (isJson) return show({ recovery_codes: codes });
    print(`Recovery codes, shown only now; each replaces a code once:\n${codes.join('\n')}`);
    print('Next, with the authenticator’s next code: npm run desk -- sign-in CODE');
  },
  async 'sign-in'({ client, session, show, print }, [code]) {
    const begun = await client.deskSignIn(code === undefined ? {} : { code });
    if (session === undefined) return show(begun);
    replaceFile(session, `${begun.token}\n`);
    print(`signed in until ${begun.expires_at}\nwhat is missing until customers can exchange: npm run desk -- next`);
  },
  async 'sign-out'({ client, session, print }) {
    await client.deskSignOut({});
    if (session !== undefined) await rm(session, { force: true });
    print('signed out');
  },
};
