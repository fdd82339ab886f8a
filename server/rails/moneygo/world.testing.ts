import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { messageOf, secretsIn } from '../provider/messages.testing.ts';
import { provider } from './index.ts';

export const CODES = ['MONEYGO_USD', 'MONEYGO_EUR', 'MONEYGO_RUB'];

/** Returns MoneyGo's rail with its counterpart, and 1000 of each currency in the desk's wallets. */
export async function moneyGoBeside(change: Readonly<Record<string, unknown>> = {}, folder?: string): Promise<Beside> {
  const { openMoneyGo } = await import('../../../sandbox/moneygo/index.ts');
  const sides = await beside(() => openMoneyGo(folder === undefined ? {} : { folder }), provider, change);
  for (const currency of CODES) await sides.counterpart.fund({ currency, to: '', amount: '1000.00' });
  return sides;
}

/** Returns the same as a world of the provider contract. */
export async function moneyGoWorld(): Promise<ProviderWorld & { readonly sides: Beside }> {
  const sides = await moneyGoBeside();
  const { rail, counterpart } = sides;
  const currency = 'MONEYGO_USD';
  let next = 1;
  return {
    ...{ sides, rail, currency, unit: currency, parts: 2_550n },
    payer: { account: await counterpart.address(currency) },
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { account: ' ' }, problem: 'empty' },
      { fields: { account: 'E1234567' }, problem: 'bad_format' },
      { fields: { account: 'U1' }, problem: 'bad_format' },
      { fields: { account: 'U1234567890123' }, problem: 'bad_format' },
      { fields: { account: 'someone@example.com' }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    pay: async ({ to, way, parts }) => {
      if (way.kind !== 'redirect') throw new Error('MoneyGo is paid on a page');
      const amount = format(money(currency, parts));
      await counterpart.pay({ currency, to, way, amount, fee: 'normal', isReplaceable: false });
    },
    chargeback: (to) => sides.trick('chargeback', { to }),
    message: (to) => messageOf(sides.messages, ({ raw }) => Buffer.from(raw).includes(to)),
    // The signature isn't published: only messages without a reference of our form can be recognised as false.
    badMessages: ({ headers }) =>
      ['{', '[]', '{"payment_id":1}', '{"payment_id":"1 or 1=1"}', '{"payment_id":"019abcde-0000-7000-8000-000000000001"}'].map(
        (body) => ({ why: body, webhook: { raw: Buffer.from(body), headers } }),
      ),
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      isInsistent: true,
      receiver: async () => ({ account: await counterpart.address(currency) }),
      received: async (to) => BigInt((await counterpart.balance(currency, to['account'] ?? '')).replace('.', '')),
      wrongPayee: async () => ({ account: 'U9999999' }),
      timesDone: async ({ reference }) => (await counterpart.tricks?.['transfers']?.({ reference })) as number,
      sendUnheard: async (attempt) => {
        await sides.trick('lose', { operation: 'transaction/transfer' });
        await rail.payout.send(attempt);
      },
      giveBack: (_attempt, txid) => sides.trick('return', { id: txid }),
    },
    close: () => sides.close(),
  };
}
