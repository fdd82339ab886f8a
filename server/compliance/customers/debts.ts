// Debts of customers. A debt arises when a rail takes a payment back after the money was paid out or spent. It also arises when
// a payout is found late: it was sent although its money had been returned to the customer.
//
// A debt stops customers who have one of its keys as a proven key. Typed data proves nothing about who typed it, so a key that
// was only typed makes a person check the action. Thus nobody shuts others out by typing their e-mail.

import { Problem } from '@kurs/contract';
import { format, isUnit, money } from '@kurs/money';
import { type Owner, type Statements, type Tx, isMac, macOf, steady, subjectOf } from '../../platform/index.ts';
import { shownHolder } from './level.ts';
import { type Subject, addressKeys, blockableKeys, shownKeys, typedKeys } from './subject.ts';

/**
 * An open debt. `about`: kind of the debt's owner (order, deposit, or payout found late); `id`: the owner's id; `parts`: amount
 * in parts of `unit`.
 */
export interface Debt {
  readonly id: string;
  readonly about: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly since: Date;
}

/** A reason that stops a customer: a debt, or a block by people. The `parts` of a block are 0. */
export type Stop = Debt;

/**
 * A possible debtor. `payers`: accounts at providers that they paid from, each as `<currency>:<name at the provider>`; `paidFor`:
 * owner of the payment.
 */
export interface Debtor {
  readonly subject: Subject;
  readonly payers: readonly string[];
  readonly paidFor?: Owner | undefined;
}

/**
 * Debts and blocks of a customer: `shown` if they share a proven key with the customer, `typed` if they share only typed data.
 * Blocks come first, then the oldest debts.
 */
export interface Owed {
  readonly shown: readonly Stop[];
  readonly typed: readonly Stop[];
}

/** Returns an account holder as a debtor. `payers`: as in `Debtor`. */
export async function debtorOf(db: Statements, holderId: string | undefined, payers: readonly string[] = []): Promise<Debtor> {
  const holder = await shownHolder(db, holderId);
  return { subject: { email: holder?.mailbox ?? '', accounts: [], holder }, payers };
}

/** SQL: true for a block that nobody has lifted and that has not ended. */
export const OPEN_BLOCK = 'lifted_at is null and (until is null or until > clock_now())';

/**
 * Stores a debt with its current sum and its debtor. A debt of zero parts is deleted. An update doesn't change the debt's date.
 */
