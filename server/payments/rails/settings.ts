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

/** Bitcoin's figures by the sum exposed; also the default for a rail without its own. */
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
 * BNB Smart Chain: its own word of what is final comes within seconds, 15 blocks are what was waited for before there was
 * one. A validator makes several blocks in a row, so above the first tier only its own word counts.
 */
const bsc: FinalityPolicy = {
  tiers: [{ upToUsd: '1000', confirmations: 15 }],
  above: 'finalised',
  deep: 'finalised',
  finalisedAfter: 16,
  follow: 200,
};

/** What a provider has booked counts: whether it may be taken back later is asked of its currency, not of depth. */
const provider: FinalityPolicy = { tiers: [], above: 1, deep: 1, finalisedAfter: 1, follow: 0 };

/** TRON: only what is solid counts (19 of 27 witnesses have built upon it), whatever the sum. */
const tron: FinalityPolicy = { tiers: [], above: 'finalised', deep: 'finalised', finalisedAfter: 20, follow: 100 };

const ms = z
  .int()
  .min(0)
  .max(365 * 86_400_000);

/** Each rail's initial table; also used where an operator's own table, older than the rail, lacks it. */
const FINALITY: Readonly<Record<string, FinalityPolicy>> = { bitcoin, evm, bsc, tron, provider, default: bitcoin };

/** A payment counts sooner where less depth is asked, or only of larger sums. */
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

/** With real money a rail that takes nothing is let take something. */
const switchesFirstOn = (before: SaidOfRails, after: SaidOfRails): boolean =>
  !startsRailsOn() && railNames().some((rail) => purposesOf(before, rail).length === 0 && purposesOf(after, rail).length > 0);

export const settings = defineSettings('payments', {
  'payments.rails': {
    schema: z.record(z.string().max(40), z.union([z.boolean(), z.record(z.string().max(40), z.boolean())])),
    initial: {},
    looser: switchesFirstOn,
    words:
      'rails that people have switched on or off, whole or for each of orders and deposits; of the others the mode decides (sandbox: on, live: off)',
  },
  'payments.stopped': {
    schema: z.array(z.string().max(40)).max(10),
    initial: [],
    looser: fewer,
    words: 'what is stopped over all rails: nothing new of orders, of deposits',
  },
  'payments.payouts.enabled': {
    schema: z.boolean(),
    initial: true,
    looser: on,
    words: 'money leaves at all (the kill switch of all rails)',
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
    words: 'how deep a payment must lie by its sum, per rail',
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
      'how often a place is looked at: just handed out, the same of a provider that tells by itself, payment open, just final, its order just over, some days old, live, for ever',
  },
  'payments.watch_hours': {
    schema: z.strictObject({ late: z.int().min(0).max(1_000), recent: z.int().min(0).max(10_000) }),
    initial: { late: 3, recent: 72 },
    unit: 'hours',
    looser: 'none',
    words: 'hours for which a place counts as one whose order is just over, and as some days old, since it was looked at closely',
  },
  'payments.calls_per_second': {
    schema: z.record(z.string().max(40), z.int().min(1).max(10_000)),
    initial: { default: 20, bitcoin: 100, evm: 100, bsc: 100 },
    unit: 'calls',
    looser: 'none',
    words: 'calls a second that a rail’s server is asked for, per rail; what isn’t looked at in time for them is told',
  },
  'payments.looks_late_minutes': {
    schema: z.strictObject({ awaited: z.int().min(1).max(1_000), others: z.int().min(1).max(100_000) }),
    initial: { awaited: 2, others: 720 },
    unit: 'minutes',
    looser: 'up',
    words: 'minutes by which a look at a place may be late before people are told: where a payment is awaited, and at the others',
  },
  'payments.watch_closely_minutes': {
    schema: z.int().min(1).max(10_000),
    initial: 30,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes for which a new place is looked at closely',
  },
  'payments.weigh_minutes': {
    schema: z.int().min(1).max(1_440),
    initial: 10,
    unit: 'minutes',
    looser: 'none',
    words:
      'minutes after which what lies at a place is weighed again, where contracts can hand coin on; at older ones more seldom',
  },
  'payments.live_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'none',
    words: 'days for which a place is live',
  },
  'payments.missing_alarm_minutes': {
    schema: z.int().min(1).max(10_000),
    initial: 10,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes for which a payment may not be shown, or a place not be read to its end, before people are told',
  },
  'payments.give_up_days': {
    schema: z.int().min(1).max(365),
    initial: 14,
    unit: 'days',
    looser: 'none',
    words: 'days after which a payment that never got into a block is given up',
  },
  'payments.lag_blocks': {
    schema: z.int().min(1).max(1_000),
    initial: 8,
    unit: 'blocks',
    looser: 'up',
    words: 'blocks by which a node may fall back before it counts as lagging',
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
    words: 'days after which a payout that nobody has claimed at its provider is taken back',
  },
  'payments.recall_goods_days': {
    schema: z.int().min(1).max(3_650),
    initial: 90,
    unit: 'days',
    looser: 'none',
    words: 'days after which a bought voucher that nobody has looked at is taken back',
  },
  'payments.difference_usd': {
    schema: usdSum,
    initial: '50',
    unit: 'USD',
    looser: 'up',
    words: 'USD by which a rail may have less than the books before its currency promises nothing; more is booked by two people',
  },
  'payments.difference_percent': {
    schema: z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,2})?$/),
    initial: '0.5',
    unit: '%',
    looser: 'up',
    words: 'percent of the books that such a difference must pass, too',
  },
  'payments.difference_minutes': {
    schema: z.int().min(0).max(10_000),
    initial: 10,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes that such a difference stands before its currency promises nothing',
  },
  'payments.balance_lag_minutes': {
    schema: z.record(z.string().max(40), z.int().min(0).max(10_000)),
    initial: { paypal: 240 },
    unit: 'minutes',
    looser: 'up',
    words: 'minutes by which a rail’s word of its balance may be behind, per rail; of others none',
  },
  'payments.comparison_minutes': {
    schema: z.record(z.string().max(40), z.int().min(1).max(100_000)),
    initial: { default: 10, paypal: 300 },
    unit: 'minutes',
    looser: 'up',
    words: 'minutes after which a comparison of books and rail counts as a difference, per rail',
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
    words: 'a deposit address is swept from this value on',
  },
});

