// Forms of our pages that carry files.

import { FILES_OF_MESSAGE, Problem } from '@kurs/contract';

/** What a page takes: fields as a form without files would have them, and the files in base64. */
export interface FormWithFiles {
  readonly body: string;
  readonly files: readonly { readonly name: string; readonly data: string }[];
}

/** Bytes of such a form at most: what is only too large for one file is told at its field. */
export const LARGEST_FORM = FILES_OF_MESSAGE.most * FILES_OF_MESSAGE.bytes + 8 * 1024 * 1024;
/** The pages that have one. */
const TAKES_FILES = /^\/(En|Ru)\/contact-us(\/ticket)?(\?|$)/;
const MOST_FIELDS = 50;

/** How often one network may send files. */
export const SENT = { most: 60, seconds: 3_600 };

/** Throws `unsupported_media_type` where a page takes no files. */
export function requireTakesFiles(url: string): void {
  if (!TAKES_FILES.test(url)) throw new Problem('unsupported_media_type');
}

/**
 * A `multipart/form-data` body (RFC 7578) as a page takes it. Throws `unsupported_media_type` for what is none.
 */
export async function readForm(contentType: string, bytes: Buffer): Promise<FormWithFiles> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new Problem('unsupported_media_type');
  });
  const entries = [...form].slice(0, MOST_FIELDS);
  const fields = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  // A field without a file is a file without a name and bytes.
  const files = entries.flatMap(([, value]) =>
    typeof value === 'string' || (value.name === '' && value.size === 0) ? [] : [value],
  );
  return {
    body: new URLSearchParams(fields).toString(),
    files: await Promise.all(
      files.map(async (file) => ({
        name: file.name.slice(0, 200),
        data: Buffer.from(await file.arrayBuffer()).toString('base64'),
      })),
    ),
  };
}
