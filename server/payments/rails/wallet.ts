import { accounts, balances } from '../../ledger/index.ts';
import type { Db, Statements, Tx } from '../../platform/index.ts';
import type { Attempt, Rail, WalletState } from '../../rails/rail.ts';
import { usedNonces } from '../unrecorded/unrecorded-sends.ts';
import { gasOf } from './registry.ts';

/** Right of one worker to choose inputs and nonces of a rail's wallet. A newer token invalidates all older ones. */
export interface WalletLease {
  readonly rail: string;
  readonly token: string;
}

const LEASE_SECONDS = 30;

/**
 * Extra condition for leasing a wallet. `name`: part of the prepared statement's name. `sql`: SQL of the condition, with the rail
 * as `$1`.
 */
interface Only {
  readonly name: string;
  readonly sql: string;
}
const ALWAYS: Only = { name: 'always', sql: 'true' };

/**
 * Leases a rail's wallet. Returns undefined while another worker has the lease, or if the condition doesn't hold. Leases run in
 * real time. If a stored lease ends later than a new lease would, the machine's clock was set back after the stored one began.
 * Such a lease counts as expired.
 */
async function leaseWallet(db: Statements, rail: string, only: Only): Promise<WalletLease | undefined> {
  const row = await db.row<{ token: string }>(
    `insert into rail_wallet (rail, token, leased_until) select $1, 1, now() + $2 * interval '1 second' where ${only.sql}
     on conflict (rail) do update set token = rail_wallet.token + 1, leased_until = excluded.leased_until
       where rail_wallet.leased_until <= now() or rail_wallet.leased_until > now() + $2 * interval '1 second'
     returning token`,
    [rail, LEASE_SECONDS],
    { name: `payments.lease_wallet_${only.name}` },
  );
  return row && { rail, token: row.token };
}

/** Releases a wallet's lease, if this worker still has it. */
async function releaseWallet(db: Statements, { rail, token }: WalletLease): Promise<void> {
  await db.run(`update rail_wallet set leased_until = now() where rail = $1 and token = $2`, [rail, token], {
    name: 'payments.release_wallet',
  });
}

/**
 * Locks the wallet's row for the rest of this transaction, and renews the lease. Returns false if another worker has taken the
 * lease. A worker that was suspended for longer than its lease must not store anything that it prepared.
 */
export async function holdWallet(tx: Tx, { rail, token }: WalletLease): Promise<boolean> {
  const held = await tx.run(
    `update rail_wallet set leased_until = now() + $3 * interval '1 second' where rail = $1 and token = $2`,
    [rail, token, LEASE_SECONDS],
    { name: 'payments.hold_wallet' },
  );
  return held === 1;
}

/**
 * Runs `work` while holding the lease of a rail's wallet. Returns undefined, without running `work`, while another worker has the
 * lease or if the condition doesn't hold.
 */
export async function withWallet<T>(
  db: Db,
  rail: string,
  work: (lease: WalletLease) => Promise<T>,
  only: Only = ALWAYS,
): Promise<T | undefined> {
  const lease = await leaseWallet(db, rail, only);
  if (!lease) return undefined;
  try {
    return await work(lease);
  } finally {
    await releaseWallet(db, lease).catch(() => {});
  }
}

/**
 * Returns the state of a rail's wallet from our own rows, so that the rail uses no input or nonce twice and finds all our coins.
 * The state names every address that may hold coin. If an address were missing, the rail would not count or spend its coin.
 */
export async function walletState(db: Statements, rail: string): Promise<WalletState> {
  const gas = gasOf(rail);
  const [open, wallet, addresses, [fuel]] = await Promise.all([
    db.rows<{ spends: string[]; raw: string; reference: string; txid: string | null }>(OPEN, [rail], {
      name: 'payments.wallet_open',
    }),
    countersOf(db, rail),
    db.rows<{ number: string }>(`select number from receiving_address where rail = $1 and may_hold order by number`, [rail], {
      name: 'payments.wallet_receiving_addresses',
    }),
    gas ? balances(db, [accounts.custody(gas.code, 'fuel', gas.unit)]) : [],
  ]);
  const numbers = addresses.map(({ number }) => Number.parseInt(number, 10));
  return {
    spent: open.flatMap(({ spends }) => spends),
    unconfirmed: open.map(({ txid, reference, raw, spends }) => ({ txid: txid ?? reference, raw, spends })),
    indexes: numbers.includes(0) ? numbers : [0, ...numbers],
    changeIndex: Number.parseInt(wallet?.change_index ?? '0', 10),
    ...(fuel !== undefined && { fuel: fuel > 0n ? fuel : 0n }),
    ...(wallet?.nonce != null && { nextNonce: Number.parseInt(wallet.nonce, 10) }),
  };
}

