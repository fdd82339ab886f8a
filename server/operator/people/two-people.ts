import { isDeepStrictEqual } from 'node:util';
import { type Permission, Problem } from '@kurs/contract';
import { lastRestoredAt } from '../../payments/index.ts';
import { type Tx, idOfText, log, newId, requirePermission } from '../../platform/index.ts';
import type { Person } from './roles.ts';
import {
  type Request,
  addRequest,
  confirmRequest,
  dropRequest,
  openRequest,
  outcomeOf,
  recordAction,
  requestsNotRequested,
} from './store.ts';

/**
 * An action that a person wants to carry out. `body`: the content, which the second person must repeat exactly. `about`: the
 * subject's current state, for example an order's state and its time. A request about an earlier state is void.
 */
export interface Wanted {
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly permission: Permission;
  readonly people: 1 | 2;
  readonly body: unknown;
  readonly about?: string;
  /** Throws if the action can't be carried out now; then no request is stored either. */
  readonly check?: () => Promise<void> | void;
  /** The caller's Idempotency-Key. A person's action with the same key is carried out once, even if its answer was lost. */
  readonly key?: string | undefined;
}

export type Acted = { readonly status: 'done' } | { readonly status: 'awaiting_second'; readonly request: string };

/** Time in ms after which an unconfirmed request is void. */
const REQUEST_MS = 24 * 3_600_000;

/**
 * Carries out an action, or stores a request until a second person wants the same action with the same content. The audit
 * records the action or request in the same transaction. If the first person requests other content, the new request replaces
 * the open one. `work` receives the names of the people and the action's id. Throws `forbidden` without the permission,
 * `same_person` if one person confirms their own request, and `request_differs` if the second person wants other content.
 * Throws `request_over` for a consent to a void request, and the errors of `check`.
 */
export async function actAs(
  tx: Tx,
  person: Person,
  wanted: Wanted,
  work: (by: readonly string[], id: string) => Promise<void>,
): Promise<Acted> {
  requirePermission(person, wanted.permission);
  const id = wanted.key === undefined ? newId() : idOf(person, wanted.action, wanted.key);
  const before = wanted.key === undefined ? undefined : await outcomeOf(tx, id);
  if (before !== undefined) return before === 'asked' ? { status: 'awaiting_second', request: id } : { status: 'done' };
  await wanted.check?.();
  // If the action now takes only one person, nobody can consent to the request.
  if (person.consentsTo !== undefined && wanted.people === 1) throw new Problem('request_over');
  const by = [person.name];
  const audit = { id, by: person.name, action: wanted.action, subject: wanted.subject, reason: wanted.reason, body: wanted.body };
  if (wanted.people === 2) {
    const open = await validRequest(tx, person, wanted);
    if (person.consentsTo !== undefined && open?.id !== person.consentsTo) throw new Problem('request_over');
    if (!open) {
      const isFirst = await addRequest(tx, { ...wanted, id, body: contentOf(wanted), by: person });
      if (!isFirst) throw new Problem('request_differs');
      await recordAction(tx, { ...audit, outcome: 'asked' });
      return { status: 'awaiting_second', request: id };
    }
    if (open.requestedBy === person.id) throw new Problem('same_person');
    if (!isSame(open, wanted)) throw new Problem('request_differs');
    await confirmRequest(tx, open.id, person);
    by.unshift(open.requestedByName);
  }
  await recordAction(tx, { ...audit, outcome: 'done' });
  await work(by, id);
  return { status: 'done' };
}

/**
 * Returns the open request for an action. Deletes the request if it is void: expired, made before a restore, about an earlier
 * state, replaced by its author, or not confirmed by the audit (written or changed by SQL).
 */
async function validRequest(tx: Tx, person: Person, wanted: Wanted): Promise<Request | undefined> {
  const open = await openRequest(tx, wanted.action, wanted.subject);
  if (!open) return undefined;
  const isOver = tx.now.getTime() - open.requestedAt.getTime() >= REQUEST_MS;
  const isStrange = (await requestsNotRequested(tx, [open])).length > 0;
  if (isStrange) log.alarm('a request of the desk was made by nobody', { requestId: open.id, action: open.action });
  // A request made before a restore is void: the original database may have carried it out since the backup.
  const restoredAt = await lastRestoredAt(tx);
  const isBefore = restoredAt !== undefined && open.requestedAt < restoredAt;
  const isVoid = isOver || isStrange || isBefore || (open.body as Content).about !== wanted.about;
  if (!isVoid && (open.requestedBy !== person.id || isSame(open, wanted))) return open;
  await dropRequest(tx, open.id);
  return undefined;
}

interface Content {
  readonly wanted: unknown;
  readonly about?: string;
}

/** Returns the content of a request, as its author gave it. */
export const requestedFor = ({ body }: Request): unknown => (body as Content).wanted;

const contentOf = ({ body, about }: Wanted): Content => ({ wanted: body, ...(about !== undefined && { about }) });
const isSame = (open: Request, wanted: Wanted): boolean =>
  isDeepStrictEqual(open.body, JSON.parse(JSON.stringify(contentOf(wanted))));

/** Returns the id of a person's action with an idempotency key. */
const idOf = (person: Person, action: string, key: string): string => idOfText(JSON.stringify([person.id, action, key]));
