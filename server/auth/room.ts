import { Problem } from '@kurs/contract';
import type { Context, Db, User } from '../platform/index.ts';
import type { CheckBot } from './mailed-code.ts';
import type { LevelOf } from './shown-user.ts';

/** What the room's calls need of others. */
export interface AuthDeps {
  readonly db: Db;
  /** The desk's name, which letters are signed with. */
  readonly name: string;
  readonly checkBot: CheckBot;
  readonly levelOf: LevelOf;
}

/** The account holder of a call that only account holders may make. */
export function userOf({ user }: Context): User {
  if (!user) throw new Problem('unauthorised');
  return user;
}
