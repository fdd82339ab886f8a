// A provider's abilities beside a chain's, in memory: prepared payments, vouchers, webhooks.

import type { Attempt, WebhookProof, VoucherCode, Payin, Proof, Redeemed } from '../rails/rail.ts';
import type { Call, Fault, MemoryWorld } from './memory-world.ts';

/** Kind of a memory provider: whether it dedupes our references, and how payments to it are prepared. */
export interface MemoryProvider {
  /** It refuses a repeated reference for `DEDUPE_MINUTES`. */
  readonly hasDedupe: boolean;
  /** Its look-up proves nothing, not even what it shows. */
  readonly isVague?: boolean;
  readonly by?: 'redirect' | 'voucher';
}

/** Minutes for which a deduping provider promises to recognise a reference. */
export const DEDUPE_MINUTES = 24 * 60;

/** Returns what can be proven of sends: everything on a chain; at a provider it depends on its kind. */
export function proofOf(provider: MemoryProvider | undefined): Proof {
  if (!provider) return { lookUp: 'presence and absence', dedupeMinutes: 0 };
  return { lookUp: provider.isVague ? 'nothing' : 'presence', dedupeMinutes: provider.hasDedupe ? DEDUPE_MINUTES : 0 };
}

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: MemoryProvider;
}

type Faulty = <T>(call: Call, work: (fault?: Fault) => Promise<T>) => Promise<T>;

/** Returns a provider's side of pay-ins, with its preparation if it needs one. */
export function providerPayin({ world, provider }: Terms, faulty: Faulty): Partial<Payin> {
  const check: Payin['check'] = ({ raw }) => JSON.parse(Buffer.from(raw).toString('utf8')) as WebhookProof;
  if (provider?.by === undefined) return { check };
  const { by } = provider;
  return {
    check,
    reply: (_webhook, { isProven }) => ({ type: 'text/plain', body: isProven ? 'taken' : 'no' }),
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
  if (!voucher || voucher.isUsed) return { outcome: 'refused', reason: 'wrong', detail: 'no such voucher' };
  voucher.isUsed = true;
  world.pay(to, voucher.parts, { from: [`voucher ${fields['number']}`] });
  world.mine();
  return fault?.kind === 'lost' ? { outcome: 'unknown', detail: 'no answer' } : { outcome: 'redeemed' };
}

/** Returns the voucher that a send bought: the same for each call. */
export function voucherOf(provider: MemoryProvider | undefined, txid: string): { voucher?: VoucherCode } {
  return provider?.by === 'voucher' ? { voucher: { number: `number of ${txid}`, code: `code of ${txid}` } } : {};
}

/** Takes an unused voucher back: its send then had no effect but its fee. */
export async function recall({ world }: Terms, attempt: Attempt): Promise<void> {
  for (const { id } of world.carrying(attempt.items[0] ?? '')) world.revert(id);
}
