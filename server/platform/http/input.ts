// Builds the input of a call from the path, the query and the body of a request.

import type { FastifyRequest } from 'fastify';
import { fieldProblem, takesBody, type Route } from '@kurs/contract';

/**
 * Returns the input of a call: the parameters in the path, with the query (GET, DELETE) or the body (POST, PUT, PATCH). A
 * parameter in the path wins over a field of the same name. Throws `validation` for a body that is no object.
 */
export function inputOf({ method, body, query, params }: FastifyRequest): Record<string, unknown> {
  if (takesBody({ method: method as Route['method'] })) {
    if (body !== undefined && (body === null || typeof body !== 'object' || Array.isArray(body))) {
      throw fieldProblem('body', 'body_object');
    }
    return { ...body, ...(params as object) };
  }
  return Object.assign(inputOfQuery(query as Record<string, string | string[]>), params);
}

/** Returns a query as an input. A parameter `name[]` becomes a list, and so does a repeated parameter. */
export function inputOfQuery(query: Readonly<Record<string, string | string[]>>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (name.endsWith('[]')) input[name.slice(0, -2)] = [value].flat();
    else input[name] = value;
  }
  return input;
}
