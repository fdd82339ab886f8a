// Checks refunds and their claims against the books: their rows, their payouts, and the balances of their accounts.

import {
  type AccountType,
  type BooksCheck,
  type Fault,
  type RowBalance,
  type Scope,
  accounts,
  accuse,
  flowsOf,
} from '../../ledger/index.ts';
import { uncountedAmong } from '../../moneyout/index.ts';
import {
  type PayoutBody,
  type PayoutStatus,
  type Sending,
  crossingsOf,
  sendingFaults,
  undeliveredOwners,
  undeliveredPayouts,
} from '../../payments/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import { STORE_REFUND } from './kinds.ts';
import { type Claim, type Refund, type UnitSum, isWaiting, plus, waitingSum } from './machine/refund.ts';
import { alteredCaps } from './rows/cap-rows.ts';
import { alteredClaims, claimsOf, leftUnseen, refundIdsOf } from './rows/claim-rows.ts';
import { alteredRefunds, holdingRefunds, refundsAfter, refundsById } from './rows/refund-rows.ts';

const ACCOUNT_TYPES: readonly AccountType[] = ['refund', 'payout'];

/** Payout statuses in which the money is in the payout's account. */
const HOLDS: ReadonlySet<PayoutStatus> = new Set(['queued', 'preparing', 'sending', 'in_doubt', 'stopped']);

const wordsOf = ({ number, state }: Refund): string => `the refund ${number}, ${state}`;

/** Events that payments has published about claims and the refunds have not handled yet, by the claim's id. */
type Undelivered = ReadonlyMap<string, readonly PayoutBody[]>;

/** Returns the sums that the payments room has posted into a refund for a claim, and that the refund's row doesn't have yet. */
const postedBack = ({ id, unit, parts }: Claim, undelivered: Undelivered): UnitSum[] =>
  (undelivered.get(id) ?? []).flatMap(({ event, back, isBorneByReceiver }) => {
    if (event === 'refused' || event === 'absent') return [{ unit, parts }];
    if (event === 'returned') return [{ unit, parts: isBorneByReceiver ? BigInt(back ?? parts) : parts }];
    return [];
  });

/** Returns the balances that the accounts of a refund and of its claims' payouts should have. */
function balancesOf(refund: Refund, claims: readonly Claim[], undelivered: Undelivered): RowBalance[] {
  const of = wordsOf(refund);
  const sums = claims.flatMap((claim) => [...(isWaiting(claim) ? [waitingSum(claim)] : []), ...postedBack(claim, undelivered)]);
  return [
    ...sums.reduce(plus, refund.rests).map(({ unit, parts }) => ({ account: accounts.refund(refund.id, unit), parts, of })),
    ...claims.flatMap(({ id, unit, parts, state, payout }) =>
      state === 'paying' && payout && HOLDS.has(payout) ? [{ account: accounts.payout(id, unit), parts, of }] : [],
    ),
  ];
}

async function balances(db: Statements): Promise<RowBalance[]> {
  const undelivered = Map.groupBy(await undeliveredPayouts(db, STORE_REFUND), ({ intentId }) => intentId);
  const behind = await refundIdsOf(db, [...undelivered.keys()]);
  const holding = await holdingRefunds(db);
  const others = [...new Set(behind.values())].filter((id) => !holding.some((refund) => refund.id === id));
  const refunds = [...holding, ...(await refundsById(db, others))];
  const claims = Map.groupBy(
    await claimsOf(
      db,
      refunds.map(({ id }) => id),
    ),
    ({ refundId }) => refundId,
  );
  return refunds.flatMap((refund) => balancesOf(refund, claims.get(refund.id) ?? [], undelivered));
}

/** Returns faults of claims that are being paid and whose payouts differ, or of which there is none. */
async function strangeSendings(db: Statements): Promise<Fault[]> {
  const refunds = await holdingRefunds(db);
  const numbers = new Map(refunds.map((refund) => [refund.id, wordsOf(refund)]));
  const claims = await claimsOf(
    db,
    refunds.map(({ id }) => id),
  );
  const sendings = claims
    .filter(({ state, payout }) => state === 'paying' && payout !== 'sent')
    .map(({ id, currency, unit, parts, to, refundId }): Sending => ({
      ...{ id, owner: { kind: STORE_REFUND, id }, currency, unit, parts, to },
      of: `a claim of ${numbers.get(refundId)}`,
    }));
  return sendingFaults(db, STORE_REFUND, sendings);
}

