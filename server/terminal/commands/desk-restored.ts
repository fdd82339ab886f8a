// The desk tool's part of the restored mode: the database may be older than what has happened to the money.

import { readFile } from 'node:fs/promises';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const RESTORED_HELP: readonly Usage[] = [
  ['restored', 'whether the database may be older than what has happened, and what showed it; payouts are off meanwhile'],
  ['end-restored --evidence FILE --reason "…"', 'money may leave again: two people'],
];

const banner = (said: string): string =>
  `RESTORED MODE ${said}: this database may be older than what has happened to the money.
Nothing is paid out until two people end it. What to do: npm run desk -- restored
`;

/**
 * Prints the banner above an answer whose headers say that the mode is on, once for a command. With `isJson` it goes to standard
 * error, so that the answer stays one that a program can read.
 */
export function bannerOf(isJson: boolean): (headers: Headers) => void {
  let isTold = false;
  return (headers) => {
    const said = headers.get('kurs-restored');
    if (said === null || isTold) return;
    isTold = true;
    (isJson ? process.stderr : process.stdout).write(`${banner(said)}\n`);
  };
}

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** The commands by their names. */
export const RESTORED: Readonly<Record<string, Command>> = {
  async restored({ client, isJson, show, print }) {
    const { restored, since, why } = await client.operatorRestored({});
    if (isJson) return show({ restored, since, why });
    if (!restored) return print('The restored mode is off: money leaves as usual.');
    print(`${why.join('\n')}\n`);
  },
  async 'end-restored'({ client, flags, need, key, show }) {
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    show(await client.operatorRestoredEnd({ evidence, reason: need(flags.reason, '--reason') }, key));
  },
};
