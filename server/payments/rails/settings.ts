import { z } from 'zod';
import { type Statements, defineSettings, fewer, on } from '../../platform/index.ts';
import type { FinalityPolicy } from './finality.ts';
import type { SaidOfRails } from './purposes.ts';
import { kindOf, purposesOf, railNames, startsRailsOn } from './registry.ts';
import { openRestore } from '../restored/restored-mode.ts';
import { usdSum, usdCents } from '../../rates/index.ts';
import { railsWithUnrecorded } from '../unrecorded/unrecorded-sends.ts';

const depth = z.union([z.int().min(1).max(1_000), z.literal('finalised')]);
const finality = z.strictObject({
  tiers: z.array(z.strictObject({ upToUsd: usdSum, confirmations: z.int().min(1).max(1_000) })).max(20),
  above: depth,
  deep: depth,
  finalisedAfter: z.int().min(1).max(10_000),
  block: z.strictObject({ overUsd: usdSum, more: z.int().min(0).max(100) }).optional(),
  follow: z.int().min(0).max(10_000),
});

/** Bitcoin's depths, by the sum that a reorg may still take back. Also the default for a chain without a table of its own. */
const bitcoin: FinalityPolicy = {
  tiers: [
    { upToUsd: '500', confirmations: 1 },
    { upToUsd: '1000', confirmations: 2 },
    { upToUsd: '5000', confirmations: 3 },
  ],
  above: 6,
  deep: 6,
  finalisedAfter: 6,
  block: { overUsd: '20000', more: 1 },
  follow: 100,
};
const evm: FinalityPolicy = {
  tiers: [{ upToUsd: '1000', confirmations: 12 }],
  above: 'finalised',
  deep: 'finalised',
  finalisedAfter: 64,
  follow: 100,
};
/**
 * BNB Smart Chain reports a block as final within seconds. Before it offered such reports, 15 blocks were customary. One
 * validator makes several blocks in a row, so above the first tier only the chain's own `finalized` suffices.
 */
const bsc: FinalityPolicy = {
  tiers: [{ upToUsd: '1000', confirmations: 15 }],
  above: 'finalised',
  deep: 'finalised',
  finalisedAfter: 16,
  follow: 200,
};

/**
 * A payment is final as soon as its provider has booked it. How long the payment can still be taken back depends on its currency,
 * not on depth.
 */
const provider: FinalityPolicy = { tiers: [], above: 1, deep: 1, finalisedAfter: 1, follow: 0 };

/** TRON: a payment of any amount is final only in a solid block (19 of 27 witnesses have built upon that block). */
const tron: FinalityPolicy = { tiers: [], above: 'finalised', deep: 'finalised', finalisedAfter: 20, follow: 100 };

const ms = z
  .int()
  .min(0)
  .max(365 * 86_400_000);

/**
 * Initial depths of each rail. Also used for a rail that an operator's table lacks, because the table was set before the rail
 * existed.
 */
const FINALITY: Readonly<Record<string, FinalityPolicy>> = { bitcoin, evm, bsc, tron, provider, default: bitcoin };

/** Direction in which a change of each field makes payments final earlier. */
const shallower = {
  upToUsd: 'up',
  confirmations: 'down',
  above: 'down',
  deep: 'down',
  finalisedAfter: 'down',
  overUsd: 'up',
  more: 'down',
  follow: 'down',
} as const;

/** True if a change switches on, with real money, a rail that took no payments before. */
const switchesFirstOn = (before: SaidOfRails, after: SaidOfRails): boolean =>
  !startsRailsOn() && railNames().some((rail) => purposesOf(before, rail).length === 0 && purposesOf(after, rail).length > 0);

