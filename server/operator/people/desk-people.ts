// The desk's people: the list, hiring, changing a key, revoking.

import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import type { Db, Tx } from '../../platform/index.ts';
import { requireAllOf } from './desk-roles.ts';
import type { Person, Role } from './roles.ts';
import { addPerson, allPeople, keyIsTaken, personByName, replaceKey, revokePerson } from './store.ts';
import { type Acted, type Wanted, actAs } from './two-people.ts';

const permission = 'people.change';

/** Returns everybody who is, or was, of the desk. */
export async function peopleView(db: Db): Promise<Output<Routes['operatorPeople']>> {
  return (await allPeople(db)).map(({ name, role, isActive, fingerprint, keySince, revokedAt, lastAct: lastAction }) => ({
    ...{ name, role, active: isActive, fingerprint: fingerprint?.toString('hex') ?? '', key_since: keySince.toISOString() },
    ...(revokedAt && { revoked: revokedAt.toISOString() }),
    ...(lastAction && { last_act: lastAction.toISOString() }),
  }));
}

/**
 * Adds a person to the desk. Takes two people who have every permission of the new person's role. The new person makes the key
 * and gives the two people only its fingerprint, so that nobody else ever has the key. Throws `validation` if the name or the
 * key is taken, and the errors of `actAs`.
 */
export async function hireBy(
  db: Db,
  person: Person,
  { name, role, fingerprint, reason }: Input<Routes['operatorHire']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    await requireAllOf(tx, person, role);
    const check = async (): Promise<void> => {
      if (await personByName(tx, name)) throw fieldProblem('name', 'name_taken');
      await requireFreeKey(tx, fingerprint);
    };
    const wanted: Wanted = {
      action: 'hire',
      subject: name,
      reason,
      permission,
      people: 2,
      body: { role, fingerprint },
      key,
      check,
    };
    return actAs(tx, person, wanted, () => addPerson(tx, { name, role, fingerprint: hashFrom(fingerprint) }));
  });
}

/**
 * Replaces a person's key. Takes two people who have every permission of that person's role. Throws `validation` for an unknown
 * person or a taken key, and the errors of `actAs`.
 */
export async function rotateBy(
  db: Db,
  person: Person,
  { name, fingerprint, reason }: Input<Routes['operatorRotate']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const { role } = await activePerson(tx, name);
    await requireAllOf(tx, person, role);
    const check = () => requireFreeKey(tx, fingerprint);
    const wanted: Wanted = { action: 'rotate', subject: name, reason, permission, people: 2, body: { fingerprint }, key, check };
    return actAs(tx, person, wanted, () => replaceKey(tx, name, hashFrom(fingerprint)));
  });
}

/**
 * Revokes a person's key at once and cancels the person's open requests. Takes one person. Throws `validation` for an unknown
 * person, and the errors of `actAs`.
 */
export async function revokeBy(
  db: Db,
  person: Person,
  { name, reason }: Input<Routes['operatorRevoke']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const check = async () => void (await activePerson(tx, name));
    const wanted: Wanted = { action: 'revoke', subject: name, reason, permission, people: 1, body: {}, key, check };
    return actAs(tx, person, wanted, () => revokePerson(tx, name));
  });
}

async function activePerson(tx: Tx, name: string): Promise<{ readonly role: Role }> {
  const found = await personByName(tx, name);
  if (!found?.isActive) throw fieldProblem('name', 'person_unknown', { name });
  return found;
}

async function requireFreeKey(tx: Tx, fingerprint: string): Promise<void> {
  if (await keyIsTaken(tx, hashFrom(fingerprint))) throw fieldProblem('fingerprint', 'fingerprint_taken');
}

const hashFrom = (fingerprint: string): Buffer => Buffer.from(fingerprint, 'hex');
