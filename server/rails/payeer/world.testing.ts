import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { messageOf, secretsIn } from '../provider/messages.testing.ts';
import { provider } from './index.ts';

/** Payeer's rail with its counterpart, and 1000 USD on the desk's account. `draws` decide about faults, one for each call. */
export interface PayeerWorld extends ProviderWorld {
  readonly sides: Beside;
  readonly draws: number[];
}

/** Returns a new world. The sandbox is no dependency of the server: only tests import it, by its path in the repository. */
export async function payeerWorld(folder?: string): Promise<PayeerWorld> {
  const { openPayeer } = await import('../../../sandbox/payeer/index.ts');
  const draws: number[] = [];
  const chance = (): number => draws.shift() ?? 0.5;
  const sides = await beside(() => openPayeer({ ...(folder !== undefined && { folder }), chance }), provider);
  const { counterpart, rail } = sides;
  await counterpart.fund({ currency: 'PAYEER_USD', to: '', amount: '1000.00' });
  let next = 1;
  return {
    sides,
    draws,
    rail,
    currency: 'PAYEER_USD',
    unit: 'PAYEER_USD',
    parts: 2_550n,
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { account: ' ' }, problem: 'empty' },
      { fields: { account: 'someone@example.com' }, problem: 'bad_format' },
      { fields: { account: 'P123456' }, problem: 'bad_format' },
      { fields: { account: 'U1000000' }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    pay: async ({ to, way, parts }) => {
      if (way.kind !== 'redirect') throw new Error('Payeer is paid by a form');
      const amount = format(money('PAYEER_USD', parts));
      await counterpart.pay({ currency: 'PAYEER_USD', to, way, amount, fee: 'normal', isReplaceable: false });
    },
    message: (to) => messageOf(sides.messages, ({ raw }) => Buffer.from(raw).includes(`m_orderid=${to}`)),
    badMessages: ({ raw, headers }) => {
      const text = Buffer.from(raw).toString('utf8');
      const changed = (why: string, change: (form: URLSearchParams) => void) => {
        const form = new URLSearchParams(text);
        change(form);
        return { why, webhook: { raw: Buffer.from(form.toString()), headers } };
      };
      return [
        changed('another sum', (form) => form.set('m_amount', '2550.00')),
        changed('another currency', (form) => form.set('m_curr', 'RUB')),
        changed('another order', (form) => form.set('m_orderid', 'ANOTHERORDER1234')),
        changed('another shop', (form) => form.set('m_shop', '999')),
        changed('small letters', (form) => form.set('m_sign', (form.get('m_sign') ?? '').toLowerCase())),
        changed('no signature', (form) => form.delete('m_sign')),
        changed('a field twice', (form) => form.append('m_orderid', form.get('m_orderid') ?? '')),
        changed('a field less', (form) => form.delete('m_operation_ps')),
      ];
    },
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      receiver: async () => ({ account: await counterpart.address('PAYEER_USD') }),
      received: async (to) => BigInt((await counterpart.balance('PAYEER_USD', to['account'] ?? '')).replace('.', '')),
      wrongPayee: async () => ({ account: 'P99999999999' }),
      timesDone: async ({ reference }) => (await counterpart.tricks?.['transfers']?.({ reference })) as number,
      sendUnheard: async (attempt) => {
        // The answer to the look-up arrives, the answer to the transfer is lost.
        counterpart.faults.set({ lost_replies: 0.5 });
        draws.push(0.9, 0.1);
        await rail.payout?.send(attempt);
        counterpart.faults.set({});
      },
      giveBack: async (_attempt, txid) => void (await counterpart.tricks?.['return']?.({ id: txid })),
    },
    close: () => sides.close(),
  };
}
