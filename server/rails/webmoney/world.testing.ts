import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { changedForms, messageOf, secretsIn } from '../provider/messages.testing.ts';
import { provider } from './index.ts';

export const CODES = ['WMZ', 'WME'];

/** Opens WebMoney's rail with its counterpart, and `amount` of each currency in the desk's purses. */
export async function webMoneyBeside(
  change: Readonly<Record<string, unknown>> = {},
  amount = '1000.00',
  folder?: string,
): Promise<Beside> {
  const { openWebMoney } = await import('../../../sandbox/webmoney/index.ts');
  const sides = await beside(() => openWebMoney(folder === undefined ? {} : { folder }), provider, change);
  for (const currency of CODES) await sides.counterpart.fund({ currency, to: '', amount });
  return sides;
}

/** Opens the world for the provider contract. */
export async function webMoneyWorld(): Promise<ProviderWorld & { readonly sides: Beside }> {
  const sides = await webMoneyBeside();
  const { rail, counterpart } = sides;
  const currency = 'WMZ';
  let next = 1;
  const pay: ProviderWorld['pay'] = async ({ to, way, parts }) => {
    if (way.kind !== 'redirect') throw new Error('WebMoney is paid by a form');
    const amount = format(money(currency, parts));
    await counterpart.pay({ currency, to, way, amount, fee: 'normal', isReplaceable: false });
  };
  return {
    ...{ sides, rail, currency, unit: currency, parts: 2_550n, pay },
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { account: ' ' }, problem: 'empty' },
      { fields: { account: '123456789012' }, problem: 'bad_format' },
      { fields: { account: 'E123456789012' }, problem: 'bad_format' },
      { fields: { account: 'Z12345678901' }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    payPending: async (paid) => {
      await sides.trick('hold', { days: 3 });
      await pay(paid);
      await sides.trick('hold', { on: false });
    },
    settle: (to) => sides.trick('release', { to }),
    message: (to) => messageOf(sides.messages, ({ raw }) => isNotice(Buffer.from(raw).toString(), to)),
    badMessages: changedForms({
      'another sum': (form) => form.set('LMI_PAYMENT_AMOUNT', '2550'),
      'another number': (form) => form.set('LMI_PAYMENT_NO', '1000099'),
      'another purse': (form) => form.set('LMI_PAYEE_PURSE', 'Z999999999999'),
      'the test mode': (form) => form.set('LMI_MODE', '1'),
      'a hold': (form) => form.set('LMI_HOLD', '30'),
      'a hash in small letters': (form) => form.set('LMI_HASH2', (form.get('LMI_HASH2') ?? '').toLowerCase()),
      'only the hash without separators': (form) => form.delete('LMI_HASH2'),
      'the mark of a question': (form) => {
        form.set('LMI_PREREQUEST', '1');
        form.delete('KURS_SIGN');
      },
      'a field twice': (form) => form.append('LMI_PAYMENT_NO', form.get('LMI_PAYMENT_NO') ?? ''),
    }),
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      isInsistent: true,
      receiver: async () => ({ account: await counterpart.address(currency) }),
      received: async (to) => BigInt((await counterpart.balance(currency, to['account'] ?? '')).replace('.', '')),
      wrongPayee: async () => ({ account: 'Z999999999999' }),
      timesDone: async ({ reference }) => (await counterpart.tricks?.['transfers']?.({ reference })) as number,
      sendUnheard: async (attempt) => {
        await sides.trick('lose', { operation: 'Transact' });
        await rail.payout.send(attempt);
      },
      giveBack: (_attempt, txid) => sides.trick('return', { id: txid }),
    },
    close: () => sides.close(),
  };
}

const isNotice = (text: string, to: string): boolean => text.includes(`LMI_PAYMENT_NO=${to}`) && !text.includes('LMI_PREREQUEST');
