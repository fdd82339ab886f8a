import { money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import { type Statements, log, newId } from '../../platform/index.ts';
import type { Rail, Sweep } from '../../rails/rail.ts';
import { applyAnswers } from './apply-answers.ts';
import { isCompared } from '../comparing/compare-sends.ts';
import { type PaymentsDeps, tryPrepare, within } from '../rails/deps.ts';
import { type NewAttempt, isFinal, storeOrRevive } from '../payouts/rows/attempt-store.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { currencyOf, payoutOf } from '../rails/registry.ts';
import { feeKnownWhen, sendOne } from './send-payouts.ts';
import { maySend, settings } from '../rails/settings.ts';
import { type WalletLease, holdWallet, walletState, withWallet } from '../rails/wallet.ts';
import { usdCents } from '../../rates/index.ts';

const SENDER_SECONDS = 10;
/** Maximum number of addresses queried in one turn. */
const PLACES = 100;

type Holding = Awaited<ReturnType<Sweep['holdings']>>[number];

/**
 * Number of the last queried address, by rail. The next turn continues after it, so that addresses with tiny amounts don't delay
 * the others.
 */
const lastRequested = new WeakMap<Rail, number>();

/**
 * Sweeps deposits into the hot wallet. For each address that holds enough, sends its coin to the hot wallet. If the address lacks
 * gas, first sends gas to it. Sends nothing while payouts of the rail, or all payouts, are switched off. Returns the number of
 * accepted sends.
 */
export async function sweepRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { sweep } = rail;
  if (!sweep) return 0;
  const numbers = await addressesToSweep(deps, rail.id, lastRequested.get(rail) ?? 0);
  if (numbers.length === 0) lastRequested.set(rail, 0);
  if (numbers.length === 0 || !(await isUp(deps.db, rail.id))) return 0;
  lastRequested.set(rail, numbers.length < PLACES ? 0 : (numbers.at(-1) ?? 0));
  let holdings: readonly Holding[];
  try {
    holdings = await within(deps.callMs, `${rail.id} holdings`, () => sweep.holdings(numbers));
  } catch (error) {
    await noteFailure(deps, rail, error);
    return 0;
  }
  await releaseAddresses(deps, rail.id, numbers, holdings);
  const worth = await booked(deps, rail.id, oneEach(holdings.filter((holding) => isWorth(deps, holding))));
  // Checked before signing: signed bytes that are never stored would leave a useless entry in the signer's journal.
  if (worth.length === 0 || !(await maySend(deps.db, rail.id)) || !(await isCompared(deps, rail))) return 0;
  const swept = await withWallet(deps.db, rail.id, async (lease) => {
    let sent = 0;
    for (const holding of worth) if (await sweepAddress(deps, rail, sweep, lease, holding)) sent += 1;
    return sent;
  });
  return swept ?? 0;
}

/**
 * Returns the numbers of the next addresses after `behind` that may hold coin. Leaves out addresses for which a sweep or gas is
 * under way.
 */
async function addressesToSweep({ db }: PaymentsDeps, rail: string, behind: number): Promise<number[]> {
  const rows = await db.rows<{ number: string }>(
    `select number from receiving_address p where rail = $1 and may_hold and number > $3
       and not exists (select from payment_attempt a where a.rail = p.rail and a.number = p.number
                       and a.status in ('stored', 'doubtful', 'sent'))
     order by number limit $2`,
    [rail, PLACES, behind],
  );
  return rows.map(({ number }) => Number.parseInt(number, 10));
}

/**
 * Marks addresses that hold nothing, so that they are not queried until a payment arrives. An address with a followed payment is
 * not marked, because a node that lags behind may report it as empty.
 */
async function releaseAddresses(
  { db }: PaymentsDeps,
  rail: string,
  requests: readonly number[],
  holdings: readonly Holding[],
): Promise<void> {
  const holding = new Set(holdings.map(({ index }) => index));
  const empty = requests.filter((number) => !holding.has(number));
  if (empty.length === 0) return;
  await db.run(
    `update receiving_address set may_hold = false where rail = $1 and number = any ($2) and not is_unfinished and not is_settling`,
    [rail, empty],
  );
}

/**
 * Returns holdings without those of found addresses that people have not booked yet. The books lack that money, so its sweep
 * couldn't be posted, and the hot wallet's balance would differ from the books.
 */
