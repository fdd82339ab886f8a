import type { z } from 'zod';
import type { Allowed } from './permissions.ts';
import type { Exposure } from './exposure.ts';
import type { ProblemCode } from './problems.ts';

/** A GET reads; a PUT and a DELETE have the same effect however often they are sent; a PATCH changes the fields that it names. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

/** Whether a call's fields stand in its body; else they stand in its query. */
export const takesBody = ({ method }: { readonly method: Method }): boolean => WITH_BODY.has(method);

/**
 * One call as outsiders are promised it. Both sides are built from it: the server validates by `input` and `output`,
 * the document is generated from them, and the client is typed by them.
 */
export interface Route<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Exposure {
  readonly method: Method;
  /** Under `/api/v1`; parts like `:id` are taken from the path into the input. */
  readonly path: string;
  /** Who it is for; of several, each. */
  readonly allows: Allowed | readonly Allowed[];
  readonly summary: string;
  readonly tag: string;
  readonly input: I;
  /** What stands in `data` of the answer. */
  readonly output: O;
  /** The answer to a key, where that has less than `output`. All other fields are left out. */
  readonly forKeys?: z.ZodType;
  /** Problems that the call names besides those that any call can meet. */
  readonly problems: readonly ProblemCode[];
  /**
   * The resource that the call is about, by the field that names it: who is allowed this on that resource alone may call it
   * about that one. Without it such a caller may not call it at all.
   */
  readonly about?: { readonly kind: string; readonly field: string };
  /** For anybody, and told who asks where the caller shows a session; one that is over is refused. */
  readonly knowsUser?: true;
  /** A POST that creates or moves something: `Idempotency-Key` is honoured. */
  readonly idempotent?: true;
  /** A list answers `meta` beside `data`; the work gives `{ data, meta }`. */
  readonly list?: true;
  /**
   * A GET that changes something, or has something mailed, for clients that know no other way: there is no HEAD of it.
   */
  readonly changes?: true;
  /** Answers 204 without a body. */
  readonly empty?: true;
  /** The same path also streams server-sent events to anyone who accepts `text/event-stream`. */
  readonly streams?: true;
}

/** States a route; a plain identity that keeps the types of its schemas and flags. */
export function route<const D extends Route>(definition: D): D {
  return definition;
}

/** The validated input of a route. */
export type Input<R> = R extends Route<infer I, z.ZodType> ? z.output<I> : never;
/** What a caller passes to a route. */
export type Sent<R> = R extends Route<infer I, z.ZodType> ? z.input<I> : never;
/** What a route gives. */
export type Output<R> = R extends Route<z.ZodType, infer O> ? z.output<O> : never;