export async function noteDebt(tx: Tx, debt: Omit<Debt, 'since'>, { subject, payers, paidFor }: Debtor): Promise<void> {
  await tx.run('delete from debt_key where debt_id = $1', [debt.id]);
  if (debt.parts === 0n) {
    await tx.run('delete from debt where id = $1', [debt.id]);
    return;
  }
  const shown = keysShown({ subject, payers, paidFor });
  const keys = [...shown, ...keysTyped({ subject, payers, paidFor })];
  const known = keys.map((key, at) => ({ key, isShown: at < shown.length }));
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

/** A debt with its debtor's keys. `isShown`: true if the debtor has proven the key. */
type KeyedDebt = Omit<Debt, 'since'> & { readonly keys: readonly { readonly key: string; readonly isShown: boolean }[] };

const contentOf = ({ id, about, unit, parts, keys }: KeyedDebt): string =>
  steady([id, about, unit, parts, keys.map(({ key, isShown }) => `${isShown} ${key}`).toSorted()]);

/** Returns the ids of debts whose row or keys were changed by SQL, for the proof of the books. */
export async function alteredDebts(db: Statements): Promise<string[]> {
  const rows = await db.rows<Omit<KeyedDebt, 'parts'> & { parts: string; mac: string | null }>(
    `select id, about, unit, parts, mac, coalesce((select jsonb_agg(jsonb_build_object('key', key, 'isShown', shown))
       from debt_key where debt_id = debt.id), '[]') as keys from debt`,
  );
  return rows
    .filter(({ mac, parts, ...row }) => !isMac('debt', contentOf({ ...row, parts: BigInt(parts) }), mac))
    .map(({ id }) => id);
}

/**
 * Returns the debts and blocks of possible debtors, by their names in the map `people`. A person who shares no identity key with
 * a debt or block is left out.
 */
export async function owedBy(db: Statements, people: ReadonlyMap<string, Debtor>): Promise<Map<string, Owed>> {
  const requests = [...people].flatMap(([name, debtor]) => {
    const keys = (list: readonly string[], isShown: boolean) => list.map((key) => ({ name, key, isShown }));
    const blocked = [...blockableKeys(debtor.subject), ...addressKeys(debtor.payers)];
    return [...keys([...new Set([...keysShown(debtor), ...blocked])], true), ...keys(keysTyped(debtor), false)];
  });
  if (requests.length === 0) return new Map();
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
    [requests.map(({ name }) => name), requests.map(({ key }) => key), requests.map(({ isShown }) => isShown)],
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

/** Returns a debt's sum as parameters of a problem. */
export const owedSum = ({ unit, parts }: Pick<Debt, 'unit' | 'parts'>): { owed: string; unit: string } => ({
  owed: isUnit(unit) ? format(money(unit, parts)) : String(parts),
  unit,
});

/** Returns the problem of a customer whom a debt or block stops. */
export const stopOf = (stop: Stop): Problem =>
  stop.about === 'block' ? new Problem('blocked') : new Problem('debt_stops', { params: owedSum(stop) });

/**
 * Throws `blocked` or `debt_stops` if a block or a debt has one of the customer's proven keys. `isSuspect`: a block or debt
 * shares only typed data with the customer, so a person has to check the action.
 */
export async function requireNoDebts(db: Statements, subject: Subject): Promise<{ readonly isSuspect: boolean }> {
  if (!(await anyDebts(db))) return { isSuspect: false };
  const owed = (await owedBy(db, new Map([['asking', { subject, payers: [] }]]))).get('asking');
  const [first] = owed?.shown ?? [];
  if (first) throw stopOf(first);
  return { isSuspect: owed !== undefined };
}

/** Returns the problem that `requireNoDebts` would throw for each customer; undefined for a customer whom nothing stops. */
export async function stopsOf(db: Statements, subjects: readonly Subject[]): Promise<(Problem | undefined)[]> {
  if (!(await anyDebts(db))) return subjects.map(() => undefined);
  const owed = await owedBy(db, new Map(subjects.map((subject, at) => [`${at}`, { subject, payers: [] }])));
  return subjects.map((_, at) => {
    const [first] = owed.get(`${at}`)?.shown ?? [];
    return first && stopOf(first);
  });
}

/** Returns the open debts, oldest first, with their debtors' keys. */
export async function openDebts(db: Statements, max: number): Promise<(Debt & { readonly keys: readonly string[] })[]> {
  const rows = await db.rows<Omit<Debt, 'parts'> & { parts: string; keys: string[] }>(
    `select id, about, unit, parts, since, array(select key from debt_key where debt_id = debt.id and shown order by key) as keys
     from debt order by since, id limit $1`,
    [max],
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}

/** Returns the number of open debts that arose after a moment. */
export const countDebtsSince = async (db: Statements, since: Date): Promise<number> =>
  (await db.row<{ count: number }>('select count(*)::int as count from debt where since > $1', [since]))?.count ?? 0;

/** Returns a debtor's proven keys. A payment proves the account that it came from. */
export const keysShown = ({ subject, payers, paidFor }: Debtor): string[] => [
  ...new Set([
    ...shownKeys(subject),
    ...payers.map((account) => `account:${account}`),
    ...(paidFor === undefined ? [] : [subjectOf(paidFor)]),
  ]),
];

/** Returns the keys that a debtor has only typed. */
export function keysTyped(debtor: Debtor): string[] {
  const shown = keysShown(debtor);
  return typedKeys(debtor.subject).filter((key) => !shown.includes(key));
}

/** Returns those of the ids of orders or payments for which a debt is open. */
export async function debtsAmong(db: Statements, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>('select id from debt where id = any ($1::uuid[])', [ids], {
    name: 'compliance.debts_among',
  });
  return new Set(rows.map(({ id }) => id));
}

/** Returns true if there is any debt or open block. */
export async function anyDebts(db: Statements): Promise<boolean> {
  const row = await db.row<{ any: boolean }>(
    `select exists (select from debt) or exists (select from block where ${OPEN_BLOCK}) as any`,
    [],
    { name: 'compliance.any_debts' },
  );
  return row?.any ?? false;
}

/**
 * Compares the stored debts of one kind with the expected ones. Returns the ids of debts that are missing, unexpected, or have
 * another sum.
 */
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
