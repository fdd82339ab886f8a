// An account's profile and picture.

import { randomBytes } from 'node:crypto';
import type { Locale } from '@kurs/contract';
import { type Db, type Picture, type PictureType, type Statements, redrawPicture } from '../../platform/index.ts';

/** A change of the profile. Fields that are left out stay unchanged. */
export interface ProfileChange {
  readonly name?: string | undefined;
  readonly locale?: Locale | undefined;
  readonly timezone?: string | undefined;
  readonly hasProgressLetters?: boolean | undefined;
}

const KEY = /^[\w-]{43}$/;
/** Maximum side of a stored picture, in pixels. */
const AVATAR_SIDE = 512;

/** Changes an account's profile. */
export async function updateProfile(db: Statements, holderId: string, change: ProfileChange): Promise<void> {
  const { name, locale, timezone, hasProgressLetters } = change;
  await db.run(
    `update account_holder set name = coalesce($2, name), locale = coalesce($3, locale), timezone = coalesce($4, timezone),
       has_progress_letters = coalesce($5, has_progress_letters) where id = $1`,
    [holderId, name?.trim() ?? null, locale ?? null, timezone ?? null, hasProgressLetters ?? null],
  );
}

/** Returns the ids, among those given, of account holders who want no letters about an order's steps. */
export async function withoutProgressLetters(db: Statements, holderIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string }>('select id from account_holder where id = any ($1) and not has_progress_letters', [
    holderIds,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the time zones of account holders, by their ids. */
export async function timezonesOf(db: Statements, holderIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (holderIds.length === 0) return new Map();
  const rows = await db.rows<{ id: string; timezone: string }>('select id, timezone from account_holder where id = any ($1)', [
    holderIds,
  ]);
  return new Map(rows.map(({ id, timezone }) => [id, timezone]));
}

/** Stores a picture, under a random key for its URL, in place of the previous picture. Throws the errors of `redrawPicture`. */
export async function storeAvatar(db: Db, holderId: string, sent: Buffer): Promise<void> {
  const { type, bytes } = await redrawPicture(sent, { field: 'avatar', side: AVATAR_SIDE });
  const key = randomBytes(32).toString('base64url');
  await db.tx(async (tx) => {
    await tx.run('update account_holder set avatar_key = $2 where id = $1', [holderId, key]);
    await tx.run(
      `insert into avatar (key, holder_id, type, bytes, at) values ($1, $2, $3, $4, $5)
       on conflict (holder_id) do update set key = excluded.key, type = excluded.type, bytes = excluded.bytes, at = excluded.at`,
      [key, holderId, type, bytes, tx.now],
    );
  });
}

/** Removes the account's picture, if any. */
export async function dropAvatar(db: Db, holderId: string): Promise<void> {
  await db.tx(async (tx) => {
    await tx.run('update account_holder set avatar_key = null where id = $1', [holderId]);
    await tx.run('delete from avatar where holder_id = $1', [holderId]);
  });
}

/** Returns the picture whose URL contains this key; undefined for an unknown key. */
export async function readAvatar(db: Statements, key: string): Promise<Picture | undefined> {
  if (!KEY.test(key)) return undefined;
  return db.row<{ type: PictureType; bytes: Buffer }>('select type, bytes from avatar where key = $1', [key]);
}
