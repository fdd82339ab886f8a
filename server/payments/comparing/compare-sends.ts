// Compares a rail's list of sends from our own account with the attempts in the books. If a send has no attempt, somebody else
// signs with our keys, or this database is an older copy. From then on nothing is sent on that rail.

import { type Tx, log, monotonicMs } from '../../platform/index.ts';
import { type UnexplainedLine, nameAmongSeveral } from '../../rails/index.ts';
import type { OwnPayment, OwnSend, OwnSends, Payout as PayoutRail, Rail, WalletState } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { noteFailure } from '../rails/rail-state.ts';
import { walletState } from '../rails/wallet.ts';
import { type FoundSend, addNonces, noteUnrecorded, unrecordedSends } from '../unrecorded/unrecorded-sends.ts';
import { explainedSends } from './explained-sends.ts';
import { payoutFor } from './payout-for.ts';

/** Maximum number of pages of a rail's list read in one comparison. A longer list is compared again at the next turn. */
const MAX_ANSWERS = 1_000;
/**
 * Shortest interval between two alarms about failed comparisons of a rail, in ms. The first alarm also comes only after so much
 * time without a successful comparison.
 */
const ALARM_MS = 10 * 60_000;

interface Compared {
  readonly db: PaymentsDeps['db'];
  readonly at: number;
}

/** Last successful comparison of each rail in this process. */
const compared = new WeakMap<Rail, Compared>();
const alarmed = new WeakMap<Rail, number>();

/**
 * Returns true if this process has compared the rail's own sends with the books. If it hasn't yet, compares them now, and returns
 * false if that fails. Before the comparison, nothing may be sent on the rail.
 */
export async function isCompared(deps: PaymentsDeps, rail: Rail): Promise<boolean> {
  if (!rail.payout?.ownSends || compared.get(rail)?.db === deps.db) return true;
  return compareSends(deps, rail);
}

/**
 * Compares a rail's own sends with the books, and stores those that the books don't know. Returns false if the list could not be
 * read to its end. Returns true for a rail that lists no sends, which is never compared.
 */
export async function compareSends(deps: PaymentsDeps, rail: Rail): Promise<boolean> {
  const { payout } = rail;
  if (!payout?.ownSends) return true;
  try {
    // After a restore, the signer's journal has more details of the newer sends than the chain has.
    if (rail.kind === 'chain') await compareJournal(deps, rail);
    let readTo = await readBefore(deps, rail);
    for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
      const shown = await ask(deps, rail, payout, readTo);
      readTo = shown.readTo ?? readTo;
      // The rail is read before the books. Each of our sends is stored before it leaves, so the books have every send that the
      // rail listed.
      await deps.db.tx((tx) => compare(tx, rail, shown));
      if (shown.isUnfinished) continue;
      compared.set(rail, { db: deps.db, at: monotonicMs() });
      return true;
    }
    return false;
  } catch (error) {
    await noteFailure(deps, rail, error);
    reportFailure(rail, error);
    return false;
  }
}

async function readBefore({ db }: PaymentsDeps, rail: Rail): Promise<string | undefined> {
  const before = await db.row<{ read_to: string | null }>('select read_to from send_comparison where rail = $1', [rail.id]);
  return before?.read_to ?? undefined;
}

async function ask(deps: PaymentsDeps, rail: Rail, payout: PayoutRail, readTo: string | undefined): Promise<OwnSends> {
  const state = await stateToCompare(deps, rail);
  const request = {
    state,
    isFirst: compared.get(rail)?.db !== deps.db,
    ...(readTo !== undefined && { readTo }),
  };
  const shown = await within(deps.callMs, `${rail.id} own sends`, async () => payout.ownSends?.(request));
  if (!shown) throw new Error(`${rail.id} shows no list of its sends`);
  return shown;
}

/**
 * Returns the wallet's state for reading the rail's list. Reading begins at the lowest nonce of which only the use is known,
 * since the rail may list its transaction meanwhile.
 */
async function stateToCompare({ db }: PaymentsDeps, rail: Rail): Promise<WalletState> {
  const state = await walletState(db, rail.id);
  const bare = (await unrecordedSends(db, { state: 'open', rail: rail.id })).flatMap(({ reference, spend, nonces }) =>
    nonces && reference === spend && nonces.first === nonces.last ? nonces.first : [],
  );
  return bare.length === 0 ? state : { ...state, nextNonce: Math.min(...bare, state.nextNonce ?? Infinity) };
}

