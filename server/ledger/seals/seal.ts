// Seals journals, in the order of their transactions. Raises an alarm at once for a wrong MAC.

import { type Db, type Statements, alarmOnce, log } from '../../platform/index.ts';
import { type Chain, type SealNote, checkChainNote, noteSeal, sealNext } from './chain.ts';
import { type Pack, type Wrong, journalsIn, readPacks, wrongOf } from './packs.ts';

/** The chain of seals over all journals. */
export const JOURNALS: Chain<Pack, Wrong> = {
  table: 'journal_seal',
  of: 'journal_macs',
  title: 'the chain of seals',
  purpose: 'seal',
  read: readPacks,
  lineOf: ({ xid, pack, legs }) => `${xid} ${pack}\n${legs}`,
  wrongOf: (packs) => packs.flatMap(wrongOf),
  countsOf: (packs, wrong) => ({ journals: journalsIn(packs), wrong: wrong.length }),
};

/**
 * Seals all journals of completed transactions, and raises an alarm for each journal that was changed or deleted. Returns the
 * number of sealed journals. Several processes may call it: each journal is sealed once.
 */
export async function sealJournals(db: Db, note?: SealNote): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealNext(db, JOURNALS);
    if (!sealed) return total;
    if (note) await noteSeal(db, JOURNALS, note, sealed.seal);
    total += journalsIn(sealed.rows);
    for (const { journal, isGone } of sealed.wrong)
      log.alarm('a posted journal was altered', {
        journal,
        reason: isGone ? 'it was deleted' : 'its MAC is wrong',
      });
    if (sealed.isAll) return total;
  }
}

// SQL: journals of the last two minutes without a MAC. `except` takes the same time per journal for any number of journals.
// Looking up each journal in the packs would not.
const STRANGERS = `
  select journal from posting where at >= (select clock_now() - interval '2 minutes')
  except
  select journal from journal_mac where xid >=
    coalesce((select upto from journal_seal where at < (select clock_now() - interval '3 minutes') order by number desc limit 1), '0')
  limit 100`;

const reportStranger = alarmOnce('a posted journal was altered');

/**
 * Raises an alarm for each journal of the last two minutes that has no MAC, once per journal. Such journals were not posted by
 * us.
 */
export async function findStrangers(db: Statements): Promise<void> {
  for (const { journal } of await db.rows<{ journal: string }>(STRANGERS, [], { name: 'ledger.strangers' }))
    reportStranger(journal, { journal, reason: 'it has no MAC' });
}

/**
 * Raises an alarm if the chain of seals lacks the seal in the note, since its end was cut off or changed. Returns true if the
 * chain has this seal.
 */
export const checkNote = (db: Statements, note: SealNote): Promise<boolean> => checkChainNote(db, JOURNALS, note);
