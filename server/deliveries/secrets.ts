// Secrets that sign deliveries to an endpoint. They are stored encrypted, and their owner may read them again.

import { randomBytes } from 'node:crypto';
import { type Sealer, type Statements, type Tx, newId } from '../platform/index.ts';

const PREFIX = 'whsec_';
/** Mark of a stored secret that the owner brought. None of our own begins so. */
const BROUGHT = 'brought:';

/** A secret that signs deliveries. */
export interface SigningSecret {
  /** The secret as its owner knows it. */
  readonly text: string;
  /** Key of Standard Webhooks: the decoded bytes of our own secret, or the bytes of one that the owner brought. */
  readonly key: Buffer;
}

/** Returns a new secret: 32 random bytes, as `whsec_` and base64. */
const makeSigningSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

function secretOf(stored: string): SigningSecret {
  if (!stored.startsWith(BROUGHT)) return { text: stored, key: Buffer.from(stored.slice(PREFIX.length), 'base64') };
  const text = stored.slice(BROUGHT.length);
  return { text, key: Buffer.from(text) };
}

/** Creates and returns a new signing secret of an endpoint. Until `olderEnd`, deliveries are also signed by the older secrets. */
export async function rotateSecret(tx: Tx, sealer: Sealer, endpoint: string, olderEnd: Date): Promise<string> {
  const made = makeSigningSecret();
  await endOlderSecrets(tx, endpoint, olderEnd);
  await addSecret(tx, sealer, endpoint, made);
  return made;
}

/**
 * Stores a secret that the owner brings. It signs at once, and alone. If it is the newest secret already, only the older ones
 * end.
 */
export async function bringSecret(tx: Tx, sealer: Sealer, endpoint: string, text: string): Promise<void> {
  const [newest] = await secretsOf(tx, sealer, endpoint);
  if (newest?.text === text) return void (await endFormerSecrets(tx, endpoint));
  await endOlderSecrets(tx, endpoint, tx.now);
  await addSecret(tx, sealer, endpoint, BROUGHT + text);
}

/** Ends the valid secrets of an endpoint at a time, if they don't end earlier. */
async function endOlderSecrets(tx: Tx, endpoint: string, at: Date): Promise<void> {
  await tx.run(
    `update delivery_secret set valid_until = least(valid_until, $2) where endpoint_id = $1 and coalesce(valid_until > $3, true)`,
    [endpoint, at, tx.now],
  );
}

async function addSecret(tx: Tx, sealer: Sealer, endpoint: string, stored: string): Promise<void> {
  const id = newId();
  await tx.run('insert into delivery_secret (id, endpoint_id, sealed, made_at) values ($1, $2, $3, $4)', [
    ...[id, endpoint, sealer.seal(Buffer.from(stored), rowOf(endpoint, id)), tx.now],
  ]);
}

/** Ends all secrets of an endpoint but the newest, at once. Returns the number of ended secrets. */
export const endFormerSecrets = (tx: Tx, endpoint: string): Promise<number> =>
  tx.run(`update delivery_secret set valid_until = $2 where endpoint_id = $1 and valid_until > $2`, [endpoint, tx.now]);

/** Returns the time until which a former secret of each endpoint signs, too. Endpoints with one secret are left out. */
export async function formerSecretEnds(db: Statements, endpoints: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.rows<{ id: string; until: Date }>(
    `select endpoint_id as id, max(valid_until) as until from delivery_secret
     where endpoint_id = any($1) and valid_until > clock_now() group by 1`,
    [endpoints],
  );
  return new Map(rows.map(({ id, until }) => [id, until]));
}

/** Context that is bound to an encrypted secret, so that the secret can't be decrypted in another endpoint's row. */
const rowOf = (endpoint: string, id: string): string[] => ['delivery_secret', endpoint, id];

/**
 * Returns the valid secrets of an endpoint, the newest first; its owner may read them at any time. Throws if a secret was written
 * outside the product, or for another endpoint.
 */
export async function secretsOf(db: Statements, sealer: Sealer, endpoint: string): Promise<SigningSecret[]> {
  const rows = await db.rows<{ id: string; sealed: Buffer }>(
    `select id, sealed from delivery_secret where endpoint_id = $1 and (valid_until is null or valid_until > clock_now())
     order by made_at desc, id desc`,
    [endpoint],
    { name: 'deliveries.secrets' },
  );
  return rows.map(({ id, sealed }) => secretOf(sealer.open(sealed, rowOf(endpoint, id)).toString()));
}
