import type { Db, Sealer } from '../platform/index.ts';
import type { CheckBot } from './mailed-code.ts';
import type { LevelOf } from './shown-user.ts';

/** What the room's calls need of others. */
export interface AuthDeps {
  readonly db: Db;
  /** The desk's name, which letters are signed with. */
  readonly name: string;
  /** Seals the secrets of second factors. */
  readonly sealer: Sealer;
  readonly checkBot: CheckBot;
  readonly levelOf: LevelOf;
}

/** Tries of the current password by whoever is signed in. */
export const CURRENT_PASSWORD = { most: 10, seconds: 900 };
