// `npm run hire -- NAME operator|compliance`: adds a person to the desk and shows the key, only this once. `--rotate NAME`
// replaces a person's key, `--revoke NAME` revokes it. An installation for real money starts without people, so nobody could use
// the desk's own hiring. A person who can run this command can read the database anyway.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addOperatorAtConsole, leave, rotate } from '../operator/index.ts';
import { loadConfig, openDb } from '../platform/index.ts';
import { openBooks, withDatabase } from '../supervisor/index.ts';
import { UsageError, runCommand } from '../terminal/index.ts';

const USAGE = `npm run hire -- NAME operator|compliance [--to FILE]   adds a person to the desk; NAME in small letters
npm run hire -- --rotate NAME [--to FILE]              replaces their key
npm run hire -- --revoke NAME                          revokes their key
--to FILE writes the key to a file that only its owner can read; without it the key is printed, only this once.`;

/** Returns the requested action and its person. Throws a UsageError if the arguments are unclear. */
function wanted() {
  try {
    const options = { rotate: { type: 'string' }, revoke: { type: 'string' }, to: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const named = [values.rotate, values.revoke].filter((name) => name !== undefined);
    const [name = '', role] = named.length > 0 ? named : positionals;
    const isHired = named.length === 0 && positionals.length === 2 && (role === 'operator' || role === 'compliance');
    const isKnown = named.length === 1 && positionals.length === 0 && (values.revoke === undefined || values.to === undefined);
    if (!/^[a-z][a-z0-9-]{1,39}$/.test(name) || !(isHired || isKnown)) throw new UsageError(USAGE);
    const action = values.revoke !== undefined ? 'revoke' : values.rotate !== undefined ? 'rotate' : 'hire';
    return { action, name, role: role as 'operator' | 'compliance', to: values.to } as const;
  } catch {
    throw new UsageError(USAGE);
  }
}

const nobody = (name: string): UsageError => new UsageError(`The desk has nobody called ${name}. Nothing was done.`);

const keyNotice = (name: string, to: string | undefined): string =>
  `${to === undefined ? `This is ${name}’s key. It is shown only this once: put it in a file of mode 0600.` : `${to} holds ${name}’s key.`}
To act as ${name}, set: export KURS_DESK_KEY_FILE=${to ?? 'FILE'}
With real money set up an authenticator first: npm run desk -- second-factor`;

await runCommand(async () => {
  const { action, name, role, to } = wanted();
  const config = loadConfig();
  // Needed for the MACs of actions in the audit.
  openBooks(config);
  await withDatabase(config, async (url) => {
    const db = openDb({ url, name: 'kurs-hire', max: 1 });
    try {
      await db.tx(async (tx) => {
        if (action === 'revoke') {
          if (!(await leave(tx, name))) throw nobody(name);
          return;
        }
        const person = action === 'hire' ? await addOperatorAtConsole(tx, name, role) : await rotate(tx, name);
        if (!person)
          throw action === 'hire' ? new UsageError(`The name ${name} is or was in use. Nothing was done.`) : nobody(name);
        // The person is added only if the key can be written.
        if (to !== undefined) writeFileSync(to, `${person.key}\n`, { mode: 0o600, flag: 'wx', flush: true });
        else process.stdout.write(`${person.key}\n`);
      });
    } finally {
      await db.close();
    }
  });
  process.stderr.write(`${action === 'revoke' ? `${name}’s key is revoked.` : keyNotice(name, to)}\n`);
});
