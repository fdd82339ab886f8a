// Error answers: RFC 9457 `application/problem+json`, in the caller's language.

import { Problem, say, type FieldProblem, type Locale, type ProblemCode } from '@kurs/contract';
import type { z } from 'zod';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The body of an error answer (`wire.problem`). */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  message: string;
  errors?: Record<string, string[]>;
  order?: { id: string; token: string };
  work?: number;
  reference?: string;
};

/**
 * Returns the body of an error answer. `title` and `message` are for people, in the caller's language. `detail` is for
 * programmers, in English; by default it is the English `message`.
 */
export function problemBody(problem: Problem, locale: Locale, reference?: string): ProblemBody {
  const { code, status, details } = problem;
  const params = { ...(details.retryAfter !== undefined && { seconds: String(details.retryAfter) }), ...details.params };
  const words = (language: Locale, part: string): string => say(language, `problems.${code}.${part}`, params) ?? code;
  const errors = Object.entries(details.errors ?? {}).map(([field, found]) => [field, fieldWords(found, locale)]);
  return {
    type: `urn:kurs:problem:${code}`,
    title: words(locale, 'title'),
    status,
    detail: say('en', `problems.${code}.detail`, params) ?? words('en', 'message'),
    code,
    message: words(locale, 'message'),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) as Record<string, string[]> }),
    ...(details.order && { order: details.order }),
    ...(details.work !== undefined && { work: details.work }),
    ...(reference !== undefined && { reference }),
  };
}

function fieldWords(found: FieldProblem | readonly FieldProblem[], locale: Locale): string[] {
  return [found].flat().map(({ code, params }) => say(locale, `fields.${code}`, params) ?? code);
}

/**
 * Returns a schema's errors as a `validation` problem, by field (`receive.address`). If an error's message is a key under
 * `fields` in the translations, that text is used. All other errors get general texts.
 */
export function validationProblem(error: z.ZodError, input: unknown): Problem {
  const errors: Record<string, FieldProblem[]> = {};
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    const fields = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    for (const field of fields) (errors[field.join('.') || 'body'] ??= []).push(fieldProblemOf(issue, input));
  }
  return new Problem('validation', { errors });
}

/**
 * Returns a `validation` problem for the first text that PostgreSQL can't store, with a null character or half of a surrogate
 * pair. Undefined if all texts can be stored. Names of fields are checked, too.
 */
export function textProblem(input: unknown): Problem | undefined {
  if (canBeKept(input)) return undefined;
  return new Problem('validation', { errors: { [pathOfText(input).join('.') || 'body']: { code: 'wrong_value' } } });
}

function canBeKept(input: unknown): boolean {
  if (typeof input === 'string') return input.isWellFormed() && !input.includes('\0');
  if (typeof input !== 'object' || input === null) return true;
  for (const name in input) if (!canBeKept(name) || !canBeKept((input as Record<string, unknown>)[name])) return false;
  return true;
}

/**
 * Returns the path of the first text that can't be stored. For a field's name that can't be stored, returns the path of the
 * object with the field.
 */
function pathOfText(input: unknown): string[] {
  const wrong = Object.entries(typeof input === 'object' && input !== null ? input : {}).find((entry) => !canBeKept(entry));
  return wrong && canBeKept(wrong[0]) ? [wrong[0], ...pathOfText(wrong[1])] : [];
}

/** Error codes for values of the wrong type, by the expected type. */
const WANTED: Readonly<Record<string, string>> = {
  number: 'wants_number',
  int: 'wants_number',
  boolean: 'wants_boolean',
  array: 'wants_list',
  object: 'wants_object',
  record: 'wants_object',
};

function fieldProblemOf(issue: z.core.$ZodIssue, input: unknown): FieldProblem {
  const code = codeOf(issue, input);
  return code === 'one_of' && issue.code === 'invalid_value' ? { code, params: { values: issue.values.join(', ') } } : { code };
}

function codeOf(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code !== 'unrecognized_keys' && valueAt(input, issue.path) === undefined) return 'required';
  if (say('en', `fields.${issue.message}`) !== undefined) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return WANTED[issue.expected] ?? 'wrong_type';
    case 'invalid_value':
      return 'one_of';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'too_large';
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'required' : 'too_small';
    case 'unrecognized_keys':
      return 'unknown_field';
    default:
      return 'wrong_value';
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );
}
