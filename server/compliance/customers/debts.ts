// Debts: what somebody owes after money that we had paid out, or that they have spent, was taken back by its
// rail, or after a payout turned up whose money they had back. A debt stops
// those it is shown to belong to. What was only typed says nothing of who typed it, so it sends what they do to a person
// instead: typing somebody's e-mail shuts nobody out.

import { Problem } from '@kurs/contract';
import { format, isUnit, money } from '@kurs/money';
import { type Owner, type Statements, type Tx, isMac, macOf, steady, subjectOf } from '../../platform/index.ts';
import { type Subject, addressKeys, blockableKeys, shownKeys, typedKeys } from './subject.ts';

/**
 * What is owed. `about`: the kind of what it is owed for (an order, a deposit, a payout that turned up), whose `id` is its own.
 * `parts` are of the unit.
 */
export interface Debt {
  readonly id: string;
  readonly about: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly since: Date;
}

/** What stops somebody: a debt, or a block by people, which is of no parts. */
export type Stop = Debt;

/**
 * Who may owe: a subject, the accounts at providers that they have paid from, each as `<currency>:<its name there>`, and what
 * their money was paid for.
 */
export interface Debtor {
  readonly subject: Subject;
  readonly payers: readonly string[];
  readonly paidFor?: Owner | undefined;
}

/** What stops a customer by proven keys, and what shares only typed data with them: blocks first, then the oldest. */
export interface Owed {
  readonly shown: readonly Stop[];
  readonly typed: readonly Stop[];
}

/** SQL: a block that nobody has lifted and whose end has not come. */
export const OPEN_BLOCK = 'lifted_at is null and (until is null or until > clock_now())';

/** Stores what is owed now, and the debtor; no parts mean that nothing is owed any more. The first time of owing stays. */
export async function noteDebt(tx: Tx, debt: Omit<Debt, 'since'>, { subject, payers, paidFor }: Debtor): Promise<void> {
  await tx.run('delete from debt_key where debt_id = $1', [debt.id]);
  if (debt.parts === 0n) {
    await tx.run('delete from debt where id = $1', [debt.id]);
    return;
  }
  const shown = keysShown({ subject, payers, paidFor });
  const keys = [...shown, ...keysTyped({ subject, payers, paidFor })];
  const known = keys.map((key, at) => ({ key, shown: at < shown.length }));
  await tx.run(
    `insert into debt (id, about, unit, parts, since, mac) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set parts = excluded.parts, mac = excluded.mac`,
    [debt.id, debt.about, debt.unit, debt.parts, tx.now, macOf('debt', contentOf({ ...debt, keys: known }))],
  );
  await tx.run(
    `insert into debt_key (debt_id, key, shown) select $1, key, place <= $3 from unnest($2::text[]) with ordinality as given (key, place)`,
    [debt.id, keys, shown.length],
  );
}

/** A debt, with its debtor's keys and whether each was proven. */
type Known = Omit<Debt, 'since'> & { readonly keys: readonly { readonly key: string; readonly shown: boolean }[] };

const contentOf = ({ id, about, unit, parts, keys }: Known): string =>
  steady([id, about, unit, parts, keys.map(({ key, shown }) => `${shown} ${key}`).toSorted()]);

/**
 * Debts that are not as they were noted, or whose debtors are known by something else: their ids. For the proof of the books.
 */
export async function alteredDebts(db: Statements): Promise<string[]> {
  const rows = await db.rows<Omit<Known, 'parts'> & { parts: string; mac: string | null }>(
    `select id, about, unit, parts, mac, coalesce((select jsonb_agg(jsonb_build_object('key', key, 'shown', shown))
       from debt_key where debt_id = debt.id), '[]') as keys from debt`,
  );
  return rows
    .filter(({ mac, parts, ...row }) => !isMac('debt', contentOf({ ...row, parts: BigInt(parts) }), mac))
    .map(({ id }) => id);
}

/** What each of some people owes, by the name that they are asked under; those who share nothing with a debtor are left out. */
export async function owedBy(db: Statements, people: ReadonlyMap<string, Debtor>): Promise<Map<string, Owed>> {
  const asked = [...people].flatMap(([name, debtor]) => {
    const keys = (list: readonly string[], shown: boolean) => list.map((key) => ({ name, key, shown }));
    const blocked = [...blockableKeys(debtor.subject), ...addressKeys(debtor.payers)];
    return [...keys([...new Set([...keysShown(debtor), ...blocked])], true), ...keys(keysTyped(debtor), false)];
  });
  if (asked.length === 0) return new Map();
  const rows = await db.rows<{
    name: string;
    is_shown: boolean;
    id: string;
    about: Stop['about'];
    unit: string;
    parts: string;
    since: Date;
  }>(
    `select name, bool_or(asked.shown and known.shown) as is_shown, id, about, unit, parts, since
     from unnest($1::text[], $2::text[], $3::boolean[]) as asked (name, key, shown)
     join (
       select key, shown, id, about, unit, parts, since from debt_key join debt on debt.id = debt_id
       union all select key, true, id, 'block', 'USD', 0, since from block_key join block on block.id = block_id and ${OPEN_BLOCK}
     ) known using (key)
     group by name, id, about, unit, parts, since order by name, about <> 'block', since, id`,
    [asked.map(({ name }) => name), asked.map(({ key }) => key), asked.map(({ shown }) => shown)],
    { name: 'compliance.owed_by' },
  );
  const found = new Map<string, { shown: Stop[]; typed: Stop[] }>();
  for (const { name, is_shown: isShown, parts, ...row } of rows) {
    const owed = found.get(name) ?? { shown: [], typed: [] };
    (isShown ? owed.shown : owed.typed).push({ ...row, parts: BigInt(parts) });
    found.set(name, owed);
  }
  return found;
}

