import { format, money } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import type { Fields, PayWay, Webhook } from '../rail.ts';
import { type Beside, beside } from '../provider/beside.testing.ts';
import { messageOf, secretsIn } from '../provider/messages.testing.ts';
import type { ProviderWorld } from '../provider.contract.ts';
import { provider } from './index.ts';
import { trick } from './trick.testing.ts';

const USD = 'PAYPAL_USD';

/** PayPal's rail with its counterpart, for the provider contract. */
export interface PayPalWorld extends ProviderWorld {
  readonly sides: Beside;
}

/** Opens a world with twenty times an ordinary payment on the desk's account. */
export async function paypalWorld(proof: 'online' | 'offline'): Promise<PayPalWorld> {
  const { openPaypal } = await import('../../../sandbox/paypal/index.ts');
  const world = await beside(() => openPaypal({ payoutMs: 0 }), provider, { proof });
  const { rail, counterpart } = world;
  const parts = 2_550n;
  await counterpart.fund({ currency: USD, to: '', amount: format(money(USD, parts * 20n)) });
  const ways = { currency: USD, fee: 'normal', isReplaceable: false } as const;
  const paying = ({ to, way, parts: sum }: { to: string; way: PayWay; parts: bigint }) => {
    if (way.kind !== 'redirect') throw new Error('PayPal is paid by a link');
    return { ...ways, to, way, amount: format(money(USD, sum)) };
  };
  let next = 1;
  return {
    sides: world,
    rail,
    currency: USD,
    unit: USD,
    parts,
    badAccounts: [
      { fields: {}, problem: 'empty' },
      { fields: { email: '  ' }, problem: 'empty' },
      { fields: { email: 'nobody' }, problem: 'bad_format' },
      { fields: { capture: '../orders/1' }, problem: 'bad_format' },
      { fields: { capture: '2GG279541U471931P', email: 'nobody' }, problem: 'bad_format' },
      { fields: { email: 'a b@example.com' }, problem: 'bad_format' },
      { fields: { email: 'a@example' }, problem: 'bad_format' },
      { fields: { email: `${'a'.repeat(120)}@example.com` }, problem: 'bad_format' },
    ],
    nextIndex: () => (next += 1),
    secrets: secretsIn(world.settings),
    pay: async (paid) => void (await counterpart.pay(paying(paid))),
    payPending: (paid) => world.trick('approve', { ...paying(paid), funding: 'review' }),
    settle: (to) => world.trick('settle', { to, ok: true }),
    chargeback: (to) => world.trick('chargeback', { to }),
    message: (to) => messageOf(world.messages, ({ raw }) => Buffer.from(raw).includes(to)),
    badMessages,
    fail: (on) => counterpart.faults.set(on ? { errors: 1 } : {}),
    payout: {
      receiver: async () => ({ email: await counterpart.address(USD) }),
      received: async ({ email = '' }) => BigInt((await counterpart.balance(USD, email)).replace('.', '')),
      wrongPayee: async (): Promise<Fields> => ({ email: 'somebody@nowhere.invalid' }),
      timesDone: async ({ reference }) => (await trick<{ done: number }>(counterpart, 'done', { reference })).done,
      sendUnheard: async (attempt) => {
        await world.trick('unheard', { count: 1 });
        await rail.payout.send(attempt);
      },
      giveBack: (_attempt, txid) => world.trick('return', { id: txid }),
    },
    close: () => world.close(),
  };
}

function badMessages({ raw, headers }: Webhook): { why: string; webhook: Webhook }[] {
  const text = Buffer.from(raw).toString('utf8');
  const changed = (why: string, body: string, more: Record<string, string | undefined> = {}) => {
    const stored = Object.entries({ ...headers, ...more }).filter((one): one is [string, string] => one[1] !== undefined);
    return { why, webhook: { raw: Buffer.from(body), headers: Object.fromEntries(stored) } };
  };
  const signature = headers['paypal-transmission-sig'] ?? '';
  return [
    changed('another body', text.replace('checkout-order', 'checkout-0rder')),
    changed('serialized again', JSON.stringify(JSON.parse(text))),
    changed('another signature', text, {
      'paypal-transmission-sig': signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    }),
    changed('no signature', text, { 'paypal-transmission-sig': undefined }),
    changed('another transmission id', text, { 'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55' }),
    changed('another time', text, { 'paypal-transmission-time': new Date(wallClock().getTime() - 60_000).toISOString() }),
    changed('another algorithm', text, { 'paypal-auth-algo': 'SHA1withRSA' }),
    changed('a certificate from elsewhere', text, {
      'paypal-cert-url': 'https://api.paypal.com.example.com/v1/notifications/certs/X',
    }),
    changed('no JSON', `${text},`),
  ];
}
