// `npm run audit:verify`: proves that every action in the audit is unaltered, or lists the faults with exit code 1.

import { proveAudit } from '../operator/index.ts';
import { loadConfig } from '../platform/index.ts';
import { openAuditNote, openBooks, withDatabase, over } from '../supervisor/index.ts';
import { runCommand } from '../terminal/index.ts';

await runCommand(async () => {
  const config = loadConfig();
  openBooks(config);
  const { faults, actions, proven } = await withDatabase(config, async (url) => {
    const noted = openAuditNote(config).read();
    return over(url, (db) => proveAudit(db, noted), { budget: 600_000 });
  });
  console.log(`${actions} actions proved, up to seal ${proven.number}\n`);
  for (const { account, words } of faults) console.log(`✗ ${account}: ${words}`);
  console.log(faults.length === 0 ? 'The audit is right.' : `${faults.length} faults in the audit.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});
