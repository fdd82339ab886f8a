import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Permission, Problem } from '@kurs/contract';
import { lastRestoredAt } from '../../payments/index.ts';
import { type Tx, log, newId, requirePermission } from '../../platform/index.ts';
import type { Person } from './roles.ts';
import {
  type Request,
  addRequest,
  confirmRequest,
  dropRequest,
  openRequest,
  outcomeOf,
  recordAction,
  requestsNotAsked,
} from './store.ts';

/**
 * What a person wants to do. `body` is what the second person must ask for too, to the letter; `about` says how the
 * subject stood (an order's state and since when): a request about it as it stood before is void.
 */
export interface Wanted {
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly permission: Permission;
  readonly people: 1 | 2;
  readonly body: unknown;
  readonly about?: string;
  /** Throws where the action can't be done as things stand: no second person is asked for that. */
  readonly check?: () => Promise<void> | void;
  /** The caller's Idempotency-Key: the same person's action with the same key happens once, whatever became of its answer. */
  readonly key?: string | undefined;
}

export type Acted = { readonly status: 'done' } | { readonly status: 'awaiting_second'; readonly request: string };

/** A request that nobody confirmed for so long is void. */
const REQUEST_MS = 24 * 3_600_000;

/**
 * Does an action, or records it as a request until a second person asks for the same with the same content. Each try that
 * gets this far is a row of the audit in the same transaction. Anyone who asked may ask for something else instead: that
 * takes the place of their request. `work` is told the names of those who want it, and the action's id. Throws `forbidden`
 * without the permission, `same_person` when one person confirms their own request, `request_differs` when the second asks for
 * the action with other content, `request_over` for a consent to what does not stand any more, and what `check` throws.
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
  // What takes one person by now is no request any more.
  if (person.consentsTo !== undefined && wanted.people === 1) throw new Problem('request_over');
  const by = [person.name];
  const audit = { id, by: person.name, action: wanted.action, subject: wanted.subject, reason: wanted.reason, body: wanted.body };
  if (wanted.people === 2) {
    const open = await standing(tx, person, wanted);
    if (person.consentsTo !== undefined && open?.id !== person.consentsTo) throw new Problem('request_over');
    if (!open) {
      const isFirst = await addRequest(tx, { ...wanted, id, body: contentOf(wanted), by: person });
      if (!isFirst) throw new Problem('request_differs');
      await recordAction(tx, { ...audit, outcome: 'asked' });
      return { status: 'awaiting_second', request: id };
    }
    if (open.askedBy === person.id) throw new Problem('same_person');
    if (!isSame(open, wanted)) throw new Problem('request_differs');
    await confirmRequest(tx, open.id, person);
    by.unshift(open.askedByName);
  }
  await recordAction(tx, { ...audit, outcome: 'done' });
  await work(by, id);
  return { status: 'done' };
}

/**
 * The open request for this action, unless it is void by now, its own asker wants something else, or the audit does not say that
 * its asker made it (somebody wrote it by SQL, or changed whose it is), or it is older than a restore: then it goes.
 */
async function standing(tx: Tx, person: Person, wanted: Wanted): Promise<Request | undefined> {
  const open = await openRequest(tx, wanted.action, wanted.subject);
  if (!open) return undefined;
  const isOver = tx.now.getTime() - open.askedAt.getTime() >= REQUEST_MS;
  const isStrange = (await requestsNotAsked(tx, [open])).length > 0;
  if (isStrange) log.alarm('a request of the desk was made by nobody', { requestId: open.id, action: open.action });
  // What was asked for before a restore may have been done by the original since.
  const restoredAt = await lastRestoredAt(tx);
  const isBefore = restoredAt !== undefined && open.askedAt < restoredAt;
  const isVoid = isOver || isStrange || isBefore || (open.body as Content).about !== wanted.about;
  if (!isVoid && (open.askedBy !== person.id || isSame(open, wanted))) return open;
  await dropRequest(tx, open.id);
  return undefined;
}

interface Content {
  readonly wanted: unknown;
  readonly about?: string;
}

/** What a request is about, as its asker put it. */
export const askedFor = ({ body }: Request): unknown => (body as Content).wanted;

const contentOf = ({ body, about }: Wanted): Content => ({ wanted: body, ...(about !== undefined && { about }) });
const isSame = (open: Request, wanted: Wanted): boolean =>
  isDeepStrictEqual(open.body, JSON.parse(JSON.stringify(contentOf(wanted))));

/** The id that a person's action has by its key: a uuid made of their hash (RFC 9562, version 8). */
function idOf(person: Person, action: string, key: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([person.id, action, key]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
