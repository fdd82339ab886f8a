// Blocks: people's decisions to take nothing from a customer and to send nothing to them. A block stops customers who have one of
// its keys as a proven key. If a customer only typed such a key, a person must check their action, as with debts.

import { type Problem, fieldProblem } from '@kurs/contract';
import { holderByEmail, holderById } from '../../auth/index.ts';
import { type Statements, type Tx, canonicalEmail, newId } from '../../platform/index.ts';
import { OPEN_BLOCK } from './debts.ts';

/** An open block. */
export interface Block {
  readonly id: string;
  readonly who: string;
  readonly by: string;
  readonly reason: string;
  readonly evidence: string;
  readonly since: Date;
  /** Time at which the block ends automatically; null for a block without end. */
  readonly until: Date | null;
  readonly keys: readonly string[];
}

/** A new block: the customer, their keys, the reason and the end. */
export type NewBlock = Pick<Block, 'who' | 'by' | 'reason' | 'evidence' | 'keys'> & { readonly until?: Date | undefined };

const KEY = /^(holder:[0-9a-f-]{36}|email:.+@.+|device:.+|account:[A-Z0-9_]+:.+|net:[0-9a-f.:]+\/\d+)$/;

/**
 * Returns the keys of a customer whom the desk names by e-mail or by one of their keys (the command `debts` shows keys). For an
 * account holder, returns all proven keys of the account. Throws `validation` on `who` for any other text.
 */
export async function keysOfNamed(db: Statements, who: string): Promise<string[]> {
  const named = who.includes('@') && !KEY.test(who) ? `email:${who}` : who;
  if (!KEY.test(named)) throw unknownWho();
  const [kind, rest] = [named.slice(0, named.indexOf(':')), named.slice(named.indexOf(':') + 1)];
  if (kind !== 'email' && kind !== 'holder') return [named];
  const holder = kind === 'email' ? await holderByEmail(db, rest) : await holderById(db, rest);
  if (!holder) {
    if (kind === 'holder') throw unknownWho();
    return [`email:${canonicalEmail(rest)}`];
  }
  return [`holder:${holder.id}`, `email:${canonicalEmail(holder.email)}`];
}

const unknownWho = (): Problem => fieldProblem('who', 'wrong_value');

/** Blocks a customer. If an open block has the same `who`, adds the keys to that block and replaces its end. */
export async function addBlock(tx: Tx, { who, by, reason, evidence, keys, until }: NewBlock): Promise<void> {
  const row = await tx.row<{ id: string }>(
    `insert into block (id, who, by, reason, evidence, since, until) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (who) where lifted_at is null do update set until = excluded.until returning id`,
    [newId(), who, by, reason, evidence, tx.now, until ?? null],
  );
  await tx.run('insert into block_key (block_id, key) select $1, unnest($2::text[]) on conflict do nothing', [row?.id, keys]);
}

/** Lifts a block. */
export async function liftBlock(tx: Tx, id: string, by: string): Promise<void> {
  await tx.run('update block set lifted_by = $2, lifted_at = $3 where id = $1 and lifted_at is null', [id, by, tx.now]);
}

const BLOCKS = `select id, who, by, reason, evidence, since, until,
  array(select key from block_key where block_id = block.id order by key) as keys from block`;

/** Returns the open blocks, newest first. With `who`, returns only the block of the customer whom the desk named so. */
export async function openBlocks(db: Statements, who?: string): Promise<Block[]> {
  return db.rows<Block>(`${BLOCKS} where ${OPEN_BLOCK} and ($1::text is null or who = $1) order by since desc, id`, [
    who ?? null,
  ]);
}

/** Returns all blocks that nobody has lifted, including those that have ended automatically. */
export const blocksNotLifted = (db: Statements): Promise<Block[]> => db.rows<Block>(`${BLOCKS} where lifted_at is null`);
