// Rows of claims of refunds. Each has a MAC: nothing is sent for a claim whose row was changed by SQL.

import {
  type Statements,
  type Tx,
  fromExactJson,
  idsOfAltered,
  isMac,
  macOf,
  steady,
  toExactJson,
} from '../../../platform/index.ts';
import { type PayoutStatus, payoutColumn, payoutConfirmations } from '../../../payments/index.ts';
import type { ClaimState } from '../machine/claim-machine.ts';
import type { Claim } from '../machine/refund.ts';

type Body = Pick<
  Claim,
  | 'store'
  | 'from'
  | 'fee'
  | 'price'
  | 'currency'
  | 'unit'
  | 'parts'
  | 'to'
  | 'key'
  | 'source'
  | 'isBooked'
  | 'people'
  | 'approved'
  | 'decidedBy'
  | 'reason'
  | 'isTest'
>;

interface ClaimRow {
  readonly id: string;
  readonly refundId: string;
  readonly state: ClaimState;
  readonly claimedAt: Date;
  readonly statusAt: Date;
  readonly cap: string | null;
  readonly usd: string;
  readonly isCounted: boolean;
  readonly countedAt: Date | null;
  readonly txid: string | null;
  readonly confirmations: number | null;
  readonly needed: number | null;
  readonly payout: PayoutStatus | null;
  readonly body: string;
  readonly mac: string | null;
}

const COLUMNS = `id, refund_id as "refundId", state, claimed_at as "claimedAt", status_at as "statusAt", cap, usd::text,
  is_counted as "isCounted", counted_at as "countedAt", txid, coalesce(${payoutConfirmations('store_refund_claim.id', 'store_refund_claim.needed')},
  confirmations) as confirmations, needed, ${payoutColumn('status', 'store_refund_claim.id')} as payout, body::text, mac`;

const bodyOf = (claim: Claim): Body => {
  const { store, from, fee, price, currency, unit, parts, to, key, isBooked, people, approved, decidedBy, reason } = claim;
  return {
    ...{ store, from, fee, price, currency, unit, parts, to, key, isBooked, people, approved, decidedBy, reason },
    ...(claim.isTest && { isTest: claim.isTest }),
    ...(claim.source && { source: claim.source }),
  };
};

const contentOf = (claim: Claim): string =>
  steady([
    ...[claim.id, claim.refundId, claim.state, claim.claimedAt, claim.cap ?? null, claim.usd, claim.isCounted],
    bodyOf(claim),
    ...(claim.countedAt ? [claim.countedAt] : []),
  ]);

function fromRow({ mac, body, cap, usd, countedAt, txid, confirmations, needed, payout, ...row }: ClaimRow): Claim {
  const claim: Claim = {
    ...row,
    ...fromExactJson<Body>(body),
    ...{ cap: cap ?? undefined, usd: BigInt(usd), txid: txid ?? undefined, confirmations: confirmations ?? undefined },
    ...{ needed: needed ?? undefined, payout: payout ?? undefined, countedAt: countedAt ?? undefined },
  };
  return isMac('store refund claim', contentOf(claim), mac) ? claim : { ...claim, isAltered: true };
}

/** Returns claims by their ids. */
export async function claimsById(db: Statements, ids: readonly string[]): Promise<Claim[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<ClaimRow>(
    `select ${COLUMNS} from store_refund_claim where id = any ($1::uuid[]) order by id`,
    [ids],
    {
      name: 'gate.claims',
    },
  );
  return rows.map(fromRow);
}

/** Returns the claims of refunds, the oldest first. The lock of a refund protects its claims. */
export async function claimsOf(db: Statements, refundIds: readonly string[]): Promise<Claim[]> {
  if (refundIds.length === 0) return [];
  const rows = await db.rows<ClaimRow>(
    `select ${COLUMNS} from store_refund_claim where refund_id = any ($1::uuid[]) order by claimed_at, id`,
    [refundIds],
    { name: 'gate.claims_of' },
  );
  return rows.map(fromRow);
}

