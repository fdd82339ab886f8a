import { arePayoutsBefore } from '../payments/index.ts';
import { type Config, ConfigError, migrate } from '../platform/index.ts';
import { over } from './first-start.ts';

/**
 * Brings the database at the owner's address up to date; gives the names of the migrations that were applied. Throws a
 * ConfigError, before anything is changed, while payouts of an earlier version are under way.
 */
export async function bringUpToDate(ownerUrl: string, { KURS_MODE: mode }: Pick<Config, 'KURS_MODE'>): Promise<string[]> {
  if (await over(ownerUrl, arePayoutsBefore)) throw new ConfigError(UNDER_WAY);
  return migrate(ownerUrl, mode);
}

const UNDER_WAY = `In this database payouts of an earlier version are under way: this version could not book what becomes of them.
Nothing was changed. Start the earlier version again, until every payout is final or has failed, and then this one. A sandbox can also begin anew, with an empty KURS_DATA and database.

В этой базе ещё идут выплаты прежней версии: эта версия не смогла бы провести по книгам то, чем они закончатся.
Ничего не изменено. Запустите прежнюю версию, пока каждая выплата не завершится или не сорвётся, а затем эту. Песочницу можно и начать заново, с пустыми KURS_DATA и базой.`;
