import { format, money } from '@kurs/money';
import type { ProviderWorld } from '../provider.contract.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { messageOf, secretsIn } from '../provider/messages.testing.ts';
import { provider } from './index.ts';

/** Nebulox's rail and its counterpart in the sandbox. */
export interface NebuloxWorld extends ProviderWorld {
  readonly sides: Beside;
}

/** Opens both. The server doesn't depend on the sandbox: only tests import it, by its path in the repository. */
export async function nebuloxWorld(): Promise<NebuloxWorld> {
  const { openNebulox } = await import('../../../sandbox/nebulox/index.ts');
  const sides = await beside(() => openNebulox(), provider);
  const { counterpart, rail } = sides;
  let next = 1;
  return {
    sides,
    rail,
    currency: 'LTC',
    unit: 'LTC',
    parts: 5_000_001n,
    payer: { address: 'LPNE9GK3GenV8A2AUrSfmrSjfArUJ5N345' },
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { address: ' ' }, problem: 'empty' },
      { fields: { address: '159Gt41DBzYRsML1JiTNVqNySxVCAuNKWr' }, problem: 'wrong_network' },
      { fields: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, problem: 'wrong_network' },
      { fields: { address: '0x1234' }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(sides.settings),
    pay: async ({ to, way, parts }) => {
      if (way.kind !== 'redirect') throw new Error('Nebulox is paid on its page');
      await counterpart.pay({
        currency: 'LTC',
        to,
        way,
        amount: format(money('LTC', parts)),
        fee: 'normal',
        isReplaceable: false,
      });
    },
    message: (to) => messageOf(sides.messages, ({ raw }) => Buffer.from(raw).includes(to)),
    badMessages: ({ raw, headers }) => {
      const text = Buffer.from(raw).toString('utf8');
      const changed = (why: string, from: string, to: string) => ({
        why,
        webhook: { raw: Buffer.from(text.replace(from, to)), headers },
      });
      return [
        changed('another amount', '"amount":"0.05', '"amount":"5.05'),
        changed('an added space', '{', '{ '),
        changed('another order', '"orderId":"', '"orderId":"X'),
        { why: 'no signature', webhook: { raw, headers: {} } },
        { why: 'capital letters', webhook: { raw, headers: { 'x-hash': (headers['x-hash'] ?? '').toUpperCase() } } },
      ];
    },
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    close: () => sides.close(),
  };
}
