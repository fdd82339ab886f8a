// Pictures that people send us: PNG, JPEG or WebP by their bytes, drawn, made small, and written anew. Places, notes, previews,
// profiles and whatever hides behind the end or between the parts are not in what is kept.

import { fieldProblem } from '@kurs/contract';
import { type PictureType, pictureType } from '../../platform/index.ts';

/** A picture that is safe to show. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

/** Bytes of a picture as it is sent, at most. */
export const PICTURE_BYTES = 2 * 1024 * 1024;
/** Pixels a side of a picture that is sent: few bytes may unpack to many. */
const MOST_SIDE = 4_096;
/** Pixels a side of a picture that is kept. */
const KEPT_SIDE = 512;
/** One that takes longer to draw was made for that. */
const DRAW_SECONDS = 10;

let last: Promise<unknown> = Promise.resolve();

/**
 * The picture drawn anew, the right way up; of a moving one its first frame. Throws `validation` at `avatar` for what is no
 * such picture, broken, or too large. One after the other: an unpacked picture is large, and passwords are checked by the
 * same threads.
 */
export async function redrawPicture(bytes: Buffer): Promise<Picture> {
  if (!pictureType(bytes)) throw fieldProblem('avatar', 'picture_format');
  const drawn = last.then(() => redraw(bytes));
  last = drawn.catch(() => {});
  return drawn;
}

async function redraw(bytes: Buffer): Promise<Picture> {
  const sharp = await library();
  const { width, height } = await readable(sharp(bytes, { limitInputPixels: false }).metadata());
  if (Math.max(width, height) > MOST_SIDE) throw fieldProblem('avatar', 'picture_sides', { most: String(MOST_SIDE) });
  const small = sharp(bytes, { limitInputPixels: MOST_SIDE * MOST_SIDE })
    .timeout({ seconds: DRAW_SECONDS })
    .autoOrient()
    .resize(KEPT_SIDE, KEPT_SIDE, { fit: 'inside', withoutEnlargement: true });
  return { type: 'image/webp', bytes: await readable(small.webp().toBuffer()) };
}

/** What the library makes of a picture; it throws where that can't be read to its end. */
const readable = async <T>(made: Promise<T>): Promise<T> =>
  made.catch(() => {
    throw fieldProblem('avatar', 'picture_format');
  });

let loaded: Promise<typeof import('sharp').default> | undefined;

/** Loaded with the first picture: until then it would only take memory. */
async function library(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    // It reads many formats, drawings and documents among them: those that aren't asked for can't be reached.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`) });
    return sharp;
  });
  return loaded;
}
