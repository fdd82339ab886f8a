import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { changedForms, messageOf, secretsIn } from '../provider/messages.testing.ts';
import { provider } from './index.ts';

export const CODES = ['VOLET_USD', 'VOLET_EUR', 'VOLET_RUB'];

/** Opens Volet's rail and its counterpart in the sandbox, with `amount` of each currency in the desk's wallets. */
export async function voletBeside(
  change: Readonly<Record<string, unknown>> = {},
  amount = '1000.00',
  folder?: string,
): Promise<Beside> {
  const { openVolet } = await import('../../../sandbox/volet/index.ts');
  const sides = await beside(() => openVolet(folder === undefined ? {} : { folder }), provider, change);
  for (const currency of CODES) await sides.counterpart.fund({ currency, to: '', amount });
  return sides;
}

/** Opens the same in the form of the provider contract. */
export async function voletWorld(): Promise<ProviderWorld & { readonly sides: Beside }> {
  const sides = await voletBeside();
  const { rail, counterpart } = sides;
  const currency = 'VOLET_RUB';
  let next = 1;
  const pay: ProviderWorld['pay'] = async ({ to, way, parts }) => {
    if (way.kind !== 'redirect') throw new Error('Volet is paid by a form');
    const amount = format(money(currency, parts));
    await counterpart.pay({ currency, to, way, amount, fee: 'normal', isReplaceable: false });
  };
  return {
    ...{ sides, rail, currency, unit: currency, parts: 2_550n, pay },
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { account: ' ' }, problem: 'empty' },
      { fields: { account: 'U123456789012' }, problem: 'bad_format' },
      { fields: { account: 'R12345678901' }, problem: 'bad_format' },
      { fields: { account: 'someone@example' }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    payPending: async (paid) => {
      await sides.trick('hold');
      await pay(paid);
      await sides.trick('hold', { on: false });
    },
    settle: (to) => sides.trick('release', { to }),
    chargeback: (to) => sides.trick('chargeback', { to }),
    message: (to) => messageOf(sides.messages, ({ raw }) => Buffer.from(raw).includes(`ac_order_id=${to}`)),
    badMessages: changedForms({
      'another amount': (form) => form.set('ac_amount', '2550.00'),
      'another currency': (form) => form.set('ac_merchant_currency', 'USD'),
      'another order': (form) => form.set('ac_order_id', '0123456789ABCDEF'),
      'another wallet': (form) => form.set('ac_dest_wallet', 'R999999999999'),
      'another shop': (form) => form.set('ac_sci_name', 'Other'),
      'a hash in capitals': (form) => form.set('ac_hash', (form.get('ac_hash') ?? '').toUpperCase()),
      'no hash': (form) => form.delete('ac_hash'),
      'a repeated field': (form) => form.append('ac_order_id', form.get('ac_order_id') ?? ''),
      'a missing field': (form) => form.delete('ac_transfer'),
    }),
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      isInsistent: true,
      receiver: async () => ({ account: await counterpart.address(currency) }),
      received: async (to) => BigInt((await counterpart.balance(currency, to['account'] ?? '')).replace('.', '')),
      wrongPayee: async () => ({ account: 'R999999999999' }),
      timesDone: async ({ reference }) => (await counterpart.tricks?.['transfers']?.({ reference })) as number,
      sendUnheard: async (attempt) => {
        await sides.trick('lose', { operation: 'sendMoney' });
        await rail.payout.send(attempt);
      },
      giveBack: (_attempt, txid) => sides.trick('return', { id: txid }),
    },
    close: () => sides.close(),
  };
}