/** Returns faults of refunds that took another sum from the store, or whose claims sent another sum, than their rows say. */
async function strangeRefunds(db: Statements, ids: readonly string[] | undefined): Promise<Fault[]> {
  const faults: Fault[] = [];
  const undelivered = await undeliveredOwners(db, STORE_REFUND);
  const read = (behind: string | undefined, max: number) => refundsAfter(db, { behind, max, ids });
  for await (const all of inGroupsById(read, ({ id }) => id)) {
    const refunds = all.filter(({ isTest }) => !isTest);
    faults.push(...(await strangeTakings(db, refunds)));
    const claims = await claimsOf(
      db,
      refunds.map(({ id }) => id),
    );
    const intents = claims.map(({ id }) => id);
    const { payouts } = await crossingsOf(db, STORE_REFUND, { owners: intents, intents });
    const out = new Map(payouts.filter((payout) => payout.is === 'out').map((payout) => [payout.id, payout]));
    for (const claim of claims) {
      const payout = out.get(claim.id);
      const isAway = claim.state === 'done' || (claim.state === 'paying' && payout !== undefined);
      const isRight = isAway
        ? payout?.parts === claim.parts && payout.currency === claim.currency && !payout.isAltered
        : payout === undefined;
      if (isRight || undelivered.has(claim.id)) continue;
      const words = `a claim of the refund is ${claim.state}, and its payout differs`;
      faults.push({ check: 'payout', account: `payout:${claim.id}`, words });
    }
  }
  return faults;
}

async function strangeTakings(db: Statements, refunds: readonly Refund[]): Promise<Fault[]> {
  const known = refunds.flatMap((refund) => {
    const net = refund.back.map(({ unit, parts }) => ({ unit, parts: -parts })).reduce(plus, [refund.taken]);
    const units = new Set([refund.taken.unit, ...refund.back.map(({ unit }) => unit)]);
    return [...units].map((unit) => ({
      ...{ refund, account: accounts.refund(refund.id, unit).name },
      parts: net.find((one) => one.unit === unit)?.parts ?? 0n,
    }));
  });
  const flows = await flowsOf(
    db,
    known.map(({ account }) => account),
    { without: [] },
  );
  const moved = new Map<string, bigint>();
  for (const { account, type, parts } of flows)
    if (type === 'merchant' || type === 'merchant:reserve') moved.set(account, (moved.get(account) ?? 0n) + parts);
  return known.flatMap(({ refund, account, parts }): Fault[] =>
    (moved.get(account) ?? 0n) === parts
      ? []
      : [{ check: 'refund', account: refund.id, words: `${wordsOf(refund)} took another sum from its store than the books` }],
  );
}

/** Returns a fault for each claim of the last day that left without approval and isn't included in the limits. */
async function uncounted(db: Statements): Promise<Fault[]> {
  const ids = await uncountedAmong(db, await leftUnseen(db));
  return ids.map((id) => ({ check: 'counted', account: id, words: 'the claim left without approval and is not counted' }));
}

/** Returns the refunds that a night's proof checks: those behind its journals, and those that may still change. */
async function idsIn(db: Statements, scope: Scope | undefined): Promise<string[] | undefined> {
  if (!scope) return undefined;
  const ofClaims = await refundIdsOf(db, [...scope.causes]);
  const holding = await holdingRefunds(db);
  return [...new Set([...scope.causes, ...ofClaims.values(), ...holding.map(({ id }) => id)])];
}

/** Checks of the books for refunds: money that stands for them, and the rows behind their journals. */
export const refundCheck: BooksCheck = {
  accountTypes: ACCOUNT_TYPES,
  causes: [
    { kinds: ['merchant_refund', 'merchant_refund_expired'], rows: 'select id from store_refund' },
    {
      kinds: ['merchant_refund_claimed', 'merchant_refund_back', 'sent', 'refused', 'returned'],
      rows: 'select id from store_refund_claim',
    },
  ],
  balances,
  async faults(db, scope) {
    const ids = await idsIn(db, scope);
    return [
      ...accuse('refund', await alteredRefunds(db, ids), 'the refund is not what its store made and its claims left'),
      ...accuse('claim', await alteredClaims(db, ids), 'the claim is not what was claimed and decided'),
      ...accuse('store', await alteredCaps(db), 'a cap of refunds of the store is not what its owner set'),
      ...(await strangeSendings(db)),
      ...(await strangeRefunds(db, ids)),
      ...(await uncounted(db)),
    ];
  },
};
