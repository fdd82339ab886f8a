// Pictures of stores, which buyers see: drawn again, square, and read under a random name.

import { randomBytes } from 'node:crypto';
import { type Db, type Picture, type PictureType, type Statements, redrawPicture } from '../../platform/index.ts';
import type { Store } from './store.ts';
import { lockStore, saveStore } from './store-rows.ts';

const KEY = /^[\w-]{43}$/;
/** Side of a stored picture, in pixels. */
const MARK_SIDE = 256;

/** Stores a picture of a store in place of the present one. Throws the errors of `redrawPicture` at `mark`. */
export async function setMark(db: Db, storeId: string, sent: Buffer): Promise<Store> {
  const { type, bytes } = await redrawPicture(sent, { field: 'mark', side: MARK_SIDE, isSquare: true });
  const key = randomBytes(32).toString('base64url');
  return db.tx(async (tx) => {
    const store = { ...(await lockStore(tx, storeId)), mark: key };
    await saveStore(tx, store);
    await tx.run(
      `insert into store_mark (key, store_id, type, bytes, at) values ($1, $2, $3, $4, $5)
       on conflict (store_id) do update set key = excluded.key, type = excluded.type, bytes = excluded.bytes, at = excluded.at`,
      [key, storeId, type, bytes, tx.now],
    );
    return store;
  });
}

/** Removes the picture of a store, if there is one. */
export async function dropMark(db: Db, storeId: string): Promise<Store> {
  return db.tx(async (tx) => {
    const store = { ...(await lockStore(tx, storeId)), mark: undefined };
    await saveStore(tx, store);
    await tx.run('delete from store_mark where store_id = $1', [storeId]);
    return store;
  });
}

/** Returns the picture whose URL contains this key; undefined for an unknown key. */
export async function readMark(db: Statements, key: string): Promise<Picture | undefined> {
  if (!KEY.test(key)) return undefined;
  return db.row<{ type: PictureType; bytes: Buffer }>('select type, bytes from store_mark where key = $1', [key]);
}
