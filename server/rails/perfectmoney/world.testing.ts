import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { secretsIn } from '../provider/messages.testing.ts';
import type { Attempt } from '../rail.ts';
import { provider } from './index.ts';

/**
 * Perfect Money's rail with its counterpart, and 1000 USD on the desk's account. `draws`: numbers that decide about faults, one
 * per call; 0.5 once they are used up.
 */
export interface PerfectMoneyWorld extends ProviderWorld {
  readonly sides: Beside;
  readonly draws: number[];
}

/** Opens a world. Imports the sandbox by its path, since the server doesn't depend on it: only tests may. */
export async function perfectMoneyWorld(): Promise<PerfectMoneyWorld> {
  const { openPerfectMoney } = await import('../../../sandbox/perfectmoney/index.ts');
  const draws: number[] = [];
  const sides = await beside(() => openPerfectMoney({ chance: () => draws.shift() ?? 0.5 }), provider);
  const { counterpart, rail } = sides;
  await counterpart.fund({ currency: 'PMV_USD', to: '', amount: '1000.00' });
  let next = 1;
  return {
    sides,
    draws,
    rail,
    currency: 'PMV_USD',
    unit: 'PMV_USD',
    parts: 2_550n,
    badAccounts: [],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    pay: async ({ to, parts }) => {
      const amount = format(money('PMV_USD', parts));
      const paid = await counterpart.pay({ currency: 'PMV_USD', to, amount, fee: 'normal', isReplaceable: false });
      return paid.voucher;
    },
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      receiver: async () => ({}),
      received: async (_to, voucher) =>
        BigInt((await counterpart.balance('PMV_USD', voucher?.['number'] ?? '')).replace('.', '')),
      timesDone: async (attempt) => (await madeBy(sides, attempt)).length,
      sendUnheard: async (attempt) => {
        // The answer of the list arrives, and that of the creation is lost.
        counterpart.faults.set({ lost_replies: 0.5 });
        draws.push(0.9, 0.1);
        await rail.payout.send(attempt);
        counterpart.faults.set({});
      },
      giveBack: async (attempt) => rail.payout.recall?.(attempt),
    },
    close: () => sides.close(),
  };
}

/** Returns the vouchers of an attempt's sum that were created after its preparation. */
export async function madeBy({ counterpart }: Beside, { raw }: Attempt): Promise<{ number: string; removed: boolean }[]> {
  const { currency, amount, before } = JSON.parse(raw) as { currency: string; amount: string; before: string[] };
  const made = (await counterpart.tricks?.['made']?.({ currency, amount })) as { number: string; removed: boolean }[];
  return made.filter(({ number }) => !before.includes(number));
}
