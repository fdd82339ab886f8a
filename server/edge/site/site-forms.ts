// Forms of our pages that carry files.

import type { Readable } from 'node:stream';
import { FILES_OF_MESSAGE, Problem } from '@kurs/contract';

/** What a page takes: fields as a form without files would have them, and the files in base64. */
export interface FormWithFiles {
  readonly body: string;
  readonly files: readonly { readonly name: string; readonly data: string }[];
  /** More came than is taken: what was typed is here, and no file. */
  readonly filesTooLarge?: true;
}

/** A form's bytes as they came, up to the most that is taken. */
export interface ReceivedForm {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Bytes of such a form at most: what is only too large for one file is told at its field. */
export const LARGEST_FORM = FILES_OF_MESSAGE.most * FILES_OF_MESSAGE.bytes + 8 * 1024 * 1024;
/**
 * Bytes that are read of a larger one, and dropped: a browser that is cut off while it sends shows its own error page, and
 * what was typed is lost.
 */
const MOST_READ = 10 * LARGEST_FORM;
/** The pages that have one; and that which mail programs switch letters off at, who may write it so (RFC 8058, 3.2). */
const TAKES_FILES = /^\/(En|Ru)\/(contact-us(\/ticket)?|letters)(\?|$)/;
const MOST_FIELDS = 50;

/** How often one network may send files. */
export const SENT = { most: 60, seconds: 3_600 };

/** Throws `unsupported_media_type` where a page takes no files. */
export function requireTakesFiles(url: string): void {
  if (!TAKES_FILES.test(url)) throw new Problem('unsupported_media_type');
}

/** Reads a form as it comes; of one that is too large its beginning. Throws `payload_too_large` where there is no end of it. */
export async function receiveForm(body: Readable): Promise<ReceivedForm> {
  const parts: Buffer[] = [];
  let kept = 0;
  let read = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    read += part.length;
    if (read > MOST_READ) throw new Problem('payload_too_large');
    const own = part.subarray(0, LARGEST_FORM - kept);
    kept += own.length;
    if (own.length > 0) parts.push(own);
  }
  return { bytes: Buffer.concat(parts), isWhole: read === kept };
}

/**
 * A `multipart/form-data` body (RFC 7578) as a page takes it. Throws `unsupported_media_type` for what is none.
 */
export async function readForm(contentType: string, { bytes, isWhole }: ReceivedForm): Promise<FormWithFiles> {
  const whole = isWhole ? bytes : wholeParts(contentType, bytes);
  const form = await new Response(new Uint8Array(whole), { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new Problem('unsupported_media_type');
  });
  const entries = [...form].slice(0, MOST_FIELDS);
  const fields = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  // A field without a file is a file without a name and bytes.
  const files = entries.flatMap(([, value]) =>
    typeof value === 'string' || (value.name === '' && value.size === 0) ? [] : [value],
  );
  if (!isWhole) return { body: new URLSearchParams(fields).toString(), files: [], filesTooLarge: true };
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

/** The beginning of a form, closed behind its last part that came as a whole. */
function wholeParts(contentType: string, bytes: Buffer): Buffer {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? '';
  if (boundary === '') throw new Problem('unsupported_media_type');
  const end = Math.max(0, bytes.lastIndexOf(`\r\n--${boundary}`));
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${end === 0 ? '' : '\r\n'}--${boundary}--\r\n`)]);
}
