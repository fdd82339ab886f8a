import { type PayoutBefore, payoutsBefore } from '../payments/index.ts';
import { type Config, ConfigError, migrate } from '../platform/index.ts';
import { over, requirePostgres } from './older-version.ts';

/**
 * Brings the database at the owner's address up to date; gives the names of the migrations that were applied. Throws a
 * ConfigError with what to do, before anything is changed, for a PostgreSQL that is too old and while payouts of an earlier
 * version are under way.
 */
export async function bringUpToDate(ownerUrl: string, { KURS_MODE: mode }: Pick<Config, 'KURS_MODE'>): Promise<string[]> {
  await requirePostgres(ownerUrl);
  const before = await over(ownerUrl, payoutsBefore);
  if (before.length > 0) throw new ConfigError(underWay(before));
  return migrate(ownerUrl, mode);
}

/** So many are named; the rest is counted. */
const NAMED = 10;

function underWay(before: readonly PayoutBefore[]): string {
  const lines = before.slice(0, NAMED).map(({ id, owner, currency, waits }) => `  ${id}  ${waits}  ${currency}  ${owner.kind} ${owner.id}`); // prettier-ignore
  const more = before.length > NAMED ? [`  + ${before.length - NAMED}`] : [];
  return [
    `Payouts of an earlier version are under way in this database (${before.length}): this version could not book what becomes of them.`,
    `Nothing was changed. Start the earlier version again and let these end, then start this one: "Payouts under way" in`,
    `docs/operations.md says how, state by state. A sandbox can also begin anew, with an empty KURS_DATA and database.`,
    '',
    `В этой базе ещё идут выплаты прежней версии (${before.length}): эта версия не смогла бы провести по книгам то, чем они закончатся.`,
    `Ничего не изменено. Запустите прежнюю версию и дайте этим выплатам завершиться, затем запустите эту; как, по состояниям`,
    `выплат, сказано в docs/operations.md, «Payouts under way». Песочницу можно и начать заново, с пустыми KURS_DATA и базой.`,
    '',
    ...lines,
    ...more,
  ].join('\n');
}
