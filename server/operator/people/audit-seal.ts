// The audit's own chain of seals, made as that of the books (`server/ledger/seals/chain.ts`).

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

/** An action of the audit, as it is written. */
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

/** Most actions of one seal; one transaction writes fewer. */
const MOST = 5_000;

/** All that an action says, as text that is the same in whatever order the keys of its body come back. */
const contentOf = ({ id, at, by, action, subject, reason, outcome, body }: Action): string =>
  canonical([id, at.toISOString(), by, action, subject, reason, outcome, JSON.parse(JSON.stringify(body))]);

/** The MAC that an action is written with. */
export const actionMac = (action: Action): string => macOf('action', contentOf(action));

/** Whether an action of the audit is as we wrote it. */
export const isAsRecorded = (action: Action & { readonly mac: string | null }): boolean =>
  isMac('action', contentOf(action), action.mac);

/** Actions of transactions from one on, below another; a transaction is read whole. */
async function readActions(db: Statements, from: string, below: string): Promise<Stretch<Stored>> {
  const actions = await db.rows<Stored>(
    `select id, at, by, action, subject, reason, outcome, body, xid::text as xid, mac from audit
     where xid >= $1::xid8 and xid < $2::xid8 order by audit.xid, id limit $3`,
    [from, below, MOST],
    { name: 'operator.read_acts' },
  );
  if (actions.length < MOST) return { rows: actions, upto: below, isAll: true };
  const last = actions.at(-1)?.xid as string;
  return { rows: actions.filter(({ xid }) => xid !== last), upto: last, isAll: false };
}

/** The chain of all actions. */
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
 * Seals all actions that are complete, and raises an alarm for each that isn't what was written; gives how many were sealed.
 * Another process may do the same: one of the two seals, the other finds it done.
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

/** What a proof of the audit came to. */
export interface AuditProof {
  readonly faults: readonly Fault[];
  readonly actions: number;
  /** The last seal. */
  readonly proven: Proven;
}

/**
 * Proves the audit whole: each action is what was written, what is sealed stands as it was sealed, and the chain reaches as
 * far as was noted. The note has to be read before the database is.
 */
export async function proveAudit(db: Statements, noted?: ReturnType<SealNote['read']>): Promise<AuditProof> {
  const proof = await proveAuditFrom(db, FIRST);
  const words = await noteFault(db, ACTIONS, noted);
  const cut: readonly Fault[] = words === undefined ? [] : [{ check: 'audit', account: 'the chain', words }];
  return { ...proof, faults: [...proof.faults, ...cut] };
}

/** Proves the audit from a proven seal on, and that this seal is unchanged; searches all of it for actions without a MAC. */
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

/** Accuses actions without a mark: we did not write them. */
async function unmarkedFaults(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string }>('select id from audit where xid is null or mac is null limit 20');
  return rows.map(({ id }) => ({ check: 'audit', account: `action ${id}`, words: 'has no mark: we did not write it' }));
}

/** Raises an alarm where the chain does not hold the seal that was noted last: its end was cut off, or changed. */
export const checkAuditNote = (db: Statements, note: SealNote): Promise<boolean> => checkChainNote(db, ACTIONS, note);
