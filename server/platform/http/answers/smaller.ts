import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/**
 * Length up to which answers are not compressed, in characters. Such an answer fits into the first network packets of a
 * connection.
 */
const SHORT = 4_096;
/**
 * Brotli's quality. At this quality, Brotli takes a quarter of the time of the fastest gzip, with a smaller result. Measured
 * with the list of directions.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } as const;
const GZIP = { level: 1 } as const;
const AS_IT_IS = {};
const OTHERS_DIFFER = { vary: 'accept-encoding' };

/** A body in the form to send, maybe compressed, and the headers about the body's encoding. */
export interface Packed {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a text as the body to send. A long text is compressed if `accepted`, the caller's `accept-encoding`, allows it. */
export function smaller(text: string, accepted = ''): Packed {
  if (text.length <= SHORT) return { body: text, headers: AS_IT_IS };
  if (takesEncoding(accepted, 'br')) return packed('br', brotliCompressSync(text, BROTLI));
  if (takesEncoding(accepted, 'gzip')) return packed('gzip', gzipSync(text, GZIP));
  return { body: text, headers: OTHERS_DIFFER };
}

const packed = (encoding: string, body: Buffer): Packed => ({
  body,
  headers: { ...OTHERS_DIFFER, 'content-encoding': encoding },
});

/** Returns true if an `accept-encoding` header accepts an encoding: names it without `q=0` (RFC 9110, 12.5.3). */
export const takesEncoding = (accepted: string, encoding: 'br' | 'gzip'): boolean =>
  accepted.split(',').some((part) => {
    const [name, weight = ''] = part.toLowerCase().split(';');
    return name?.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
