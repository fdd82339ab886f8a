import { createHash, randomBytes } from 'node:crypto';
import { type DeskKey, type Statements, type Tx, storeDeskKeys, newId } from '../../platform/index.ts';
import type { Person, Role } from './roles.ts';
import { addPerson, personByKey, personByName, recordAction, replaceKey, revokePerson } from './store.ts';

const SANDBOX_DESK: readonly { readonly name: string; readonly role: Role }[] = [
  { name: 'olga', role: 'operator' },
  { name: 'oleg', role: 'operator' },
  { name: 'clara', role: 'compliance' },
  { name: 'karl', role: 'compliance' },
];

/**
 * Returns the fingerprint of a key, which people compare by reading it to each other. The database finds a key by an HMAC of this
 * fingerprint.
 */
export const fingerprintOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Returns the person who holds a key; undefined if nobody does. */
export function authenticate(db: Statements, key: string): Promise<Person | undefined> {
  return personByKey(db, fingerprintOf(key));
}

/**
 * Adds a person from the machine's own console, and records that in the audit. Returns the new key, which is shown only this
 * once.
 */
export async function addOperator(tx: Tx, name: string, role: Role): Promise<DeskKey> {
  const key = newKey();
  await addPerson(tx, { name, role, fingerprint: fingerprintOf(key) });
  await recordAtConsole(tx, 'hire', name, { role, fingerprint: fingerprintOf(key).toString('hex') });
  return { name, role, key };
}

/** Adds a person as `addOperator` does. Returns undefined if the name is taken by a present or former person. */
export async function addOperatorAtConsole(tx: Tx, name: string, role: Role): Promise<DeskKey | undefined> {
  return (await personByName(tx, name)) ? undefined : addOperator(tx, name, role);
}

const newKey = (): string => `kurs_op_${randomBytes(32).toString('base64url')}`;

/**
 * Replaces a person's key from the machine's own console, and records that in the audit. Returns undefined for an unknown person.
 */
export async function rotate(tx: Tx, name: string): Promise<DeskKey | undefined> {
  const person = await personByName(tx, name);
  if (!person?.isActive) return undefined;
  const key = newKey();
  await replaceKey(tx, name, fingerprintOf(key));
  await recordAtConsole(tx, 'rotate', name, { fingerprint: fingerprintOf(key).toString('hex') });
  return { name, role: person.role, key };
}

/** Revokes a person's key from the machine's own console, and records that in the audit. Returns false for an unknown person. */
export async function leave(tx: Tx, name: string): Promise<boolean> {
  const person = await personByName(tx, name);
  if (!person?.isActive) return false;
  await revokePerson(tx, name);
  await recordAtConsole(tx, 'revoke', name);
  return true;
}

const recordAtConsole = (tx: Tx, action: string, subject: string, body: Readonly<Record<string, string>> = {}): Promise<void> =>
  recordAction(tx, {
    id: newId(),
    by: 'console',
    action,
    subject,
    reason: 'at the machine’s own console',
    outcome: 'done',
    body,
  });

/**
 * Adds the sandbox's desk: two operators and two compliance officers. Their keys are stored on this machine for the desk's tool.
 */
export async function seedSandboxDesk(tx: Tx, dataFolder: string): Promise<void> {
  const keys: DeskKey[] = [];
  for (const { name, role } of SANDBOX_DESK) keys.push(await addOperator(tx, name, role));
  await storeDeskKeys(dataFolder, keys);
}
