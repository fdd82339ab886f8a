// Detects the type of a picture by its first bytes, since names and headers can't be trusted. Pure.
//
// PNG: W3C PNG (Third Edition) §5.2 · JPEG: ITU-T T.81 Annex B · WebP: RFC 9649 §2.4

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the type of a picture; undefined for anything else. The rest of the picture may still be invalid. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  const starts = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.length > 4 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return undefined;
}
