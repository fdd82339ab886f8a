// Abilities of an in-memory provider that a chain lacks: prepared payments, vouchers, webhooks.

import type { Attempt, WebhookProof, VoucherCode, Payin, Proof, Redeemed } from '../rails/rail.ts';
import type { Call, Fault, MemoryWorld } from './memory-world.ts';

/** Kind of an in-memory provider. `by`: how customers pay, if the provider must prepare each payment. */
export interface MemoryProvider {
  /** True if the provider recognises a repeated reference for `DEDUPE_MINUTES`, and doesn't send again. */
  readonly hasDedupe: boolean;
  /** True if look-ups at the provider prove nothing, even if the provider shows a send. */
  readonly isVague?: boolean;
  readonly by?: 'redirect' | 'voucher';
}

/** Minutes for which a deduping provider promises to recognise a reference. */
export const DEDUPE_MINUTES = 24 * 60;

/** Returns the proof that look-ups of a send can give: presence and absence on a chain, at most presence at a provider. */
export function proofOf(provider: MemoryProvider | undefined): Proof {
  if (!provider) return { lookUp: 'presence and absence', dedupeMinutes: 0 };
  return { lookUp: provider.isVague ? 'nothing' : 'presence', dedupeMinutes: provider.hasDedupe ? DEDUPE_MINUTES : 0 };
}

interface Terms {
  readonly world: MemoryWorld;
  readonly provider?: MemoryProvider;
}

type Faulty = <T>(call: Call, work: (fault?: Fault) => Promise<T>) => Promise<T>;

/** Returns the provider's part of the rail's pay-in side: the check of webhooks, and preparing payments if `by` is set. */
export function providerPayin({ world, provider }: Terms, faulty: Faulty): Partial<Payin> {
  const check: Payin['check'] = ({ raw }) => JSON.parse(Buffer.from(raw).toString('utf8')) as WebhookProof;
  const isDisputed: Payin['isDisputed'] = ({ address = '' }) => faulty('observe', async () => world.disputing.has(address));
  if (provider?.by === undefined) return { check, isDisputed };
  const { by } = provider;
  return {
    ...{ check, isDisputed },
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

/**
 * Returns the voucher that a send bought, if the provider sells vouchers. The same transaction always returns the same voucher.
 */
export function voucherOf(provider: MemoryProvider | undefined, txid: string): { voucher?: VoucherCode } {
  return provider?.by === 'voucher' ? { voucher: { number: `number of ${txid}`, code: `code of ${txid}` } } : {};
}

/** Recalls an unused voucher: the money of its send comes back, except the fee. */
export async function recall({ world }: Terms, attempt: Attempt): Promise<void> {
  for (const { id } of world.carrying(attempt.items[0] ?? '')) world.revert(id);
}
