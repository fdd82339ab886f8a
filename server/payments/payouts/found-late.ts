// Late sends: sends that turned up after their payout had been treated as not sent. The payout's money had gone back to its
// owner, so the owner was or will be paid twice. A late send is booked at once as owed by the party of its payout. None of the
// party's other payouts leaves until people have decided.

import { Problem } from '@kurs/contract';
import { type AccountRef, type Journal, type Leg, type RowBalance, accounts, leg, post } from '../../ledger/index.ts';
import { type Statements, type Tx, log } from '../../platform/index.ts';
import { turnAttempt } from './rows/attempt-store.ts';
import { recordEvents } from '../payins/events.ts';
import type { PayoutBody, PayoutPurpose } from '../rails/event-bodies.ts';
import { type Owner, idsOf } from '../rails/owner.ts';
import { moved } from './machine/payout-machine.ts';
import type { Payout, PayoutChange } from './machine/payout.ts';
import { type StoredPayout, lockPayouts, savePayouts } from './rows/payout-store.ts';
import { returnedOf } from './machine/returned-sends.ts';
import { reportPayouts } from './report-payouts.ts';
import { currencyOf } from '../rails/registry.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/** Status of a late send, as stored. */
export type FoundStatus = 'open' | 'counted' | 'met' | 'returned' | 'written_off';

/** A late send. `id`: id of its payout, which had been treated as not sent. `party`: who owes the money that was paid twice. */
export interface FoundLate {
  readonly id: string;
  readonly attemptId: string;
  readonly owner: Owner;
  readonly party: string;
  readonly purpose: PayoutPurpose;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly txid: string;
  readonly status: FoundStatus;
  readonly foundAt: Date;
}

interface FoundRow extends Omit<FoundLate, 'owner' | 'parts'> {
  kind: Owner['kind'];
  owner: string;
  parts: string;
}

const FOUND = `payout_id as id, attempt_id as "attemptId", owner_kind as kind, owner_id as owner, party, purpose, currency, unit, parts,
  txid, status, found_at as "foundAt"`;

const foundOf = ({ kind, owner, parts, ...row }: FoundRow): FoundLate => ({
  ...row,
  owner: { kind, id: owner },
  parts: BigInt(parts),
});

const owedBy = ({ party, unit }: Pick<FoundLate, 'party' | 'unit'>): AccountRef => accounts.receivable(party, unit);
const hotOf = ({ currency, unit }: Pick<FoundLate, 'currency' | 'unit'>): AccountRef => accounts.custody(currency, 'hot', unit);

/**
 * Records late sends that a step has found (`found_late`), and late sends whose money came back (`late_back`). Raises an alarm
 * for each new late send, and stores it for people. Has the amount booked as owed (`receivable → custody`), or as no longer owed.
 * Returns the changes, with the amount that is owed now added to these events.
 */
export async function noteFoundLate(
  tx: Tx,
  values: Values,
  attemptId: string,
  changes: readonly PayoutChange[],
): Promise<PayoutChange[]> {
  const noted: PayoutChange[] = [];
  for (const { payout, events } of changes) {
    const published: PayoutChange['events'][number][] = [];
    for (const one of events) {
      const { event, extra = {} } = one;
      if (event === 'found_late') await begin(tx, values, attemptId, payout, extra.txid ?? '');
      if (event === 'late_back') await takeBack(tx, values, payout, extra);
      const isFind = event === 'found_late' || event === 'late_back';
      published.push(isFind ? { event, extra: { ...extra, owed: (await owedFor(tx, payout.id)).toString() } } : one);
    }
    noted.push({ payout, events: published });
  }
  return noted;
}

/** Returns the amount that is owed now for a payout's late send, in parts. */
async function owedFor(tx: Tx, id: string): Promise<bigint> {
  const found = await foundLateById(tx, id);
  return found?.status === 'open' ? found.parts : 0n;
}

