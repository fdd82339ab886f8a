// `npm run ledger:verify`: proves the books of this installation and prints them, or lists the faults with exit code 1.

import { format, money } from '@kurs/money';
import { OWNERS } from '../assembly/index.ts';
import { type Report, storeProof, verify } from '../ledger/index.ts';
import { checksOf } from '../operator/index.ts';
import { loadConfig, openDb } from '../platform/index.ts';
import { openBooks, withDatabase } from '../supervisor/index.ts';
import { runCommand } from '../terminal/index.ts';

await runCommand(async () => {
  const config = loadConfig();
  const note = openBooks(config);
  const report = await withDatabase(config, async (url) => {
    const db = openDb({ url, name: 'kurs-verify', max: 2 });
    try {
      const proved = await verify(db, { checks: checksOf(OWNERS), isWhole: true, note });
      await storeProof(db, proved, { isWhole: true });
      return proved;
    } finally {
      await db.close();
    }
  });
  print(report);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
});

function print({ units, profit, faults, accounts, postings, seconds }: Report): void {
  const rows = units.map(({ unit, held, owed, own }) => [unit, amount(unit, held), amount(unit, owed), amount(unit, own)]);
  for (const [unit = '', ...amounts] of [['unit', 'held', 'owed to others', 'own'], ...rows]) {
    console.log(unit.padEnd(14) + amounts.map((text) => text.padStart(28)).join(''));
  }
  if (profit) console.log(`\nprofit ${profit.profit} USD = operating ${profit.operating} + revaluation ${profit.revaluation}`);
  for (const { unit, unpriced } of profit?.units ?? []) {
    if (unpriced > 0) console.log(`${unit}: ${unpriced} changes without a price, valued at the last known one`);
  }
  console.log(`${accounts} accounts and ${postings} postings proved in ${Math.round(seconds * 10) / 10} s\n`);
  for (const { check, account, words } of faults) console.log(`✗ ${check}${account ? ` · ${account}` : ''}: ${words}`);
  console.log(faults.length === 0 ? 'The books are right.' : `${faults.length} faults in the books.`);
}

function amount(unit: string, parts: bigint): string {
  return parts < 0n ? `-${amount(unit, -parts)}` : format(money(unit, parts));
}
