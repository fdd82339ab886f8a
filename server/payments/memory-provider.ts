// What a provider has beside a chain, in memory: payments that are prepared, vouchers, messages.

import type { Attempt, WebhookProof, VoucherCode, Payin, Proof, Redeemed } from '../rails/rail.ts';
import type { Call, Fault, MemoryWorld } from './memory-world.ts';

/** What kind of provider a memory rail is: whether it dedupes our references, and how payments to it are prepared. */
export interface MemoryProvider {
  /** It refuses a reference again for `DEDUPE_MINUTES`. */
  readonly dedupes: boolean;
  /** Its look-up proves not even what it shows. */
  readonly isVague?: boolean;
  readonly by?: 'redirect' | 'voucher';
}

/** For so long a provider that dedupes promises to know a reference. */
export const DEDUPE_MINUTES = 24 * 60;

/** What can be proven of sends: of a chain's all, of a provider's by what it is. */
export function proofOf(provider: MemoryProvider | undefined): Proof {
  if (!provider) return { lookUp: 'presence and absence', dedupeMinutes: 0 };
  return { lookUp: provider.isVague ? 'nothing' : 'presence', dedupeMinutes: provider.dedupes ? DEDUPE_MINUTES : 0 };
}

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: MemoryProvider;
}

type Faulty = <T>(call: Call, work: (fault?: Fault) => Promise<T>) => Promise<T>;

/** A provider's side of paying in: nothing where it needs no preparation, else as it is to be paid. */
export function providerPayin({ world, provider }: Terms, faulty: Faulty): Partial<Payin> {
  const check: Payin['check'] = ({ raw }) => JSON.parse(Buffer.from(raw).toString('utf8')) as WebhookProof;
  if (provider?.by === undefined) return { check };
  const { by } = provider;
  return {
    check,
    reply: (_webhook, { proven }) => ({ type: 'text/plain', body: proven ? 'taken' : 'no' }),
    open: ({ to }) =>
      faulty('open', async (fault) => {
        if (fault?.kind === 'refuse') return { ok: false, reason: 'refused', detail: fault.reason ?? 'closed' };
        world.opened.set(to, (world.opened.get(to) ?? 0) + 1);
        if (fault?.kind === 'lost') throw new Error("the rail's open failed");
        if (by === 'voucher') return { ok: true, way: { kind: 'voucher', fields: [NUMBER] } };
        return { ok: true, way: { kind: 'redirect', method: 'POST', url: 'memory:pay', fields: { to } }, id: `id of ${to}` };
      }),
    ...(by === 'voucher' && { redeem: (entry) => faulty('redeem', async (fault) => redeem(world, entry, fault)) }),
  };
}

const NUMBER = { name: 'number', label: 'accounts.voucher_number', type: 'text', required: true, pattern: '^[0-9]{4}$' } as const;

function redeem(world: MemoryWorld, { to, fields }: Parameters<NonNullable<Payin['redeem']>>[0], fault?: Fault): Redeemed {
  const voucher = world.vouchers.get(fields['number'] ?? '');
  if (!voucher || voucher.used) return { outcome: 'refused', reason: 'wrong', detail: 'no such voucher' };
  voucher.used = true;
  world.pay(to, voucher.parts, { from: [`voucher ${fields['number']}`] });
  world.mine();
  return fault?.kind === 'lost' ? { outcome: 'unknown', detail: 'no answer' } : { outcome: 'redeemed' };
}

/** What a send of a provider that sells vouchers made: the same each time it is asked. */
export function voucherOf(provider: MemoryProvider | undefined, txid: string): { voucher?: VoucherCode } {
  return provider?.by === 'voucher' ? { voucher: { number: `number of ${txid}`, code: `code of ${txid}` } } : {};
}

/** A voucher that was sold and not used comes back: its send had no effect but its fee. */
export async function recall({ world }: Terms, attempt: Attempt): Promise<void> {
  for (const { id } of world.carrying(attempt.items[0] ?? '')) world.revert(id);
}
