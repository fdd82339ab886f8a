/**
 * The part of Protocol Buffers (protobuf.dev, "Encoding") that TRON transactions use: varints and byte strings. Fields are
 * written in the given order, which must be ascending, without defaults, as generated encoders do. So equal messages have
 * equal bytes.
 */

/** Number and value of a field: an integer, or bytes in hexadecimal. */
export type Field = readonly [number: number, value: bigint | string];

/** Writes a message, in hexadecimal, without zero and empty values, which are defaults. */
export function writeMessage(fields: readonly Field[]): string {
  return fields
    .filter(([, value]) => value !== 0n && value !== '')
    .map(([number, value]) =>
      typeof value === 'bigint'
        ? varint(BigInt(number) << 3n) + varint(value)
        : varint((BigInt(number) << 3n) | 2n) + varint(BigInt(value.length / 2)) + value,
    )
    .join('');
}

function varint(value: bigint): string {
  let hex = '';
  let rest = value;
  do {
    const seven = rest & 0x7fn;
    rest >>= 7n;
    hex += (rest === 0n ? seven : seven | 0x80n).toString(16).padStart(2, '0');
  } while (rest !== 0n);
  return hex;
}

/** Reads a message of varints and byte strings. Throws an Error for other kinds of fields, and for truncated bytes. */
export function readMessage(hex: string): Field[] {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new Error('no bytes');
  const bytes = Buffer.from(hex, 'hex');
  const fields: Field[] = [];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('bytes that end too early');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a number of too many bytes');
  };
  while (at < bytes.length) {
    const key = next();
    const number = Number.parseInt((key >> 3n).toString(), 10);
    if ((key & 7n) === 0n) fields.push([number, next()]);
    else if ((key & 7n) === 2n) {
      const length = next();
      if (length > BigInt(bytes.length - at)) throw new Error('bytes that end too early');
      const end = at + Number.parseInt(length.toString(), 10);
      fields.push([number, bytes.toString('hex', at, end)]);
      at = end;
    } else throw new Error('a kind of field that no transaction has');
  }
  return fields;
}
