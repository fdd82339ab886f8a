// Reads forms with files that the site's pages post.

import type { Readable } from 'node:stream';
import { FILES_OF_MESSAGE, Problem } from '@kurs/contract';

/** A form as a page receives it: its fields as in a form without files, and the files in base64. */
export interface FormWithFiles {
  readonly body: string;
  readonly files: readonly { readonly name: string; readonly data: string }[];
  /** True if the form was too large. Then the form has its fields, but no files. */
  readonly hasTooLargeFiles?: true;
}

/** Bytes of a form as received, cut at the limit. */
export interface ReceivedForm {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/**
 * Largest form that is parsed, in bytes. It exceeds the limit of the files, so that a page can report a too large file at its
 * field.
 */
export const LARGEST_FORM = FILES_OF_MESSAGE.max * FILES_OF_MESSAGE.bytes + 8 * 1024 * 1024;
/**
 * Maximum bytes of a form that are read; those beyond `LARGEST_FORM` are dropped. A browser whose upload is cut off shows its own
 * error page, and the customer loses the typed text.
 */
const MAX_READ = 10 * LARGEST_FORM;
/**
 * Matches pages with a form with files. Also matches the page where mail programs unsubscribe, which may send the same type of
 * body (RFC 8058, 3.2).
 */
const TAKES_FILES = /^\/(En|Ru)\/(contact-us(\/ticket)?|letters)(\?|$)/;
const MAX_FIELDS = 50;

/** Maximum number (`max`) of forms with files from one network within `seconds`. */
export const SENT = { max: 60, seconds: 3_600 };

/** Throws `unsupported_media_type` if the page at `url` accepts no files. */
export function requireTakesFiles(url: string): void {
  if (!TAKES_FILES.test(url)) throw new Problem('unsupported_media_type');
}

/**
 * Reads a form as it arrives. Of a form above `LARGEST_FORM`, only the beginning is stored. Throws `payload_too_large` for one
 * above `MAX_READ`.
 */
export async function receiveForm(body: Readable): Promise<ReceivedForm> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let read = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    read += part.length;
    if (read > MAX_READ) throw new Problem('payload_too_large');
    const own = part.subarray(0, LARGEST_FORM - bytes);
    bytes += own.length;
    if (own.length > 0) parts.push(own);
  }
  return { bytes: Buffer.concat(parts), isWhole: read === bytes };
}

/** Parses a `multipart/form-data` body (RFC 7578). Throws `unsupported_media_type` for any other. */
export async function readForm(contentType: string, { bytes, isWhole }: ReceivedForm): Promise<FormWithFiles> {
  const whole = isWhole ? bytes : wholeParts(contentType, bytes);
  const form = await new Response(new Uint8Array(whole), { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new Problem('unsupported_media_type');
  });
  const entries = [...form].slice(0, MAX_FIELDS);
  const fields = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  // An empty file field arrives as a file without name and bytes.
  const files = entries.flatMap(([, value]) =>
    typeof value === 'string' || (value.name === '' && value.size === 0) ? [] : [value],
  );
  if (!isWhole) return { body: new URLSearchParams(fields).toString(), files: [], hasTooLargeFiles: true };
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

/** Returns a cut form as a valid one: its complete parts and an end mark. */
function wholeParts(contentType: string, bytes: Buffer): Buffer {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? '';
  if (boundary === '') throw new Problem('unsupported_media_type');
  const end = Math.max(0, bytes.lastIndexOf(`\r\n--${boundary}`));
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${end === 0 ? '' : '\r\n'}--${boundary}--\r\n`)]);
}
