// Endpoints of owners, and their delivery status.

import { type Statements, type Tx, wake } from '../platform/index.ts';
import { endpointMac, isAsPut } from './delivery-macs.ts';

/** An endpoint: an address that an owner's events are sent to. */
export interface Endpoint {
  /** UUID that the owner chooses. Storing the same id again changes the same endpoint. */
  readonly id: string;
  /** Owner whose events are sent to the endpoint, for example `alarms`. */
  readonly owner: string;
  /** Kind of the endpoint, which decides the form of bodies and signatures: the `kind` of a `DeliveryKind`. */
  readonly kind: string;
  readonly url: string;
  /** Types of events that are sent to the endpoint. If absent, all of its owner's events are sent. */
  readonly types?: readonly string[];
}

/**
 * Creates or changes an endpoint. After a change it is treated as working, even if it was switched off, and waiting deliveries go
 * to the new address.
 */
export async function putEndpoint(tx: Tx, { id, owner, kind, url, types }: Endpoint): Promise<void> {
  await tx.run(
    `insert into delivery_endpoint as known (id, owner, kind, url, types, created_at, mac) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update
     set owner = excluded.owner, kind = excluded.kind, url = excluded.url, types = excluded.types, mac = excluded.mac,
       failing_since = null, switched_off_at = null, switched_off_because = null
     where (known.owner, known.kind, known.url, known.types, known.mac)
       is distinct from (excluded.owner, excluded.kind, excluded.url, excluded.types, excluded.mac)`,
    [id, owner, kind, url, types ?? null, tx.now, endpointMac({ id, owner, kind, url, types: types ?? null })],
    { name: 'deliveries.put_endpoint' },
  );
}

/** A stored endpoint. `isAltered`: its row was changed outside the product, so that nothing is sent there. */
export interface KnownEndpoint extends Endpoint {
  readonly createdAt: Date;
  readonly isAltered: boolean;
}

/** Returns the endpoints of owners, the oldest first. */
export async function endpointsOf(db: Statements, owners: readonly string[]): Promise<KnownEndpoint[]> {
  const rows = await db.rows<Required<Endpoint> & { types: readonly string[] | null; createdAt: Date; mac: string | null }>(
    `select id, owner, kind, url, types, created_at as "createdAt", mac from delivery_endpoint where owner = any($1)
     order by created_at, id`,
    [owners],
    { name: 'deliveries.endpoints_of' },
  );
  return rows.map(({ mac, types, ...row }) => ({
    ...row,
    ...(types && { types }),
    isAltered: !isAsPut({ ...row, types }, mac),
  }));
}

/** Removes an endpoint, with its secrets and all its deliveries. */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from delivery_endpoint where id = $1', [id], { name: 'deliveries.remove_endpoint' });
}

/** State of an endpoint that has accepted nothing since `since`. */
export interface Failing {
  readonly since: Date;
  /** Number of deliveries that wait for the endpoint. */
  readonly waiting: number;
  /** HTTP status of the last attempt at a waiting delivery; null if there was no answer. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
}

/** Returns the state of a failing endpoint; undefined if the endpoint accepts deliveries. */
export async function failingEndpoint(db: Statements, id: string): Promise<Failing | undefined> {
  return db.row<Failing>(
    `select failing_since as since, status, answer, error,
       (select count(*)::int from delivery where endpoint_id = $1 and due_at is not null) as waiting
     from delivery_endpoint left join lateral (
       select status, answer, error from delivery_attempt join delivery on delivery.id = delivery_id
       where endpoint_id = $1 and due_at is not null order by delivery_attempt.at desc limit 1
     ) as last on true
     where id = $1 and failing_since is not null`,
    [id],
    { name: 'deliveries.failing' },
  );
}

/** Delivery status of an endpoint. */
export interface Health {
  readonly id: string;
  readonly owner: string;
  readonly url: string;
  /** `failing`: the endpoint has accepted nothing since `since`. `off`: nothing has been sent to the endpoint since `since`. */
  readonly state: 'on' | 'failing' | 'off';
  readonly since: Date | null;
  /** Reason why the endpoint is off. `gone`: it answered so; `failing`: it accepted nothing for days. */
  readonly because: 'gone' | 'failing' | null;
  /** HTTP status of the last attempt at a delivery that was not accepted; null if there was no answer. */
  readonly status: number | null;
  readonly said: string | null;
  /** Number of events that were published while the endpoint was off and not replayed since. */
  readonly missed: number;
}

const HEALTH = `
  select id, owner, url, coalesce(switched_off_at, failing_since) as since, switched_off_because as because, last.status, last.said,
    case when switched_off_at is not null then 'off' when failing_since is not null then 'failing' else 'on' end as state,
    (select count(*)::int from delivery where endpoint_id = delivery_endpoint.id and missed_at is not null) as missed
  from delivery_endpoint left join lateral (
    select status, coalesce(error, answer) as said from delivery_attempt join delivery on delivery.id = delivery_id
    where endpoint_id = delivery_endpoint.id and taken_at is null order by delivery_attempt.at desc limit 1
  ) as last on true`;

/** Returns the delivery status of endpoints, by their ids. */
export async function healthOf(db: Statements, ids: readonly string[]): Promise<Map<string, Health>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<Health>(`${HEALTH} where id = any($1)`, [ids], { name: 'deliveries.health' });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the endpoints of a kind that are failing or off. The endpoint with the earliest `since` comes first. */
export async function troubledEndpoints(db: Statements, kind: string): Promise<Health[]> {
  return db.rows<Health>(
    `${HEALTH} where kind = $1 and coalesce(switched_off_at, failing_since) is not null order by since, id`,
    [kind],
    { name: 'deliveries.troubled' },
  );
}

/**
 * Switches an endpoint on again; its waiting deliveries are due at once. With `missed`, events that were published while it was
 * off are delivered, too. Returns false if the endpoint was already on.
 */
export async function switchOn(
  tx: Tx,
  id: string,
  { mayDeliverMissed = false }: { readonly mayDeliverMissed?: boolean } = {},
): Promise<boolean> {
  const switched = await tx.run(
    `update delivery_endpoint set failing_since = null, switched_off_at = null, switched_off_because = null
     where id = $1 and switched_off_at is not null`,
    [id],
    { name: 'deliveries.switch_on' },
  );
  if (switched > 0)
    await tx.run('update delivery set due_at = $2 where endpoint_id = $1 and due_at > $2', [id, tx.now], {
      name: 'deliveries.due_at_once',
    });
  if (mayDeliverMissed)
    await tx.run(
      'update delivery set due_at = $2, missed_at = null where endpoint_id = $1 and missed_at is not null',
      [id, tx.now],
      {
        name: 'deliveries.replay_missed',
      },
    );
  tx.afterCommit(() => wake('deliveries'));
  return switched > 0;
}