/** What is owed, as problems tell it. */
export const owedSum = ({ unit, parts }: Pick<Debt, 'unit' | 'parts'>): { owed: string; unit: string } => ({
  owed: isUnit(unit) ? format(money(unit, parts)) : String(parts),
  unit,
});

/** What stops anyone who is shown to be blocked, or to owe. */
export const stopOf = (stop: Stop): Problem =>
  stop.about === 'block' ? new Problem('blocked') : new Problem('debt_stops', { params: owedSum(stop) });

/**
 * Throws `blocked`, or `debt_stops`, for somebody to whom a block or a debt is shown to belong. Else says whether a person
 * has to look at what they do, since what they typed is what a debtor is known by.
 */
export async function requireNoDebts(db: Statements, subject: Subject): Promise<{ readonly isSuspect: boolean }> {
  if (!(await anyDebts(db))) return { isSuspect: false };
  const owed = (await owedBy(db, new Map([['asking', { subject, payers: [] }]]))).get('asking');
  const [first] = owed?.shown ?? [];
  if (first) throw stopOf(first);
  return { isSuspect: owed !== undefined };
}

/** For each of those who ask the problem that `requireNoDebts` would throw; undefined where it would throw none. */
export async function stopsOf(db: Statements, subjects: readonly Subject[]): Promise<(Problem | undefined)[]> {
  if (!(await anyDebts(db))) return subjects.map(() => undefined);
  const owed = await owedBy(db, new Map(subjects.map((subject, at) => [`${at}`, { subject, payers: [] }])));
  return subjects.map((_, at) => {
    const [first] = owed.get(`${at}`)?.shown ?? [];
    return first && stopOf(first);
  });
}

/** Every open debt, oldest first, with its debtor's keys. */
export async function openDebts(db: Statements, most: number): Promise<(Debt & { readonly keys: readonly string[] })[]> {
  const rows = await db.rows<Omit<Debt, 'parts'> & { parts: string; keys: string[] }>(
    `select id, about, unit, parts, since, array(select key from debt_key where debt_id = debt.id and shown order by key) as keys
     from debt order by since, id limit $1`,
    [most],
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}

/** What is shown to be somebody's; the accounts that were paid from are by having paid. */
export const keysShown = ({ subject, payers, paidFor }: Debtor): string[] => [
  ...new Set([
    ...shownKeys(subject),
    ...payers.map((account) => `account:${account}`),
    ...(paidFor === undefined ? [] : [subjectOf(paidFor)]),
  ]),
];

/** What somebody has only typed, and nothing shows to be theirs. */
export function keysTyped(debtor: Debtor): string[] {
  const shown = keysShown(debtor);
  return typedKeys(debtor.subject).filter((key) => !shown.includes(key));
}

/** Which of these orders or payments, by id, have an open debt. */
export async function debtsAmong(db: Statements, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>('select id from debt where id = any ($1::uuid[])', [ids], {
    name: 'compliance.debts_among',
  });
  return new Set(rows.map(({ id }) => id));
}

/** Whether anybody owes anything, or is blocked. */
export async function anyDebts(db: Statements): Promise<boolean> {
  const row = await db.row<{ any: boolean }>(
    `select exists (select from debt) or exists (select from block where ${OPEN_BLOCK}) as any`,
    [],
    { name: 'compliance.any_debts' },
  );
  return row?.any ?? false;
}

/** The debts of one kind that nobody owes by the rows that they are about, and those of rows that are missing or others. */
export async function wrongDebts(
  db: Statements,
  about: Debt['about'],
  owed: ReadonlyMap<string, Pick<Debt, 'unit' | 'parts'>>,
): Promise<string[]> {
  const rows = await db.rows<{ id: string; unit: string; parts: string }>('select id, unit, parts from debt where about = $1', [
    about,
  ]);
  const noted = new Map(rows.map(({ id, unit, parts }) => [id, `${parts} ${unit}`]));
  const wanted = new Map([...owed].map(([id, { unit, parts }]) => [id, `${parts} ${unit}`]));
  return [...new Set([...noted.keys(), ...wanted.keys()])].filter((id) => noted.get(id) !== wanted.get(id));
}
