import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Store } from '../provider/index.ts';

interface StoredKey {
  readonly kid: string;
  readonly pem: string;
  /** Time of creation, in ms since 1970. */
  readonly made: number;
  readonly [field: string]: unknown;
}

const DAY_MS = 86_400_000;
/** Number of published keys: the one that signs, and the one before it, whose tokens may still be valid. */
const PUBLISHED = 2;

const textOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Keys that sign tokens. As at Google, a new one is made each day, and on request. */
export class KeyRing {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Creates a new signing key and returns its id. */
  rotate(): string {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const kid = randomBytes(20).toString('hex');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    this.#store.put('key', kid, { kid, pem, made: this.#now() });
    return kid;
  }

  /** Returns a token (RFC 7515, RS256) with these claims. */
  sign(claims: object): string {
    const { kid, pem } = this.#newest();
    const said = `${textOf({ alg: 'RS256', kid, typ: 'JWT' })}.${textOf(claims)}`;
    return `${said}.${sign('RSA-SHA256', Buffer.from(said), createPrivateKey(pem)).toString('base64url')}`;
  }

  /** Returns the public keys (RFC 7517). */
  published(): object[] {
    this.#newest();
    return this.#all()
      .slice(-PUBLISHED)
      .map(({ kid, pem }) => ({ ...createPublicKey(pem).export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }));
  }

  #all(): StoredKey[] {
    return this.#store.all<StoredKey>('key');
  }

  #newest(): StoredKey {
    const newest = this.#all().at(-1);
    if (newest && this.#now() - newest.made < DAY_MS) return newest;
    this.rotate();
    return this.#all().at(-1) as StoredKey;
  }
}
