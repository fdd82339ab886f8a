import { partsRead } from '../provider/amounts.ts';
import type { PerfectMoneyClient } from './client.ts';
import { SCALE } from './config.ts';

const ACCOUNT = /^[A-Z]\d{6,9}$/;

/** Returns the balance of each account of the login, in cents by account. Throws `PerfectMoneyRefusal` or `Unreachable`. */
export async function balances(client: PerfectMoneyClient): Promise<Map<string, bigint>> {
  const inputs = await client.act('balance', {});
  const accounts = [...inputs].filter(([name]) => ACCOUNT.test(name));
  return new Map(accounts.map(([name, amount]) => [name, partsRead(amount, SCALE)]));
}