export const settings = defineSettings('payments', {
  'payments.rails': {
    schema: z.record(z.string().max(40), z.union([z.boolean(), z.record(z.string().max(40), z.boolean())])),
    initial: {},
    looser: switchesFirstOn,
    words:
      'rails switched on or off, as a whole or for orders and deposits alone; for other rails the mode decides (sandbox: on, live: off)',
  },
  'payments.stopped': {
    schema: z.array(z.string().max(40)).max(10),
    initial: [],
    looser: fewer,
    words: 'purposes stopped on all rails: no new orders, no new deposits',
  },
  'payments.payouts.enabled': {
    schema: z.boolean(),
    initial: true,
    looser: on,
    words: 'payouts are sent (the kill switch of all rails)',
  },
  'payments.payouts.off': {
    schema: z.array(z.string().max(40)).max(100),
    initial: [],
    looser: fewer,
    words: 'rails whose payouts are switched off',
  },
  'payments.finality': {
    schema: z.record(z.string().max(40), finality),
    initial: FINALITY,
    unit: 'blocks',
    looser: shallower,
    words: 'depth at which a payment counts, by exposed sum, per rail',
  },
  'payments.watch': {
    schema: z.strictObject({
      closeMs: ms,
      promptedMs: ms.default(15_000),
      unfinishedMs: ms,
      settlingMs: ms,
      lateMs: ms.default(120_000),
      recentMs: ms.default(3_600_000),
      liveMs: ms,
      everMs: ms,
    }),
    initial: {
      closeMs: 2_000,
      promptedMs: 15_000,
      unfinishedMs: 10_000,
      settlingMs: 30_000,
      lateMs: 120_000,
      recentMs: 3_600_000,
      liveMs: 86_400_000,
      everMs: 7 * 86_400_000,
    },
    unit: 'ms',
    looser: 'none',
    words:
      'milliseconds between polls of a receiving address: just handed out, the same at a provider with webhooks, payment open, just final, its order just over, some days old, live, for ever',
  },
  'payments.watch_hours': {
    schema: z.strictObject({ late: z.int().min(0).max(1_000), recent: z.int().min(0).max(10_000) }),
    initial: { late: 3, recent: 72 },
    unit: 'hours',
    looser: 'none',
    words: 'hours after close polling for which a receiving address counts as one whose order is just over, and as some days old',
  },
  'payments.calls_per_second': {
    schema: z.record(z.string().max(40), z.int().min(1).max(10_000)),
    initial: { default: 20, bitcoin: 100, evm: 100, bsc: 100 },
    unit: 'calls',
    looser: 'none',
    words: 'calls per second to a rail’s server, per rail; polls delayed by this limit are reported',
  },
  'payments.looks_late_minutes': {
    schema: z.strictObject({ awaited: z.int().min(1).max(1_000), others: z.int().min(1).max(100_000) }),
    initial: { awaited: 2, others: 720 },
    unit: 'minutes',
    looser: 'up',
    words:
      'minutes by which a poll of a receiving address may be late without an alarm: where a payment is awaited, and elsewhere',
  },
  'payments.watch_closely_minutes': {
    schema: z.int().min(1).max(10_000),
    initial: 30,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes for which a new receiving address is polled closely',
  },
  'payments.weigh_minutes': {
    schema: z.int().min(1).max(1_440),
    initial: 10,
    unit: 'minutes',
    looser: 'none',
    words:
      'minutes between readings of the balance of a receiving address, where contracts can hand coin on; at older addresses less often',
  },
  'payments.live_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'none',
    words: 'days for which a receiving address is polled often',
  },
  'payments.missing_alarm_minutes': {
    schema: z.int().min(1).max(10_000),
    initial: 10,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes without an alarm while a payment is not shown, or a receiving address can’t be read to its end',
  },
  'payments.give_up_days': {
    schema: z.int().min(1).max(365),
    initial: 14,
    unit: 'days',
    looser: 'none',
    words: 'days after which a payment without a block is given up',
  },
  'payments.lag_blocks': {
    schema: z.int().min(1).max(1_000),
    initial: 8,
    unit: 'blocks',
    looser: 'up',
    words: 'blocks by which a node may be behind before its rail counts as down',
  },
  'payments.bump_after_minutes': {
    schema: z.int().min(1).max(10_000),
    initial: 60,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes without a block after which a payout pays a higher fee',
  },
  'payments.recall_unclaimed_days': {
    schema: z.int().min(1).max(30),
    initial: 7,
    unit: 'days',
    looser: 'none',
    words: 'days after which a payout unclaimed at its provider is taken back',
  },
  'payments.recall_goods_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'none',
    words: 'days after which a bought voucher that was never shown is taken back',
  },
  'payments.difference_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'up',
    words:
      'USD by which a rail may hold less than the books before its currency is not offered any more; two people book larger differences',
  },
  'payments.difference_percent': {
    schema: z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,2})?$/),
    initial: '0.5',
    unit: '%',
    looser: 'up',
    words: 'percent of the books that such a difference must exceed, too',
  },
  'payments.difference_minutes': {
    schema: z.int().min(0).max(10_000),
    initial: 10,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes that such a difference lasts before its currency is not offered any more',
  },
  'payments.balance_lag_minutes': {
    schema: z.record(z.string().max(40), z.int().min(0).max(10_000)),
    initial: { paypal: 240 },
    unit: 'minutes',
    looser: 'up',
    words: 'minutes by which the balance that a rail reports may be outdated, per rail; 0 for rails not listed',
  },
  'payments.comparison_minutes': {
    schema: z.record(z.string().max(40), z.int().min(1).max(100_000)),
    initial: { default: 10, paypal: 300 },
    unit: 'minutes',
    looser: 'up',
    words: 'minutes after which an outdated comparison of books and rail counts as a difference, per rail',
  },
  'payments.capital_two_people_usd': {
    schema: usdSum,
    initial: '5000',
    unit: 'USD',
    looser: 'up',
    words: 'USD above which two people book capital',
  },
  'payments.sweep_from_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'none',
    words: 'USD from which a deposit address is swept',
  },
});