/** Days after which a bought voucher that nobody has looked at is taken back. */
export const recallVoucherDays = (): number => settings.get('payments.recall_goods_days');

/** Calls a second that a rail's server is asked for. */
export function callsPerSecond(rail: string): number {
  const calls = settings.get('payments.calls_per_second');
  return calls[rail] ?? calls['default'] ?? 20;
}

/** The shortfall from which a rail's currency is not promised any more, and how long a comparison counts. */
export function differenceBounds(rail: string): { readonly usd: bigint; readonly permyriad: bigint; readonly staleMs: number } {
  const minutes = settings.get('payments.comparison_minutes');
  const [whole = '0', part = ''] = settings.get('payments.difference_percent').split('.');
  return {
    usd: usdCents(settings.get('payments.difference_usd')),
    permyriad: BigInt(whole) * 100n + BigInt(part.padEnd(2, '0')),
    staleMs: (minutes[rail] ?? minutes['default'] ?? 10) * 60_000,
  };
}

/** Cents of USD above which two people book capital. */
export const capitalTwoPeople = (): bigint => usdCents(settings.get('payments.capital_two_people_usd'));

/** The depth policy of a rail. */
export function finalityOf(rail: string): FinalityPolicy {
  const policies = settings.get('payments.finality');
  const ofKind = kindOf(rail) === 'provider' ? (policies['provider'] ?? provider) : policies['default'];
  return policies[rail] ?? FINALITY[rail] ?? ofKind ?? bitcoin;
}

/** May money leave on this rail, as of this very transaction? */
export async function maySend(tx: Statements, rail: string): Promise<boolean> {
  return (await sendingRails(tx, [rail])).has(rail);
}

/**
 * Those of some rails that money may leave on, as of this very transaction: people have not switched them off, and nothing was
 * sent there that the books don't know. In restored mode there are none.
 */
export async function sendingRails(tx: Statements, rails: readonly string[]): Promise<ReadonlySet<string>> {
  if (!(await settings.read(tx, 'payments.payouts.enabled')) || (await openRestore(tx))) return new Set();
  const off = await settings.read(tx, 'payments.payouts.off');
  const on = rails.filter((rail) => !off.includes(rail));
  const stopped = await railsWithUnrecorded(tx, on);
  return new Set(on.filter((rail) => !stopped.has(rail)));
}

/**
 * True while a rail may have carried sends that these books don't know. What it doesn't show of a send proves nothing then: the
 * same payout may have been sent in another way.
 */
export async function mayLackSends(tx: Statements, rail: string): Promise<boolean> {
  return (await openRestore(tx)) !== undefined || (await railsWithUnrecorded(tx, [rail])).has(rail);
}
