// Pictures that people upload: PNG, JPEG or WebP, recognised by their bytes. A picture is decoded, scaled down and encoded
// again, which removes metadata (places, notes, previews, profiles) and any hidden bytes.

import { fieldProblem } from '@kurs/contract';
import { type PictureType, pictureType } from './picture-type.ts';

/** A picture that this server has encoded and may serve. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

/** Maximum size of an uploaded picture, in bytes. */
export const PICTURE_BYTES = 2 * 1024 * 1024;
/** Maximum side of an uploaded picture, in pixels. A small file may contain a huge image. */
const MAX_SIDE = 4_096;
/** Time limit for decoding, in seconds. Only a malicious picture takes longer. */
const DRAW_SECONDS = 10;

/** Form in which a picture is stored. `field`: field of the call, at which a refusal is reported. */
export interface PictureForm {
  readonly field: string;
  /** Maximum side in pixels. */
  readonly side: number;
  /** True if the picture is stored as a square of this side, with transparent margins where it is none. */
  readonly isSquare?: boolean;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Decodes a picture and encodes it again, turned upright. Uses only the first frame of an animation. Throws `validation` at the
 * field of the form for any other format, and for a broken or too large picture. Only one picture is processed at a time: a
 * decoded picture is large, and the same threads also hash passwords.
 */
export async function redrawPicture(bytes: Buffer, form: PictureForm): Promise<Picture> {
  if (!pictureType(bytes)) throw fieldProblem(form.field, 'picture_format');
  const drawn = last.then(() => redraw(bytes, form));
  last = drawn.catch(() => {});
  return drawn;
}

async function redraw(bytes: Buffer, { field, side, isSquare = false }: PictureForm): Promise<Picture> {
  const sharp = await library();
  /** Returns the library's result. Throws `validation` if the library can't read the picture. */
  const readable = async <T>(made: Promise<T>): Promise<T> =>
    made.catch(() => {
      throw fieldProblem(field, 'picture_format');
    });
  const { width, height } = await readable(sharp(bytes, { limitInputPixels: false }).metadata());
  if (Math.max(width, height) > MAX_SIDE) throw fieldProblem(field, 'picture_sides', { max: String(MAX_SIDE) });
  const upright = sharp(bytes, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    .timeout({ seconds: DRAW_SECONDS })
    .autoOrient();
  const small = isSquare
    ? upright.resize(side, side, { fit: 'contain', background: '#0000' })
    : upright.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  return { type: 'image/webp', bytes: await readable(small.webp().toBuffer()) };
}

let loaded: Promise<typeof import('sharp').default> | undefined;

/** Returns the image library. It is loaded for the first picture, to save memory until then. */
async function library(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    // The library reads many formats, including vector graphics and documents. All formats except three are blocked.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`) });
    return sharp;
  });
  return loaded;
}
