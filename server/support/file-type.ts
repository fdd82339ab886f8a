// File types, recognized by their bytes. Nothing is decoded: files are stored and only ever served as downloads.
//
// PDF: ISO 32000-1 §7.5.2, §7.5.5

import { FILES_OF_MESSAGE, type FILE_TYPES, fieldProblem } from '@kurs/contract';
import { pictureType } from '../platform/index.ts';

export type FileType = (typeof FILE_TYPES)[number];

/** A file as stored. */
export interface StoredFile {
  readonly name: string;
  readonly type: FileType;
  readonly bytes: Buffer;
}

/**
 * Checks uploaded files and returns them for storing. Throws `validation` at `files` for a file that is empty, too large, or by
 * its bytes neither a picture nor a PDF.
 */
export function storedFiles(sent: readonly { readonly name: string; readonly data: string }[]): StoredFile[] {
  return sent.map(({ name, data }) => {
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length === 0) throw fieldProblem('files', 'file_empty');
    if (bytes.length > FILES_OF_MESSAGE.bytes)
      throw fieldProblem('files', 'file_large', { max: String(FILES_OF_MESSAGE.bytes / 1024 / 1024) });
    const type = typeOf(bytes);
    if (!type) throw fieldProblem('files', 'file_format', { name: plainName(name) || '?' });
    return { name: plainName(name) || `file.${ENDINGS[type]}`, type, bytes };
  });
}

const ENDINGS: Readonly<Record<FileType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};
/** Number of bytes at the end of a PDF within which its end mark must stand. */
const PDF_END = 1_024;

function typeOf(bytes: Buffer): FileType | undefined {
  const picture = pictureType(bytes);
  if (picture) return picture;
  if (/^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8)) && bytes.subarray(-PDF_END).includes('%%EOF'))
    return 'application/pdf';
  return undefined;
}

const LONGEST_NAME = 80;

/**
 * Returns a safe file name: without folders, characters that programs or headers interpret, and marks of the writing direction.
 */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) as string;
  const plain = last.replace(/[^\p{L}\p{N} ._()-]/gu, '').replace(/^[. ]+|[. ]+$/g, '');
  return plain.length <= LONGEST_NAME ? plain : plain.slice(-LONGEST_NAME);
}
