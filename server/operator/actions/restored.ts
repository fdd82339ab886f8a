// Restored mode, as the desk sees and ends it.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { newestSeal } from '../../ledger/index.ts';
import { type Restore, endRestored, openRestore } from '../../payments/index.ts';
import { type Db, type Statements, newId } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { recordAction } from '../people/store.ts';
import { type Acted, actAs } from '../people/two-people.ts';

/** Whether the mode is on, and what showed it. */
export async function restoredView(db: Db): Promise<Output<Routes['operatorRestored']>> {
  const open = await openRestore(db);
  return {
    restored: open !== undefined,
    ...(open && { since: open.at.toISOString() }),
    why: open?.why.map(({ detail }) => detail) ?? [],
  };
}

/** The header that every answer to the desk has while the mode is on; none else. */
export async function restoredHeaders(db: Statements): Promise<Readonly<Record<string, string>>> {
  const open = await openRestore(db);
  return open ? { 'kurs-restored': `since ${open.at.toISOString()}` } : {};
}

/**
 * Ends the mode by two people: money may leave again. The audit keeps which ends of the chains were accepted in place of those
 * that were noted. Throws `act_not_open` where the mode is off, and what `actAs` throws.
 */
export async function endRestoredBy(
  db: Db,
  person: Person,
  { evidence, reason }: Input<Routes['operatorRestoredEnd']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const open = await openRestore(tx);
    const check = (): void => {
      if (!open) throw new Problem('act_not_open');
    };
    // Two people agree on what had shown it by then: something that is found later is looked at, too.
    const about = `${open?.why.length ?? 0} findings`;
    const said = { act: 'restored_end', subject: open?.id ?? 'none', reason, body: { evidence } };
    const wanted = { ...said, permission: 'restored.end', people: 2, about, key, check } as const;
    return actAs(tx, person, wanted, async (by) => {
      const ended = await endRestored(tx, by);
      if (!ended) throw new Problem('act_not_open');
      await recordAction(tx, {
        ...{ id: newId(), by: person.name, act: 'notes_accepted', subject: ended.id, reason, outcome: 'done' },
        body: await acceptedWith(tx, ended),
      });
    });
  });
}

/** What is accepted as the ends of the chains, and what had shown that they are not those that were noted. */
async function acceptedWith(tx: Statements, { why }: Restore): Promise<object> {
  const [books, audit] = [await newestSeal(tx, { table: 'journal_seal' }), await newestSeal(tx, { table: 'audit_seal' })];
  const endOf = ({ number, digest }: typeof books): object => ({ seal: number, digest });
  return { books: endOf(books), audit: endOf(audit), instead_of: why.map(({ detail }) => detail) };
}