/** Returns claims that wait for the desk, the oldest first. */
export async function claimsForDesk(db: Statements, max: number): Promise<Claim[]> {
  const rows = await db.rows<ClaimRow>(
    `select ${COLUMNS} from store_refund_claim where state = 'approving' order by claimed_at limit $1`,
    [max],
  );
  return rows.map(fromRow);
}

/** Adds a claim. */
export async function insertClaim(tx: Tx, claim: Claim): Promise<void> {
  await tx.run(
    `insert into store_refund_claim (id, refund_id, store_id, state, claimed_at, status_at, cap, usd, is_counted, body, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11)`,
    [
      ...[claim.id, claim.refundId, claim.store.id, claim.state, claim.claimedAt, claim.statusAt, claim.cap ?? null, claim.usd],
      ...[claim.isCounted, toExactJson(bodyOf(claim)), macOf('store refund claim', contentOf(claim))],
    ],
    { name: 'gate.insert_claim' },
  );
}

/** Saves changed claims of locked refunds. */
export async function saveClaims(tx: Tx, claims: readonly Claim[]): Promise<void> {
  for (const claim of claims)
    await tx.run(
      `update store_refund_claim set state = $2, status_at = $3, is_counted = $4, txid = $5, confirmations = $6, needed = $7,
         body = $8::jsonb, mac = $9, cap = $10, counted_at = $11 where id = $1`,
      [
        ...[claim.id, claim.state, claim.statusAt, claim.isCounted, claim.txid ?? null, claim.confirmations ?? null],
        ...[claim.needed ?? null, toExactJson(bodyOf(claim)), macOf('store refund claim', contentOf(claim)), claim.cap ?? null],
        claim.countedAt ?? null,
      ],
      { name: 'gate.save_claim' },
    );
}

/**
 * Returns the worth, in cents, of the claims that went out under a cap since a moment. Failed and refused claims are left out.
 */
export async function usdUnderCap(db: Statements, cap: string, since: Date): Promise<bigint> {
  const row = await db.row<{ usd: string | null }>(
    `select sum(usd)::text as usd from store_refund_claim
     where cap = $1 and coalesce(counted_at, claimed_at) > $2 and is_counted and state in ('approving', 'paying', 'done')`,
    [cap, since],
    { name: 'gate.usd_under_cap' },
  );
  return BigInt(row?.usd ?? 0);
}

/** Returns claims in the order of their ids, from the first after `behind`. With `refundIds`, only claims of these refunds. */
export async function claimsAfter(
  db: Statements,
  {
    behind,
    max,
    refundIds,
  }: { readonly behind: string | undefined; readonly max: number; readonly refundIds: readonly string[] | undefined },
): Promise<Claim[]> {
  const rows = await db.rows<ClaimRow>(
    `select ${COLUMNS} from store_refund_claim where ($1::uuid is null or id > $1)
       and ($3::uuid[] is null or refund_id = any ($3)) order by id limit $2`,
    [behind ?? null, max, refundIds ?? null],
  );
  return rows.map(fromRow);
}

/** Returns the ids of claims whose rows were changed by SQL. */
export const alteredClaims = (db: Statements, refundIds: readonly string[] | undefined): Promise<string[]> =>
  idsOfAltered(
    (behind, max) => claimsAfter(db, { behind, max, refundIds }),
    ({ isAltered }) => !isAltered,
  );

/** Returns the ids of claims of the last day that left without any person's approval. Claims of test stores don't leave. */
export async function leftUnseen(db: Statements): Promise<string[]> {
  const rows = await db.rows<ClaimRow>(
    `select ${COLUMNS} from store_refund_claim where state in ('paying', 'done') and claimed_at > clock_now() - interval '1 day'`,
  );
  return rows.map(fromRow).flatMap(({ id, people, approved, isTest }) => (people === 0 && approved === 0 && !isTest ? [id] : []));
}

/** Returns the refunds of claims, by the claims' ids. */
export async function refundIdsOf(db: Statements, claimIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; refundId: string }>(
    'select id, refund_id as "refundId" from store_refund_claim where id = any ($1::uuid[])',
    [claimIds],
  );
  return new Map(rows.map(({ id, refundId }) => [id, refundId]));
}
