// Signed-in account holders, inserted into the database of a running system: the bench measures no sign-ups.

import { randomBytes } from 'node:crypto';
import { writeHolderMacs, keepOpeners } from '../../server/auth/testing.ts';
import type { System } from '../../e2e/harness/system.ts';
import { openBooks } from '../../server/supervisor/index.ts';
import { type Db, type Tx, clusterUrl, newId, openDb, secret, secretHash } from '../../server/platform/index.ts';

export interface Holder {
  readonly id: string;
  readonly email: string;
  readonly session: string;
  readonly token: string;
}

/** Returns the address of a running system's database, or without its name that of the whole server. */
export async function databaseOf(system: System, database?: 'kurs'): Promise<string> {
  const { cluster, ports } = await system.run();
  const password = secret(system.data, 'postgres.password');
  return clusterUrl(cluster, ports.postgres, { password, ...(database && { database }) });
}

/** Opens the database of a running system, with the keys for the MACs of its rows. */
export async function openSystemDb(system: System): Promise<Db> {
  openBooks({ KURS_DATA: system.data });
  return openDb({ url: await databaseOf(system, 'kurs'), name: 'bench', budget: 60_000 });
}

/** Adds so many holders with confirmed addresses and a session each. */
export async function addHolders(tx: Tx, count: number): Promise<Holder[]> {
  const holders = Array.from({ length: count }, () => {
    const [id, session] = [newId(), newId()];
    return { id, session, email: `${id}@bench.example`, token: `kurs_s_${randomBytes(32).toString('base64url')}` };
  });
  const of = <K extends keyof Holder>(name: K): string[] => holders.map((one) => one[name]);
  await tx.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     select id, email, email, clock_now(), 'en', clock_now() from unnest($1::uuid[], $2::text[]) as given (id, email)`,
    [of('id'), of('email')],
  );
  await writeHolderMacs(tx);
  await tx.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at, proved_at)
     select id, holder, hash, 'bench', '10.0.0.1', clock_now(), clock_now(), clock_now()
     from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as given (id, holder, hash)`,
    [of('session'), of('id'), holders.map(({ token }) => secretHash('session', token))],
  );
  await keepOpeners(tx);
  return holders;
}
