/**
 * Mail parsed far enough to show it (RFC 5322, MIME: RFC 2045–2047): subject, plain text and HTML. Malformed parts are read as
 * well as possible; parsing never throws.
 */
interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const MAX_PARTS = 50;

/** Parses a raw message. */
export function readMail(raw: Buffer): Mail {
  const whole = split(raw);
  const leaves = leavesOf(whole, { left: MAX_PARTS });
  const first = (type: string): string => {
    const leaf = leaves.find((part) => mediaType(part).type === type);
    return leaf ? textOf(leaf) : '';
  };
  return { subject: decodeWords(whole.headers.get('subject') ?? ''), text: first('text/plain'), html: first('text/html') };
}

function split(raw: Buffer): Part {
  const end = /(?:^|\r?\n)\r?\n/.exec(raw.toString('latin1'));
  const head = raw.subarray(0, end?.index ?? raw.length).toString('utf8');
  const body = end ? raw.subarray(end.index + end[0].length) : Buffer.alloc(0);
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : [];
  });
  // The first of several equal headers counts.
  return { headers: new Map(headers.toReversed()), body };
}

function leavesOf(part: Part, budget: { left: number }): Part[] {
  budget.left -= 1;
  const { type, boundary } = mediaType(part);
  if (!type.startsWith('multipart/') || boundary === undefined || budget.left <= 0) return [part];
  const text = part.body.toString('latin1');
  const pieces = text.split(new RegExp(`(?:^|\\r?\\n)--${boundary.replace(/[^\w]/g, '\\$&')}(?:--)?[ \\t]*(?=\\r?\\n|$)`));
  return pieces.slice(1, -1).flatMap((piece) => leavesOf(split(Buffer.from(piece.replace(/^\r?\n/, ''), 'latin1')), budget));
}

function mediaType({ headers }: Part): { type: string; charset: string; boundary: string | undefined } {
  const value = headers.get('content-type') ?? 'text/plain';
  const parameter = (name: string): string | undefined =>
    new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(value)?.slice(1).find(Boolean);
  return {
    type: value.split(';')[0]?.trim().toLowerCase() ?? '',
    charset: parameter('charset') ?? 'utf-8',
    boundary: parameter('boundary'),
  };
}

function textOf(part: Part): string {
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(part.body.toString('latin1'), 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(part.body.toString('latin1').replace(/=[ \t]*\r?\n/g, ''))
        : part.body;
  return decode(bytes, mediaType(part).charset).replaceAll('\r\n', '\n').trimEnd();
}

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/** Decodes the encoded words of a header (RFC 2047). White space between two of them is removed. */
function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?([^?\s]+)\?([BbQq])\?([^?\s]*)\?=/g, (_, charset: string, encoding: string, encoded: string) =>
      decode(
        encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quotedPrintable(encoded.replaceAll('_', ' ')),
        charset,
      ),
    );
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
