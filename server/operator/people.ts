import { createHash, randomBytes } from 'node:crypto';
import { type Db, type DeskKey, type Tx, keepDeskKeys } from '../platform/index.ts';
import type { Person, Role } from './roles.ts';
import { addPerson, personByKey } from './store.ts';

const SANDBOX_DESK: readonly { readonly name: string; readonly role: Role }[] = [
  { name: 'olga', role: 'operator' },
  { name: 'oleg', role: 'operator' },
  { name: 'clara', role: 'compliance' },
  { name: 'karl', role: 'compliance' },
];

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Who holds this key; undefined when nobody does. Keys have 256 random bits, so a plain hash keeps them. */
export function authenticate(db: Db, key: string): Promise<Person | undefined> {
  return personByKey(db, hashOf(key));
}

/** Makes a person of the desk; gives the key, which is shown this once. */
export async function hire(tx: Tx, name: string, role: Role): Promise<DeskKey> {
  const key = `kurs_op_${randomBytes(32).toString('base64url')}`;
  await addPerson(tx, { name, role, keyHash: hashOf(key) });
  return { name, role, key };
}

/** The sandbox's desk: two operators and a compliance pair; their keys lie on this machine for the desk tool. */
export async function seedSandboxDesk(tx: Tx, dataFolder: string): Promise<void> {
  const keys: DeskKey[] = [];
  for (const { name, role } of SANDBOX_DESK) keys.push(await hire(tx, name, role));
  await keepDeskKeys(dataFolder, keys);
}