async function begin(tx: Tx, values: Values, attemptId: string, payout: Payout, txid: string): Promise<void> {
  const [row] = await tx.rows<FoundRow>(
    `insert into payment_found_late (payout_id, attempt_id, owner_kind, owner_id, party, purpose, currency, unit, parts, txid, status, found_at)
     select id, $2, owner_kind, owner_id, coalesce(party, owner_id), purpose, currency, unit, parts, $3, 'open', $4
     from payout where id = $1
     on conflict (payout_id) do update set status = 'open', parts = excluded.parts +
         case when payment_found_late.status in ('open', 'counted') then payment_found_late.parts else 0 end, attempt_id = excluded.attempt_id, txid = excluded.txid,
       found_at = excluded.found_at, decided_at = null
     returning ${FOUND}`,
    [payout.id, attemptId, txid, tx.now],
  );
  if (!row) throw new Error(`There is no payout ${payout.id}`);
  const one = foundOf(row);
  log.alarm('a payout that counted as not sent was sent after all', {
    ...{ rail: currencyOf(one.currency)?.rail, currency: one.currency },
    ...idsOf([one]),
    attemptId,
    txid,
  });
  await recordEvents(tx, values, [settled('found_late', one, leg(owedBy(one), hotOf(one), payout.parts))]);
}

/**
 * Records that a late send's money came back, wholly or in part. The returned amount is no longer owed. If the late send was
 * written off, the money becomes the desk's. The desk bears the amount that the rail retained. The amount that the receiver
 * retained stays owed.
 */
async function takeBack(tx: Tx, values: Values, { id, parts: sent }: Payout, extra: Partial<PayoutBody>): Promise<void> {
  const row = await tx.row<FoundRow>(`select ${FOUND} from payment_found_late where payout_id = $1 for update`, [id]);
  if (!row || row.status === 'met' || row.status === 'returned') return;
  const one = foundOf(row);
  // `one.parts` may exceed this send's amount, because a part of an earlier late send of this payout may still be owed.
  const { came, lost } = returnedOf(extra, one.parts < sent ? one.parts : sent);
  const isGivenUp = one.status === 'written_off';
  const to = isGivenUp ? accounts.deskFree(one.unit) : owedBy(one);
  // If the late send was written off, the loss is booked already.
  const legs = [[hotOf(one), came] as const, [accounts.spent('rail', one.unit), isGivenUp ? 0n : lost] as const].flatMap(
    ([from, sum]) => (sum > 0n ? [leg(from, to, sum)] : []),
  );
  const rest = one.parts - came - lost;
  if (rest > 0n) await tx.run('update payment_found_late set parts = $2 where payout_id = $1', [id, rest]);
  else await setStatus(tx, id, 'returned');
  if (legs.length > 0) await recordEvents(tx, values, [{ ...settled('found_late_settled', one), legs }]);
}

const settled = (kind: 'found_late' | 'found_late_settled', { id, txid }: FoundLate, ...legs: Leg[]) => ({
  kind,
  cause: id,
  legs,
  detail: { txid },
});

async function setStatus(tx: Tx, id: string, status: FoundStatus, evidence?: object): Promise<void> {
  await tx.run(
    `update payment_found_late set status = $2, decided_at = $3, evidence = coalesce($4::jsonb, evidence) where payout_id = $1`,
    [id, status, tx.now, evidence ? JSON.stringify(evidence) : null],
  );
}

/**
 * Returns the late sends with a status whose party is also the party of one of the payouts. Each late send comes with the id of
 * such a payout.
 */
async function unsettledFor(
  tx: Tx,
  payouts: readonly Pick<StoredPayout, 'id'>[],
  status: FoundStatus,
): Promise<(FoundLate & { readonly payout: string })[]> {
  if (payouts.length === 0) return [];
  const rows = await tx.rows<FoundRow & { payout: string }>(
    `with found as (
       select ${FOUND} from payment_found_late where status = $2 and party in (
         select coalesce(party, owner_id) from payout where id = any ($1))
       order by found_at, payout_id for update
     )
     select found.*, p.id as payout from found
     join payout p on p.id = any ($1) and coalesce(p.party, p.owner_id) = found.party
     order by found."foundAt", found.id, p.id`,
    [payouts.map(({ id }) => id), status],
    { name: 'payments.unsettled_finds' },
  );
  return rows.map(({ payout, ...row }) => ({ ...foundOf(row), payout }));
}

