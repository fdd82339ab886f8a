import { type KeyObject, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Certificate authority of the counterpart, and the certificate that signs its messages, as PEM. */
export interface Authority {
  readonly root: string;
  /** Signing certificate, as its address returns it. */
  readonly certificate: string;
  readonly key: string;
}

/** Creates keys and certificates for a name. They are valid for ten years, from a day before `from`. */
export function makeAuthority(name: string, from = Date.now()): Authority {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  // PayPal's algorithm is SHA256withRSA.
  const leaf = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const rootName = 'Kurs sandbox authority';
  const rootCertificate = certificateOf({
    subject: rootName,
    issuer: rootName,
    key: root,
    signer: root,
    extension: IS_AUTHORITY,
    from,
  });
  const certificate = certificateOf({
    subject: name,
    issuer: rootName,
    key: leaf,
    signer: root,
    extension: namedExtension(name),
    from,
  });
  return { root: rootCertificate, certificate, key: leaf.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Encodes DER (X.690): a tag, a length, and the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length =
    size < 0x80 ? Buffer.from([size]) : size < 0x100 ? Buffer.from([0x81, size]) : Buffer.from([0x82, size >> 8, size & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => der(0x04, content);
const TRUE = der(0x01, Buffer.from([0xff]));

/** ecdsa-with-SHA256 (RFC 5758, 1.2.840.10045.4.3.2): the authority's signature algorithm. */
const ALGORITHM = sequence(identifier('2a8648ce3d040302'));
/** basicConstraints (2.5.29.19), critical: may issue. */
const IS_AUTHORITY = sequence(identifier('551d13'), TRUE, octets(sequence(TRUE)));
/** subjectAltName (2.5.29.17) with one DNS name. */
const namedExtension = (name: string): Buffer =>
  sequence(identifier('551d11'), octets(sequence(der(0x82, Buffer.from(name, 'ascii')))));
/** Encodes a name with one commonName (2.5.4.3). */
const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(text, 'utf8')))));
/** Encodes a UTCTime, which is defined for years up to 2049. */
const timeOf = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`, 'ascii'));

interface Terms {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly extension: Buffer;
  readonly from: number;
}

/** Returns an X.509 version 3 certificate (RFC 5280 §4.1) as PEM. */
function certificateOf({ subject, issuer, key, signer, extension, from }: Terms): string {
  const serial = randomBytes(8);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x01;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ALGORITHM,
    nameOf(issuer),
    sequence(timeOf(from - 86_400_000), timeOf(from + 10 * 365 * 86_400_000)),
    nameOf(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const lines =
    sequence(body, ALGORITHM, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
