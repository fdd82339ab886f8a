// `npm run hire -- NAME operator|compliance`: makes a person of the desk and shows the key, this once. An installation for
// real money begins without people, so nobody could switch anything on; whoever can do this can read the database anyway.

import { authenticate, hire } from '../operator/index.ts';
import { loadConfig, openDb } from '../platform/index.ts';
import { withDatabase } from './database.ts';

const [name = '', role] = process.argv.slice(2);
if (!/^[a-z][a-z0-9-]{1,39}$/.test(name) || (role !== 'operator' && role !== 'compliance')) {
  process.stderr.write('Give a name (small letters) and a role: npm run hire -- maria operator|compliance\n');
  process.exit(1);
}
await withDatabase(loadConfig(), async (url) => {
  const db = openDb({ url, name: 'kurs-hire', max: 1 });
  try {
    const { key } = await db.tx((tx) => hire(tx, name, role));
    if (await authenticate(db, key)) return console.log(key);
    process.stderr.write(`There is a ${name} already: take another name.\n`);
    process.exitCode = 1;
  } finally {
    await db.close();
  }
});
