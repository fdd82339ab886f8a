import { type Db, type Statements, monotonicMs } from '../../platform/index.ts';
import { type Fault, type BooksCheck, causeFaults, otherFaults, proveChains, balanceFaults } from './checks.ts';
import { type Before, type RoundSize, type Scope, ROUND, readScope } from './night-scope.ts';
import { entryFaults, scopedEntryFaults } from './prove-entries.ts';
import { maccedFaults, proveSeals, sectionMacs } from './prove-seals.ts';
import { type Profit, profit } from '../read/profit.ts';
import { FIRST, type SealNote, noteFault } from '../seals/chain.ts';
import { JOURNALS } from '../seals/seal.ts';

export interface VerifyOptions {
  /** The rooms' checks. Without them, only the ledger's own rows are proved. */
  readonly checks?: readonly BooksCheck[];
  /** True if `checks` contains the checks of all rooms. Then a journal of a kind that no room posts is a fault. */
  readonly isWhole?: boolean;
  /** Note of the last seal, stored outside the database. */
  readonly note?: SealNote | undefined;
  /**
   * Result of an earlier proof. If given, the proof covers new journals and a section of the older journals. It also covers the
   * accounts and rows of these journals, accounts with money, and open rows. Its cost then doesn't depend on the age of the
   * books. If absent, everything is proved.
   */
  readonly since?: Before | undefined;
  /** Maximum size of the section of older journals to prove again. */
  readonly round?: RoundSize;
  /** Maximum number of faults listed for each check; 20 by default. */
  readonly max?: number;
}

/** Money in one unit, in parts: `held` by the desk, `owed` to others, and the desk's `own`. */
export interface UnitTotals {
  readonly unit: string;
  readonly held: bigint;
  readonly owed: bigint;
  readonly own: bigint;
}

/** Result of a proof. */
export interface Report extends Before {
  readonly faults: readonly Fault[];
  /** Number of accounts that were proved. */
  readonly accounts: number;
  /** Number of postings that were proved. */
  readonly postings: number;
  readonly units: readonly UnitTotals[];
  /** The desk's profit; absent if the proof covered only a part of the books. */
  readonly profit?: Profit;
  readonly seconds: number;
}

const BUDGET_MS = 600_000;

// Returns SQL for the totals by unit. A scope contains all accounts with money, and the remaining accounts don't change the
// totals.
const totalsOf = (scope: Scope | undefined): string => `
  select unit,
         -coalesce(sum(balance) filter (where class = 'held'), 0) as held,
         coalesce(sum(balance) filter (where class = 'owed'), 0) as owed,
         coalesce(sum(balance) filter (where class in ('own', 'spent')), 0) as own
  from account where true${within(scope)} group by unit order by unit`;

/**
 * Proves the books in one database snapshot, while other transactions go on posting. Checks that:
 * - each stored balance is the sum of the account's entries, whose numbers have no gaps, whose running balances are right and
 *   within bounds, and whose times don't go back
 * - the legs of each journal are legal for the journal's kind and not in the future, and each leg's accounts have the same unit
 * - own = held − owed in each unit
 * - profit = operating + revaluation exactly, and the profit's closing own money equals that of the accounts
 * - the type, class and unit of each account fit its name
 * - the seals and MACs of journals are right
 * - the rooms' checks find no fault
 */
export async function verify(db: Db, options: VerifyOptions = {}): Promise<Report> {
  const { checks = [], isWhole = false, max = 20, note, since, round = ROUND } = options;
  const start = monotonicMs();
  const noted = note?.read();
  return db.tx(
    async (tx) => {
      await tx.run(`set local statement_timeout = ${BUDGET_MS}`);
      await tx.run(`set local work_mem = '256MB'`);
      await tx.run('set local jit = off');
      const scope = since && (await readScope(tx, since, round));
      const faults = scope ? await scopedEntryFaults(tx, scope, max) : await entryFaults(tx, max);
      const units = await totals(tx, scope);
      const earned = scope ? undefined : await profit(tx);
      faults.push(...identityFaults(units, earned), ...(await checked(tx, { checks, isWhole, max, scope })));
      const seals = await sealFaults(tx, since, scope, max);
      const own = await proveChains(tx, checks, { max, before: since?.chains ?? {} });
      faults.push(...seals.faults, ...own.faults, ...(await cutOff(tx, noted)));
      return {
        faults,
        ...(await counts(tx, scope)),
        units,
        ...(earned && { profit: earned }),
        proven: seals.proven,
        chains: own.chains,
        funded: await fundedAccounts(tx, scope),
        round: scope?.round?.to.number ?? FIRST.number,
        seconds: (monotonicMs() - start) / 1000,
      };
    },
    { isSnapshot: true, budget: BUDGET_MS },
  );
}