async function compare(tx: Tx, rail: Rail, { sends, readTo, isUnfinished }: OwnSends): Promise<void> {
  const explained = await explainedSends(tx, rail, sends);
  const unexplained = sends.filter((send) => !explained.has(send));
  if (unexplained.length > 0) await noteUnexplained(tx, rail, unexplained);
  for (const { reference, nonces } of explained) await addNonces(tx, { rail: rail.id, reference, nonces });
  if (isUnfinished) return;
  await tx.run(
    `insert into send_comparison (rail, compared_at, read_to) values ($1, $2, $3)
     on conflict (rail) do update set compared_at = excluded.compared_at, read_to = coalesce(excluded.read_to, send_comparison.read_to)`,
    [rail.id, tx.now, readTo ?? null],
  );
}

/** Stores sends that the books don't know. Payments with the same amount and receiver are matched to different payouts. */
async function noteUnexplained(tx: Tx, rail: Rail, sends: readonly OwnSend[]): Promise<void> {
  const found: FoundSend[] = [];
  const taken = (await unrecordedSends(tx, { rail: rail.id, max: Infinity })).flatMap(({ payoutId }) => payoutId ?? []);
  for (const send of sends) found.push(...(await foundIn(tx, rail, send, taken)));
  await noteUnrecorded(tx, found);
}

/** Form of a payout's id. We give this id to most providers as our reference. */
const IS_PAYOUT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Stores the entries of the signer's journal for this rail that the database doesn't explain. Throws if the signer doesn't
 * answer.
 */
async function compareJournal({ db, unexplained }: PaymentsDeps, rail: Rail): Promise<void> {
  const lines = ((await unexplained?.()) ?? []).filter((line) => line.rail === rail.id);
  if (lines.length === 0) return;
  await db.tx((tx) => noteUnrecorded(tx, lines.flatMap(foundLine)));
}

/** Returns the rows to store for an entry of the signer's journal: one for each payment, as for a send that a chain lists. */
function foundLine({ rail, txid, payouts, spends, pays = [], at }: UnexplainedLine): FoundSend[] {
  const common: FoundSend = {
    ...{ rail, source: 'journal', reference: txid, seenAt: new Date(at) },
    ...(spends[0] !== undefined && { spend: spends[0] }),
  };
  const all = pays.map(({ currency, to, parts }) => ({ currency, to, parts: BigInt(parts) }));
  if (all.length <= 1) {
    const [pay] = all;
    return [{ ...common, ...(pay && sumOf(pay)), ...(payouts.length === 1 && { payoutId: payouts[0] }) }];
  }
  // The journal lists the payouts of several payments, but not which payment belongs to which payout.
  return all.map((pay, index) => ({ ...common, ...named(txid, index, all), ...sumOf(pay) }));
}

/**
 * Returns the rows to store for a send: one for each payment, with the payout that the payment seems to be for. Adds these
 * payouts to `taken`.
 */
async function foundIn(tx: Tx, rail: Rail, send: OwnSend, taken: string[]): Promise<FoundSend[]> {
  const { reference, spend, nonces, pays, at, ours } = send;
  const common: FoundSend = {
    ...{ rail: rail.id, source: rail.kind, reference },
    ...(spend !== undefined && { spend }),
    ...(nonces && { nonces }),
    ...(at && { seenAt: at }),
  };
  const borne = ours !== undefined && IS_PAYOUT.test(ours) ? ours : undefined;
  if (pays.length === 0) return [{ ...common, ...(borne !== undefined && { payoutId: borne }) }];
  const rows: FoundSend[] = [];
  for (const [index, pay] of pays.entries()) {
    const payoutId = borne ?? (await payoutFor(tx, rail, pay, taken));
    if (payoutId !== undefined) taken.push(payoutId);
    rows.push({ ...common, ...named(reference, index, pays), ...sumOf(pay), ...(payoutId !== undefined && { payoutId }) });
  }
  return rows;
}

/** Returns the reference of a payment. If its transaction has several payments, the reference includes the payment's index. */
const named = (reference: string, index: number, pays: readonly OwnPayment[]): Pick<FoundSend, 'reference'> => ({
  reference: pays.length > 1 ? nameAmongSeveral(reference, index) : reference,
});

const sumOf = ({ currency, parts, to }: OwnPayment): Partial<FoundSend> => ({
  currency,
  ...(to !== '' && { receiver: to }),
  ...(parts > 0n && { parts }),
});

/** Logs a failed comparison of a rail. Raises an alarm if the rail could not be compared for ten minutes. */
function reportFailure(rail: Rail, error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  log.warn('sends on this rail could not be compared with the books', { rail: rail.id, error: detail });
  const since = compared.get(rail)?.at ?? alarmed.get(rail);
  if (since === undefined) alarmed.set(rail, monotonicMs());
  else if (monotonicMs() - Math.max(since, alarmed.get(rail) ?? -Infinity) > ALARM_MS) {
    alarmed.set(rail, monotonicMs());
    log.alarm('sends on this rail could not be compared with the books for ten minutes', { rail: rail.id, error: detail });
  }
}
