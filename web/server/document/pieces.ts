/**
 * A page as it is put together: text that is its own, and bytes that stand in many pages. Those are the very same object
 * each time, so that anyone who sends pages can keep them compressed.
 */
export type Piece = string | Uint8Array;

/** Shorter ones are cheaper made again than kept apart. */
const KEPT_LENGTH = 1_300;

let scratch = Buffer.allocUnsafe(1 << 16);

/** As `Buffer.from`, which goes through the text once more to measure it: a character takes three bytes at most. */
export function encode(text: string): Uint8Array {
  if (scratch.length < text.length * 3) scratch = Buffer.allocUnsafe(text.length * 3);
  return Buffer.from(scratch.subarray(0, scratch.write(text)));
}

/** A text that will stand in more pages, as the piece to keep. */
export const keepable = (text: string): Piece => (text.length < KEPT_LENGTH ? text : encode(text));

/** All of a page encoded, texts that follow each other as one. */
export function encodePieces(pieces: readonly Piece[]): Uint8Array[] {
  const encoded: Uint8Array[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    if (text !== '') encoded.push(encode(text));
    text = '';
    encoded.push(piece);
  }
  if (text !== '') encoded.push(encode(text));
  return encoded;
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** JSON that can stand in a `<script>` element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => JSON_ESCAPES[character] as string);
}

const written = new WeakMap<object, Piece>();

/**
 * The same of an object of objects, as a page's data is: what stands in it two levels down and is the very same object as
 * before (the currencies, the directions of a set of rates) is not written again.
 */
export function jsonPieces(value: Readonly<Record<string, unknown>>, levels = 2): Piece[] {
  const pieces: Piece[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    pieces.push(`${pieces.length === 0 ? '{' : ','}${escapeJson(name)}:`, ...memberPieces(member, levels));
  }
  return pieces.length === 0 ? ['{}'] : [...pieces, '}'];
}

function memberPieces(member: unknown, levels: number): Piece[] {
  if (typeof member !== 'object' || member === null) return [escapeJson(member)];
  if (levels > 0 && !Array.isArray(member)) return jsonPieces(member as Record<string, unknown>, levels - 1);
  const known = written.get(member) ?? keepable(escapeJson(member));
  written.set(member, known);
  return [known];
}