/** Returns ids of payouts that may not leave, because their party has an unsettled late send. */
export async function stoppedByFinds(tx: Tx, payouts: readonly StoredPayout[]): Promise<Set<string>> {
  const open = await unsettledFor(tx, payouts, 'open');
  const counted = await unsettledFor(tx, payouts, 'counted');
  return new Set([...open, ...counted].map(({ payout }) => payout));
}

/**
 * Settles payouts by late sends that people have accepted as the payment. Nothing is sent: the payout takes over the late send.
 * Returns the payouts that are left to be sent, and the journals of the settled payouts.
 */
export async function meetFinds(
  tx: Tx,
  values: Values,
  payouts: readonly StoredPayout[],
): Promise<{ readonly left: StoredPayout[]; readonly journals: Journal[] }> {
  const met = new Set<string>();
  const journals: Journal[] = [];
  for (const one of await unsettledFor(tx, payouts, 'counted')) {
    const payout = payouts.find(({ id }) => id === one.payout);
    const fits = payout?.currency === one.currency && payout.parts === one.parts && payout.purpose === one.purpose;
    if (!payout || !fits || met.has(payout.id)) continue;
    met.add(payout.id);
    const sent: Payout = { ...moved(payout, 'meet'), attemptId: one.attemptId, txid: one.txid, reason: null };
    await savePayouts(tx, [sent]);
    await turnAttempt(tx, one.attemptId, one.id, payout.id);
    await setStatus(tx, one.id, 'met');
    const events = [{ event: 'send' }, { event: 'accepted', extra: { txid: one.txid } }] as const;
    journals.push(...(await reportPayouts(tx, values, [{ payout: sent, events }])));
    await recordEvents(tx, values, [settled('found_late_settled', one, leg(hotOf(one), owedBy(one), one.parts))]);
  }
  return { left: payouts.filter(({ id }) => !met.has(id)), journals };
}

/** Returns late sends that are not settled yet, oldest first. */
export async function foundLate(db: Statements, max: number): Promise<FoundLate[]> {
  const rows = await db.rows<FoundRow>(
    `select ${FOUND} from payment_found_late where status in ('open', 'counted') order by found_at, payout_id limit $1`,
    [max],
  );
  return rows.map(foundOf);
}

/** Returns those of the given parties that have a late send without a decision. */
export async function openFindsOf(db: Statements, parties: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ party: string }>(
    `select distinct party from payment_found_late where status = 'open' and party = any ($1)`,
    [parties],
    { name: 'payments.open_finds_of' },
  );
  return rows.map(({ party }) => party);
}

/** Returns the late send of a payout; undefined if there is none. */
export async function foundLateById(db: Statements, id: string): Promise<FoundLate | undefined> {
  const row = await db.row<FoundRow>(`select ${FOUND} from payment_found_late where payout_id = $1`, [id]);
  return row && foundOf(row);
}

/**
 * Returns the amounts that the books should show as owed for late sends, for the proof of the books. Late sends are posted a
 * moment after they are stored. Until then the books have the previous state.
 */
export async function owedForFinds(db: Statements): Promise<RowBalance[]> {
  const rows = await db.rows<{ id: string; party: string; unit: string; parts: string }>(
    `select payout_id as id, party, unit, parts from payment_found_late f
     where (status in ('open', 'counted')) <> exists (select from payment_event e where e.cause = f.payout_id and e.posted_at is null)`,
  );
  return rows.map(({ id, party, unit, parts }) => ({
    account: accounts.receivable(party, unit),
    parts: BigInt(parts),
    of: `the payout ${id}, found late`,
  }));
}

