import assert from 'node:assert/strict';
import type { Db } from '../../platform/index.ts';
import { addOperator, authenticate } from './people.ts';
import type { Person, Role } from './roles.ts';

/** Adds a person to the desk and returns them as if authenticated. For tests. */
export async function addPerson(db: Db, name: string, role: Role = 'operator'): Promise<Person> {
  const { key } = await db.tx((tx) => addOperator(tx, name, role));
  return (await authenticate(db, key)) ?? assert.fail(`${name} was added and is not known`);
}
