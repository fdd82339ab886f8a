// A second person's consent to a request by its id: repeats the first person's call in the second person's name.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { type Context, type Db, type Operator, withMore } from '../../platform/index.ts';
import type { Person } from './roles.ts';
import { callOfRequest } from './store.ts';
import type { Acted } from './two-people.ts';

/** Handlers of the desk's calls, by the calls' names. */
export type Handlers = Readonly<Record<string, (input: never, context: Context) => Promise<unknown>>>;

/**
 * Repeats the call of a request in the name of the person who consents. The call is checked, carried out or refused as if that
 * person had made it; no other action is carried out. Throws `request_over` if nobody can consent any more, and the errors of the
 * call.
 */
export async function consent(
  db: Db,
  handlers: Handlers,
  { id, reason }: Input<Routes['operatorConsent']>,
  context: Context,
): Promise<Acted> {
  const call = await callOfRequest(db, id);
  const work = call && handlers[call.name];
  if (!work || !context.operator) throw new Problem('request_over');
  const input = { ...(call.input as object), ...(reason !== undefined && { reason }) };
  await work(input as never, withOperator(context, { consentsTo: id }));
  return { status: 'done' };
}

/** Returns handlers that add the call's name and input to the caller's context, so that requests can store the call. */
export function knowingCalls<W extends object>(handlers: W): W {
  const each = Object.entries(handlers as Handlers).map(([name, work]) => [
    name,
    (input: never, context: Context) => {
      const { operator } = context;
      return work(
        input,
        operator ? { ...context, operator: { ...operator, call: { name, input } } as typeof operator } : context,
      );
    },
  ]);
  return Object.fromEntries(each) as W;
}

/** Returns a context with these fields added to its operator. */
const withOperator = (context: Context, more: Pick<Person, 'call' | 'consentsTo'>): Context =>
  context.operator ? withMore(context, { operator: { ...context.operator, ...more } as Operator }) : context;
