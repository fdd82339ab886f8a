// The audit's chain of seals. It works like the chain of the ledger's journals (`server/ledger/seals/chain.ts`).

import {
  type Chain,
  type Fault,
  type Proven,
  type SealNote,
  type Stretch,
  FIRST,
  checkChainNote,
  noteFault,
  noteSeal,
  sealNext,
  walkChain,
} from '../../ledger/index.ts';
import { type Db, type Statements, bare, canonical, isMac, log, macOf } from '../../platform/index.ts';

/** An action as stored in the audit. */
export interface Action {
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly outcome: string;
  readonly body: unknown;
}

interface Stored extends Action {
  readonly xid: string;
  readonly mac: string | null;
}

/** Maximum number of actions in one seal. A single transaction always writes fewer actions. */
const MAX = 5_000;

/** Returns all fields of an action as text. The order of the keys in its body makes no difference. */
const contentOf = ({ id, at, by, action, subject, reason, outcome, body }: Action): string =>
  canonical([id, at.toISOString(), by, action, subject, reason, outcome, JSON.parse(JSON.stringify(body))]);

/** Returns the MAC of an action. */
export const actionMac = (action: Action): string => macOf('action', contentOf(action));

/** True if the MAC of an action's row is right. */
export const isAsRecorded = (action: Action & { readonly mac: string | null }): boolean =>
  isMac('action', contentOf(action), action.mac);

/**
 * Returns the actions of the transactions with ids from `from` up to, not including, `below`. If there are more than `MAX`
 * actions, returns only the first whole transactions that have fewer together.
 */
async function readActions(db: Statements, from: string, below: string): Promise<Stretch<Stored>> {
  const actions = await db.rows<Stored>(
    `select id, at, by, action, subject, reason, outcome, body, xid::text as xid, mac from audit
     where xid >= $1::xid8 and xid < $2::xid8 order by audit.xid, id limit $3`,
    [from, below, MAX],
    { name: 'operator.read_acts' },
  );
  if (actions.length < MAX) return { rows: actions, upto: below, isAll: true };
  const last = actions.at(-1)?.xid as string;
  return { rows: actions.filter(({ xid }) => xid !== last), upto: last, isAll: false };
}

/** The chain of seals over all actions of the audit. */
const ACTIONS: Chain<Stored, Stored> = {
  table: 'audit_seal',
  of: 'audit',
  title: 'the audit’s chain of seals',
  purpose: 'audit seal',
  read: readActions,
  lineOf: ({ id, mac }) => `${id} ${bare(mac)}`,
  wrongOf: (actions) => actions.filter((action) => !isAsRecorded(action)),
  countsOf: (actions) => ({ actions: actions.length }),
};

/**
 * Seals all actions of finished transactions, and raises an alarm for each action with a wrong MAC. Returns the number of
 * sealed actions. If two processes call the function at once, only one of them seals. `note`: stores the last seal outside the
 * database.
 */
export async function sealActions(db: Db, note?: SealNote): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealNext(db, ACTIONS);
    if (!sealed) return total;
    if (note) await noteSeal(db, ACTIONS, note, sealed.seal);
    total += sealed.rows.length;
    for (const action of sealed.wrong) log.alarm('an action of the audit is not what was written', { action: action.id });
    if (sealed.isAll) return total;
  }
}

/** Result of a proof of the audit. */
export interface AuditProof {
  readonly faults: readonly Fault[];
  readonly actions: number;
  /** The last seal that the proof reached. */
  readonly proven: Proven;
}

/**
 * Proves the whole audit: each action has its right MAC, sealed actions are unchanged, and the chain contains the seal `noted`.
 * `noted`: the last seal as stored outside the database, read before the database is read.
 */
export async function proveAudit(db: Statements, noted?: ReturnType<SealNote['read']>): Promise<AuditProof> {
  const proof = await proveAuditFrom(db, FIRST);
  const words = await noteFault(db, ACTIONS, noted);
  const cut: readonly Fault[] = words === undefined ? [] : [{ check: 'audit', account: 'the chain', words }];
  return { ...proof, faults: [...proof.faults, ...cut] };
}

/**
 * Proves the audit from an already proven seal on, and that this seal is unchanged. Also searches the whole audit for actions
 * without a MAC.
 */
export async function proveAuditFrom(db: Statements, from: Proven): Promise<AuditProof> {
  const faults: Fault[] = [];
  const fault = (account: string, words: string): void => void faults.push({ check: 'audit', account, words });
  let count = 0;
  const proven = await walkChain(db, ACTIONS, from, {
    onRows(actions) {
      count += actions.length;
      for (const action of ACTIONS.wrongOf(actions)) fault(`action ${action.id}`, 'is not what was written');
    },
    onFault: fault,
  });
  return { faults: [...faults, ...(await unmarkedFaults(db))], actions: count, proven };
}

/** Returns a fault for each action without a transaction id or MAC, since the product always writes both. */
async function unmarkedFaults(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string }>('select id from audit where xid is null or mac is null limit 20');
  return rows.map(({ id }) => ({ check: 'audit', account: `action ${id}`, words: 'has no mark: we did not write it' }));
}

/**
 * Raises an alarm if the chain lacks the seal that is noted outside the database: then the chain's end was cut off or changed.
 */
export const checkAuditNote = (db: Statements, note: SealNote): Promise<boolean> => checkChainNote(db, ACTIONS, note);