async function booked({ db }: PaymentsDeps, rail: string, holdings: readonly Holding[]): Promise<readonly Holding[]> {
  if (holdings.length === 0) return holdings;
  const rows = await db.rows<{ number: string }>(
    `select number from receiving_address where rail = $1 and number = any ($2) and owner_kind = 'desk' and owner_id = 'found'`,
    [rail, holdings.map(({ index }) => index)],
  );
  if (rows.length === 0) return holdings;
  const found = new Set(rows.map(({ number }) => Number.parseInt(number, 10)));
  const codes = [...new Set(holdings.map(({ currency }) => currency))];
  const left = await depositsLeft(db, rail, codes);
  return holdings.filter(({ index, currency, parts }) => {
    const there = left.get(currency) ?? 0n;
    const isBooked = !found.has(index) || parts <= there;
    if (isBooked) left.set(currency, there - parts);
    return isBooked;
  });
}

/** Returns the amounts at deposit addresses in the books, by currency, less sweeps under way. */
async function depositsLeft(db: Statements, rail: string, currencies: readonly string[]): Promise<Map<string, bigint>> {
  const refs = currencies.map((code) => accounts.custody(code, 'deposit', currencyOf(code)?.unit ?? code));
  const held = await balances(db, refs);
  const going = await db.rows<{ currency: string; parts: string }>(
    `select currency, sum(parts) as parts from payment_attempt
     where rail = $1 and purpose = 'collect' and status in ('stored', 'doubtful', 'sent') group by currency`,
    [rail],
  );
  const goes = new Map(going.map(({ currency, parts }) => [currency, BigInt(parts)]));
  return new Map(currencies.map((code, at) => [code, (held[at] ?? 0n) - (goes.get(code) ?? 0n)]));
}

/** Returns at most one holding per address. The next transaction of an address must wait until the first one is mined. */
function oneEach(holdings: readonly Holding[]): Holding[] {
  return [...new Map(holdings.toReversed().map((holding) => [holding.index, holding])).values()].toReversed();
}

/**
 * True if a holding is worth sweeping. A holding of unknown value isn't, since its sweep might cost more than the holding is
 * worth.
 */
function isWorth({ values }: PaymentsDeps, { currency, parts }: Holding): boolean {
  const usd = values.usd(money(currencyOf(currency)?.unit ?? currency, parts));
  return usd !== null && usd >= usdCents(settings.get('payments.sweep_from_usd'));
}

async function sweepAddress(
  deps: PaymentsDeps,
  rail: Rail,
  sweep: Sweep,
  lease: WalletLease,
  holding: Holding,
): Promise<boolean> {
  const made = await prepareStep(deps, rail, sweep, holding);
  if (!made) return false;
  const stored = await deps.db.tx(async (tx) => {
    if (!(await holdWallet(tx, lease)) || !(await maySend(tx, rail.id))) return undefined;
    // The sweep's transaction is final already. Either the node that reported the holding lags behind, or the chain no longer has
    // that transaction. The stored attempt is looked up at its own time.
    if (await isFinal(tx, rail.id, made.signed.reference)) return undefined;
    return storeOrRevive(tx, made, SENDER_SECONDS);
  });
  if (stored === undefined) return false;
  const answer = await sendOne(deps, rail, payoutOf(rail), made.signed);
  await applyAnswers(deps, rail, new Map([[stored.id, answer]]));
  return answer.said.outcome === 'accepted';
}

async function prepareStep(
  deps: PaymentsDeps,
  rail: Rail,
  sweep: Sweep,
  { index, currency }: Holding,
): Promise<NewAttempt | undefined> {
  for (const purpose of ['collect', 'fuel'] as const) {
    const state = await deps.db.tx((tx) => walletState(tx, rail.id));
    const made = await tryPrepare(deps.callMs, `${rail.id} sweep`, () => sweep.prepare(index, currency, purpose, state));
    if (made.ok) {
      const moved = purpose === 'fuel' ? made.attempt.fee.currency : currency;
      const { attempt: signed, parts = 0n } = made;
      return {
        id: newId(),
        rail: rail.id,
        purpose,
        feeKnown: feeKnownWhen(signed),
        signed,
        number: index,
        currency: moved,
        parts,
      };
    }
    if (made.reason !== 'no_fuel' || purpose === 'fuel') {
      log.alarm('a deposit could not be swept', {
        rail: rail.id,
        place: index,
        step: purpose,
        reason: made.reason,
        detail: made.detail,
      });
      return undefined;
    }
  }
  return undefined;
}