/** Returns the faults of seals and MACs, and the last seal. */
async function sealFaults(
  tx: Statements,
  since: Before | undefined,
  scope: Scope | undefined,
  max: number,
): Promise<Awaited<ReturnType<typeof proveSeals>>> {
  const { faults, proven } = await proveSeals(tx, since?.proven ?? FIRST, { max });
  if (!scope) return { faults: [...faults, ...(await maccedFaults(tx, max))], proven };
  if (scope.round) faults.push(...(await proveSeals(tx, scope.round.from, { max, to: scope.round.to })).faults);
  for (const section of scope.sections) faults.push(...(await sectionMacs(tx, section, max)));
  return { faults, proven };
}

async function counts(db: Statements, scope: Scope | undefined): Promise<Pick<Report, 'accounts' | 'postings'>> {
  if (scope) return { accounts: scope.accounts.length, postings: scope.postings };
  const row = await db.row<{ accounts: string; postings: string }>(
    'select (select count(*) from account) as accounts, (select count(*) from posting) as postings',
  );
  return { accounts: +(row?.accounts ?? 0), postings: +(row?.postings ?? 0) };
}

/** Returns the ids of accounts whose balance is not zero. */
async function fundedAccounts(db: Statements, scope: Scope | undefined): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(`select id from account where balance <> 0${within(scope)}`, idsOf(scope));
  return rows.map(({ id }) => id);
}

const within = (scope: Scope | undefined): string => (scope ? ' and id = any ($1::bigint[])' : '');
const idsOf = (scope: Scope | undefined) => (scope ? [scope.accounts] : []);

async function cutOff(db: Statements, noted: ReturnType<SealNote['read']>): Promise<Fault[]> {
  const words = await noteFault(db, JOURNALS, noted);
  return words === undefined ? [] : [{ check: 'seal', words }];
}

async function totals(db: Statements, scope: Scope | undefined): Promise<UnitTotals[]> {
  const rows = await db.rows<Record<keyof UnitTotals, string>>(totalsOf(scope), idsOf(scope));
  return rows.map(({ unit, held, owed, own }) => ({ unit, held: BigInt(held), owed: BigInt(owed), own: BigInt(own) }));
}

function identityFaults(units: readonly UnitTotals[], earned: Profit | undefined): Fault[] {
  const faults: Fault[] = [];
  for (const { unit, held, owed, own } of units) {
    if (own !== held - owed) {
      faults.push({ check: 'own = held − owed', words: `${unit}: own ${own}, held ${held}, owed ${owed}` });
    }
    const walked = earned?.units.find((one) => one.unit === unit)?.closing ?? 0n;
    if (earned && walked !== own) {
      faults.push({ check: 'own', words: `${unit}: accounts say ${own}, the changes since the beginning ${walked}` });
    }
  }
  if (earned && !earned.isExact) {
    const { profit: whole, operating, revaluation } = earned;
    faults.push({ check: 'profit', words: `${whole} is not operating ${operating} + revaluation ${revaluation}` });
  }
  return faults;
}

async function checked(
  db: Statements,
  {
    checks,
    isWhole,
    max,
    scope,
  }: {
    readonly checks: readonly BooksCheck[];
    readonly isWhole: boolean;
    readonly max: number;
    readonly scope: Scope | undefined;
  },
): Promise<Fault[]> {
  return [
    ...(await balanceFaults(db, checks, { max, scope })),
    ...(await causeFaults(db, checks, { isWhole, max, scope })),
    ...(await otherFaults(db, checks, { max, scope })),
  ];
}
