// Backup of the folder of keys: one file, encrypted by a passphrase.
//
// The encryption key is derived from the passphrase by scrypt (RFC 7914). The content is sealed by AES-256-GCM (NIST SP
// 800-38D). The file begins with a head, which contains all parameters for opening the file and is authenticated, too.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/append-file.ts';

const FORM = 'kurs-keys-1';
/** Parameters of scrypt. Each guess of the passphrase takes 128 MB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 512 * 1024 * 1024;
const TAG_BYTES = 16;
/** Minimum length of a passphrase, in characters. A shorter passphrase could be guessed. */
export const MIN_PASSPHRASE = 12;

interface Head {
  readonly form: string;
  readonly scrypt: { readonly N: number; readonly r: number; readonly p: number };
  readonly salt: string;
  readonly nonce: string;
}

/** Thrown if a file is no backup of keys, if it was changed, or if the passphrase is wrong. */
export class UnreadableBackup extends Error {
  override readonly name = 'UnreadableBackup';
}

/** Returns a backup of all files in `KURS_DATA/keys`: a head of one line of JSON, then the sealed content. */
export function sealKeys(dataFolder: string, passphrase: string): Buffer {
  const folder = join(dataFolder, 'keys');
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const content = JSON.stringify(files.map(({ name }) => [name, readFileSync(join(folder, name)).toString('base64')]));
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const head = { form: FORM, scrypt: COST, salt: salt.toString('hex'), nonce: nonce.toString('hex') } satisfies Head;
  const line = `${JSON.stringify(head)}\n`;
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, head), nonce).setAAD(Buffer.from(line));
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([Buffer.from(line), cipher.getAuthTag(), sealed]);
}

/** Returns the files in a backup, by name. Throws `UnreadableBackup`. */
export function openKeys(backup: Buffer, passphrase: string): Map<string, Buffer> {
  const end = backup.indexOf('\n') + 1;
  const head = readHead(backup.toString('utf8', 0, end));
  const [tag, sealed] = [backup.subarray(end, end + TAG_BYTES), backup.subarray(end + TAG_BYTES)];
  if (sealed.length === 0) throw new UnreadableBackup('The file was cut off: it is no whole backup.');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, head), Buffer.from(head.nonce, 'hex'))
      .setAAD(backup.subarray(0, end))
      .setAuthTag(tag);
    const content = Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
    return new Map((JSON.parse(content) as [string, string][]).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  } catch (error) {
    throw new UnreadableBackup('The passphrase is another one, or the file was changed or cut off.', { cause: error });
  }
}

function readHead(line: string): Head {
  try {
    const head = JSON.parse(line) as Head;
    const { N, r, p } = head.scrypt;
    const isBounded = [N, r, p].every(Number.isSafeInteger) && 128 * N * r * p <= MAX_MEMORY;
    if (head.form === FORM && isBounded && head.nonce.length === 24) return head;
  } catch {
    // The file has no head.
  }
  throw new UnreadableBackup('The file is no backup of keys.');
}

const keyOf = (passphrase: string, { scrypt, salt }: Head): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'hex'), 32, { ...scrypt, maxmem: MAX_MEMORY + 2 ** 20 });

/**
 * Writes either all files or none into `KURS_DATA/keys`, readable only by their owner. Throws if this folder contains files.
 */
export function placeKeys(dataFolder: string, files: ReadonlyMap<string, Uint8Array>): void {
  const folder = join(dataFolder, 'keys');
  const draft = `${folder}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    for (const [name, content] of files) {
      if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} is no name of a key`);
      replaceFile(join(draft, name), content);
    }
    // Removes an empty folder. Throws for a folder with files, which stay unchanged.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}