/** Returns the number of days after which a bought voucher is taken back if it was never shown. */
export const recallVoucherDays = (): number => settings.get('payments.recall_goods_days');

/** Returns the number of calls per second to a rail's server. */
export function callsPerSecond(rail: string): number {
  const calls = settings.get('payments.calls_per_second');
  return calls[rail] ?? calls['default'] ?? 20;
}

/**
 * Returns the limits from which a difference stops promises in the currencies of a rail. `staleMs`: time for which a comparison
 * is valid, in ms.
 */
export function differenceBounds(rail: string): { readonly usd: bigint; readonly permyriad: bigint; readonly staleMs: number } {
  const minutes = settings.get('payments.comparison_minutes');
  const [whole = '0', part = ''] = settings.get('payments.difference_percent').split('.');
  return {
    usd: usdCents(settings.get('payments.difference_usd')),
    permyriad: BigInt(whole) * 100n + BigInt(part.padEnd(2, '0')),
    staleMs: (minutes[rail] ?? minutes['default'] ?? 10) * 60_000,
  };
}

/** Returns the amount above which booking capital takes two people, in USD cents. */
export const capitalTwoPeople = (): bigint => usdCents(settings.get('payments.capital_two_people_usd'));

/** Returns the depth policy of a rail. */
export function finalityOf(rail: string): FinalityPolicy {
  const policies = settings.get('payments.finality');
  const ofKind = kindOf(rail) === 'provider' ? (policies['provider'] ?? provider) : policies['default'];
  return policies[rail] ?? FINALITY[rail] ?? ofKind ?? bitcoin;
}

/** True if payouts may leave on a rail, as this transaction reads the settings. */
export async function maySend(tx: Statements, rail: string): Promise<boolean> {
  return (await sendingRails(tx, [rail])).has(rail);
}

/**
 * Returns those rails on which payouts may leave, as this transaction reads the settings. Leaves out rails whose payouts are
 * switched off, and rails with an open unrecorded send. Returns no rail in restored mode.
 */
export async function sendingRails(tx: Statements, rails: readonly string[]): Promise<ReadonlySet<string>> {
  if (!(await settings.read(tx, 'payments.payouts.enabled')) || (await openRestore(tx))) return new Set();
  const off = await settings.read(tx, 'payments.payouts.off');
  const on = rails.filter((rail) => !off.includes(rail));
  const stopped = await railsWithUnrecorded(tx, on);
  return new Set(on.filter((rail) => !stopped.has(rail)));
}

/**
 * True while a rail may have carried sends that these books don't know: in restored mode, or with an open unrecorded send. If the
 * rail then doesn't show a send, that proves nothing. Another send may have paid the same payout.
 */
export async function mayLackSends(tx: Statements, rail: string): Promise<boolean> {
  return (await openRestore(tx)) !== undefined || (await railsWithUnrecorded(tx, [rail])).has(rail);
}
