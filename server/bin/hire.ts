// `npm run hire -- NAME operator|compliance`: makes a person of the desk and shows the key, this once. `--rotate NAME` gives a
// person another key, `--revoke NAME` takes it back. An installation for real money begins without people, so nobody could
// switch anything on; whoever can do this can read the database anyway.

import { authenticate, hire, leave, rotate } from '../operator/index.ts';
import { type Tx, loadConfig, openDb } from '../platform/index.ts';
import { openBooks } from './books.ts';
import { withDatabase } from './database.ts';

const USAGE = `Give a name (small letters) and a role: npm run hire -- maria operator|compliance
or another key for somebody: npm run hire -- --rotate maria
or take a key back: npm run hire -- --revoke maria
`;
const isName = (text = ''): boolean => /^[a-z][a-z0-9-]{1,39}$/.test(text);

/** What was asked for; undefined where nobody can tell. */
function wantedOf([first = '', second = '']: readonly string[]): ((tx: Tx) => Promise<string | undefined>) | undefined {
  if (first === '--rotate' && isName(second)) return async (tx) => (await rotate(tx, second))?.key;
  if (first === '--revoke' && isName(second))
    return async (tx) => ((await leave(tx, second)) ? `${second}’s key opens nothing any more.` : undefined);
  if (!isName(first) || (second !== 'operator' && second !== 'compliance')) return undefined;
  return async (tx) => {
    const { key } = await hire(tx, first, second);
    return (await authenticate(tx, key)) && key;
  };
}

const wanted = wantedOf(process.argv.slice(2));
if (!wanted) {
  process.stderr.write(USAGE);
  process.exit(1);
}
const config = loadConfig();
// Acts of the audit carry a MAC.
openBooks(config);
await withDatabase(config, async (url) => {
  const db = openDb({ url, name: 'kurs-hire', max: 1 });
  try {
    const said = await db.tx(wanted);
    if (said !== undefined) return console.log(said);
    process.stderr.write('There is somebody of that name already, or, to change a key, nobody. Nothing was done.\n');
    process.exitCode = 1;
  } finally {
    await db.close();
  }
});
