// Pictures of links, which buyers see: drawn again, and read under a random name.

import { randomBytes } from 'node:crypto';
import { type Db, type Picture, type PictureType, type Statements, redrawPicture } from '../../platform/index.ts';
import type { Link } from './link.ts';
import { lockLink, saveLink } from './link-rows.ts';

const KEY = /^[\w-]{43}$/;
/** Longest side of a stored picture, in pixels. */
const PICTURE_SIDE = 640;

type LinkOfStore = { readonly store: string; readonly id: string };

/**
 * Stores a picture of a link in place of the present one. Throws the errors of `redrawPicture` at `picture`, `link_unknown` and
 * `record_altered`.
 */
export async function setPicture(db: Db, { store, id }: LinkOfStore, sent: Buffer): Promise<Link> {
  const { type, bytes } = await redrawPicture(sent, { field: 'picture', side: PICTURE_SIDE });
  const key = randomBytes(32).toString('base64url');
  return db.tx(async (tx) => {
    const link = { ...(await lockLink(tx, store, id)), picture: key };
    await saveLink(tx, link);
    await tx.run(
      `insert into store_link_picture (key, link_id, type, bytes, at) values ($1, $2, $3, $4, $5)
       on conflict (link_id) do update set key = excluded.key, type = excluded.type, bytes = excluded.bytes, at = excluded.at`,
      [key, id, type, bytes, tx.now],
    );
    return link;
  });
}

/** Removes the picture of a link, if there is one. Throws `link_unknown` and `record_altered`. */
export async function dropPicture(db: Db, { store, id }: LinkOfStore): Promise<Link> {
  return db.tx(async (tx) => {
    const link = { ...(await lockLink(tx, store, id)), picture: undefined };
    await saveLink(tx, link);
    await tx.run('delete from store_link_picture where link_id = $1', [id]);
    return link;
  });
}

/** Returns the picture whose URL contains this key; undefined for an unknown key. */
export async function readPicture(db: Statements, key: string): Promise<Picture | undefined> {
  if (!KEY.test(key)) return undefined;
  return db.row<{ type: PictureType; bytes: Buffer }>('select type, bytes from store_link_picture where key = $1', [key]);
}
