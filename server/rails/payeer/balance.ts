import { z } from 'zod';
import { partsRead } from '../provider/amounts.ts';
import { CURRENCIES, SCALE } from './config.ts';
import { type PayeerClient, amount } from './client.ts';

const answer = z.looseObject({
  balance: z.record(z.string(), z.looseObject({ total: amount, available: amount })),
});

/** Returns our account's balances, and the part that can be sent, in cents by Payeer's name of the currency. */
export async function balances(client: PayeerClient): Promise<Map<string, { parts: bigint; payable: bigint }>> {
  const { balance } = await client.call('getBalance', {}, answer);
  const ours = [...CURRENCIES.values()].flatMap((name) => (balance[name] ? [[name, balance[name]] as const] : []));
  return new Map(
    ours.map(([name, { total, available }]) => [name, { parts: partsRead(total, SCALE), payable: partsRead(available, SCALE) }]),
  );
}
