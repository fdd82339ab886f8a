import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Tx } from '../platform/index.ts';
import type { Person, Role } from './roles.ts';
import { addPerson, personByKey } from './store.ts';

/** A key with its person, as the desk tool keeps it. */
export interface NamedKey {
  readonly name: string;
  readonly role: Role;
  readonly key: string;
}

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
export async function hire(tx: Tx, name: string, role: Role): Promise<NamedKey> {
  const key = `kurs_op_${randomBytes(32).toString('base64url')}`;
  await addPerson(tx, { name, role, keyHash: hashOf(key) });
  return { name, role, key };
}

const keysFile = (dataFolder: string): string => join(dataFolder, 'keys', 'desk.json');

/** The sandbox's desk: two operators and a compliance pair; their keys lie beside the product's other keys. */
export async function seedSandboxDesk(tx: Tx, dataFolder: string): Promise<void> {
  const keys: NamedKey[] = [];
  for (const { name, role } of SANDBOX_DESK) keys.push(await hire(tx, name, role));
  await mkdir(join(dataFolder, 'keys'), { recursive: true, mode: 0o700 });
  await writeFile(keysFile(dataFolder), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
}

/** The keys that the desk tool finds on this machine; none where the file is missing. */
export async function deskKeys(dataFolder: string): Promise<NamedKey[]> {
  try {
    return JSON.parse(await readFile(keysFile(dataFolder), 'utf8')) as NamedKey[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
