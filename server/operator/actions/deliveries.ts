// Outgoing letters and webhooks: lists the log of deliveries, and repeats a delivery.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { attemptsOf, listDeliveries, replay } from '../../deliveries/index.ts';
import { type Db, listMeta } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, actAs } from '../people/two-people.ts';
import type { Paged } from '../views.ts';

/** Returns a page of deliveries, the newest first. */
export async function deliveriesView(
  db: Db,
  input: Input<Routes['operatorDeliveries']>,
): Promise<Paged<Output<Routes['operatorDeliveries']>>> {
  const { rows, total, next } = await listDeliveries(db, input);
  const data = rows.map(({ at, next: due, status, said, endpoint: _endpoint, thread: _thread, ...row }) => ({
    ...row,
    at: at.toISOString(),
    ...(due && { next: due.toISOString() }),
    ...(status !== null && { status }),
    ...(said !== null && { said }),
  }));
  return { data, meta: listMeta(input, total, { rows: data.length, next }) };
}

/** Returns the attempts of a delivery, the oldest first. */
export async function attemptsView(
  db: Db,
  { id }: Input<Routes['operatorDelivery']>,
): Promise<Output<Routes['operatorDelivery']>> {
  return (await attemptsOf(db, id)).map(({ at, status, latency_ms, answer, error }) => ({
    ...{ at: at.toISOString(), latency_ms, said: error ?? answer },
    ...(status !== null && { status }),
  }));
}

/** Repeats a delivery under the same id, by which its receiver may recognize it. Throws `not_found`, and the errors of `actAs`. */
export async function replayBy(
  db: Db,
  person: Person,
  { id, reason }: Input<Routes['operatorReplay']>,
  key: string | undefined,
): Promise<Acted> {
  const wanted = { action: 'replay', subject: id, reason, permission: 'deliveries.replay', people: 1, body: {}, key } as const;
  return db.tx((tx) =>
    actAs(tx, person, wanted, async () => {
      if (!(await replay(tx, id))) throw new Problem('not_found');
    }),
  );
}
