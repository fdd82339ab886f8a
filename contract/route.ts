import type { z } from 'zod';
import type { Allowed } from './permissions.ts';
import type { Exposure } from './exposure.ts';
import type { ProblemCode } from './problems.ts';

/** GET reads; PUT and DELETE have the same effect when repeated; PATCH changes the fields that it names. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

/** True if a call's fields are in its body; otherwise they are in its query. */
export const takesBody = ({ method }: { readonly method: Method }): boolean => WITH_BODY.has(method);

/**
 * One call of the public API. The server validates with `input` and `output`. The document is generated from these schemas, and
 * the client gets its types from them.
 */
export interface Route<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> extends Exposure {
  readonly method: Method;
  /** Path under `/api/v1`; parts like `:id` are taken from the path into the input. */
  readonly path: string;
  /** Allowed callers; several are alternatives. */
  readonly allows: Allowed | readonly Allowed[];
  readonly summary: string;
  readonly tag: string;
  readonly input: I;
  /** Schema of the answer's `data`. */
  readonly output: O;
  /** Schema of the answer to an API key, if that gets fewer fields than `output`. */
  readonly forKeys?: z.ZodType;
  /** The call's own problems, besides those of every call. */
  readonly problems: readonly ProblemCode[];
  /**
   * The kind of resource that the call is about, and the input field with the resource's id. A caller with a grant on one
   * resource may call the route about that resource only. Without `about`, such a caller may not call the route at all.
   */
  readonly about?: { readonly kind: string; readonly field: string };
  /**
   * True if anybody may call the route, and the route also uses the caller's session if there is one. An ended session is
   * refused.
   */
  readonly mayKnowUser?: true;
  /** True for a POST that creates or moves something: `Idempotency-Key` is honoured. */
  readonly isIdempotent?: true;
  /** True for a list: the answer has `meta` beside `data`, and the handler returns `{ data, meta }`. */
  readonly isList?: true;
  /** True for a GET that changes data, for clients that can't send other methods. The route has no HEAD. */
  readonly hasEffect?: true;
  /** True if the route answers 204 without a body. */
  readonly isEmpty?: true;
  /** True if the path also streams server-sent events, for `Accept: text/event-stream`. */
  readonly hasStream?: true;
}

/** Returns the route unchanged; keeps the literal types of its schemas and flags. */
export function route<const D extends Route>(definition: D): D {
  return definition;
}

/** Validated input of a route. */
export type Input<R> = R extends Route<infer I, z.ZodType> ? z.output<I> : never;
/** Input as a caller sends it. */
export type Sent<R> = R extends Route<infer I, z.ZodType> ? z.input<I> : never;
/** Output of a route. */
export type Output<R> = R extends Route<z.ZodType, infer O> ? z.output<O> : never;