/** Decision of two people about a late send. `id`: id of the payout. `evidence`: their statement. */
export interface FoundDecision {
  readonly id: string;
  readonly by: readonly string[];
  readonly evidence: string;
}

async function lockOpen(tx: Tx, { id, by }: FoundDecision): Promise<FoundLate> {
  if (by.length < 2) throw new Problem('second_person_required');
  // The payout is locked before its late send, in the same order as when a rail's answer is applied. So the two transactions
  // can't deadlock.
  await lockPayouts(tx, [id]);
  const row = await tx.row<FoundRow>(`select ${FOUND} from payment_found_late where payout_id = $1 for update`, [id]);
  if (!row) throw new Problem('not_found');
  if (row.status !== 'open' && row.status !== 'counted') throw new Problem('action_not_open');
  return foundOf(row);
}

/** Notifies a late send's owner that the late send is settled, and whether another late send of the same party is open. */
async function reportSettled(tx: Tx, values: Values, { id, party }: FoundLate): Promise<void> {
  const open = await tx.row(`select from payment_found_late where party = $1 and status = 'open' limit 1`, [party]);
  const [payout] = await lockPayouts(tx, [id]);
  const extra = open ? { hasOthers: true as const } : {};
  if (payout) await reportPayouts(tx, values, [{ payout, events: [{ event: 'late_settled', extra }] }]);
}

/**
 * Writes off a late send, as two people have decided: its amount becomes a loss, and its party no longer owes the amount.
 * `action`: id of the action and of its journal. Throws `not_found`, `action_not_open` and `second_person_required`. Posts, so it
 * comes last in its transaction.
 */
export async function writeOffFound(
  tx: Tx,
  action: string,
  decision: FoundDecision,
  values: Values = marketValues,
): Promise<void> {
  const one = await lockOpen(tx, decision);
  await setStatus(tx, one.id, 'written_off', { by: decision.by, statement: decision.evidence });
  await reportSettled(tx, values, one);
  const legs = [leg(accounts.spent('loss', one.unit), owedBy(one), one.parts)];
  const [answer] = await post(tx, [{ id: action, kind: 'write_off', cause: one.id, legs, prices: pricesOf(values, [one.unit]) }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('action_not_open');
}

/**
 * Pays an owner (by id) with a late send: the money that was sent is booked as the owner's payment. Posts, so it comes last in
 * its transaction.
 */
export type PayFound = (
  tx: Tx,
  found: { readonly id: string; readonly txid: string; readonly by: readonly string[] },
) => Promise<void>;

/**
 * Accepts a late send as the payment itself (status `counted` or `met`), as two people have decided. If the desk is its owner,
 * the late send is settled at once. If the caller gives `payFound`, that function books the late send as its owner's payment.
 * Otherwise the late send replaces the party's next payout of the same purpose, currency and amount. Throws as `writeOffFound`
 * does, and `not_enough_there`. Posts, so it comes last in its transaction.
 */
export async function countFound(
  tx: Tx,
  action: string,
  decision: FoundDecision,
  payFound?: PayFound,
  values: Values = marketValues,
): Promise<void> {
  const one = await lockOpen(tx, decision);
  const isMet = one.owner.kind === 'desk' || payFound !== undefined;
  await setStatus(tx, one.id, isMet ? 'met' : 'counted', { by: decision.by, statement: decision.evidence });
  await reportSettled(tx, values, one);
  await payFound?.(tx, { id: one.owner.id, txid: one.txid, by: decision.by });
  if (one.owner.kind !== 'desk') return;
  const kind = one.purpose === 'rebalance' ? 'rebalance' : 'capital_out';
  const legs = [leg(accounts.deskFree(one.unit), owedBy(one), one.parts)];
  const [answer] = await post(tx, [{ id: action, kind, cause: one.id, legs, prices: pricesOf(values, [one.unit]) }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}