const OPEN = `
  select spends, raw, reference, txid from payment_attempt
  where rail = $1 and status in ('stored', 'doubtful', 'sent', 'replaced') and due_at is not null order by id`;

// SQL: next change index and next nonce. The lowest nonce of a refused send is used again, so that no gap remains. A refused
// nonce below the last final one is not used again: another transaction must have used it. Nonces of unrecorded sends count as
// used, too.
const COUNTERS = `
  select coalesce(change_index, 0) as change_index,
    coalesce(
      (select min(r.nonce) from payment_attempt r
       where r.rail = $1 and r.status = 'refused' and r.nonce is not null and r.purpose <> 'collect'
         and r.nonce > coalesce((select done.nonce from payment_attempt done
           where done.rail = $1 and done.nonce is not null and done.purpose <> 'collect' and done.status <> 'refused'
             and done.status = 'final' order by done.nonce desc limit 1), -1)
         and not exists (select from payment_attempt o where o.rail = r.rail and o.nonce = r.nonce
                         and o.purpose <> 'collect' and o.status <> 'refused')
         and not exists (select from unnest($2::bigint[], $3::bigint[]) as used (first, last)
                         where r.nonce between used.first and used.last)),
      greatest(
        (select max(nonce) + 1 from payment_attempt
         where rail = $1 and nonce is not null and purpose <> 'collect' and status <> 'refused'),
        (select max(last) + 1 from unnest($3::bigint[]) as used (last)))) as nonce
  from (select $1::text as rail) given left join rail_wallet using (rail)`;

async function countersOf(db: Statements, rail: string): Promise<{ change_index: string; nonce: string | null } | undefined> {
  const used = await usedNonces(db, rail);
  return db.row(COUNTERS, [rail, used.map(({ first }) => first), used.map(({ last }) => last)], {
    name: 'payments.wallet_counters',
  });
}

/**
 * Numbers of a rail's receiving addresses that got gas from attempts stored before `until`. These attempts are too old to be
 * refused any more.
 */
interface Fuelled {
  readonly numbers: Set<number>;
  readonly until: Date;
}
const fuelledBefore = new WeakMap<Rail, Fuelled>();

/**
 * Returns the numbers of a rail's receiving addresses that ever got gas, since some of the gas remains there after a sweep.
 * Attempts older than a day are read once per process. Newer attempts are read each time, since they may still be refused.
 */
export async function fuelledAddresses(db: Statements, rail: Rail): Promise<number[]> {
  const { numbers, until } = fuelledBefore.get(rail) ?? { numbers: new Set<number>(), until: new Date(0) };
  const rows = await db.rows<{ number: string; is_settled: boolean; settled_at: Date }>(
    `select distinct number, stored_at <= settled_at as is_settled, settled_at
     from (select clock_now() - interval '1 day' as settled_at) moment, payment_attempt
     where rail = $1 and purpose = 'fuel' and stored_at > $2 and status <> 'refused'`,
    [rail.id, until],
    { name: 'payments.fuelled_places' },
  );
  const numberOf = ({ number }: { number: string }): number => Number.parseInt(number, 10);
  for (const row of rows) if (row.is_settled) numbers.add(numberOf(row));
  fuelledBefore.set(rail, { numbers, until: rows[0]?.settled_at ?? until });
  return [...new Set([...numbers, ...rows.map(numberOf)])];
}

/** Returns a wallet's state as if a prepared attempt were stored already. */
export function withAttempt(state: WalletState, attempt: Attempt): WalletState {
  return {
    ...state,
    spent: [...state.spent, ...attempt.spends],
    unconfirmed: [...state.unconfirmed, { txid: attempt.reference, raw: attempt.raw, spends: attempt.spends }],
    changeIndex: attempt.changeIndex === undefined ? state.changeIndex : Math.max(state.changeIndex, attempt.changeIndex + 1),
    ...(attempt.nonce !== undefined && { nextNonce: attempt.nonce + 1 }),
  };
}

/** Stores a wallet's next change index. An index is never used twice. */
export async function saveChangeIndex(tx: Tx, rail: string, next: number): Promise<void> {
  await tx.run(`update rail_wallet set change_index = greatest(change_index, $2) where rail = $1`, [rail, next], {
    name: 'payments.change_index',
  });
}
