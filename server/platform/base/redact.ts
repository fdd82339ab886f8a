// Hides secrets in log lines: tokens, keys, passwords, codes.

import { Problem } from '@kurs/contract';

const SECRET_NAMES = /token|secret|password|passphrase|authorization|cookie|mnemonic|api[-_]?key|private|signature|otp|^code$/i;
const SECRET_IN_TEXT =
  /((?:^|[?&;\s"'])(?:token|t|key|code|secret|password|signature)=)[^&\s"'#;]+|(\bBearer\s+)[\w.~+/=-]+|(\/\/[^/:@\s]+:)[^@\s/]+(?=@)/gi;
const HIDDEN = '[hidden]';

/** Returns a text with the values of `token=…`, `Bearer …` and `//user:password@` hidden. */
export function redactText(text: string): string {
  return text.replace(
    SECRET_IN_TEXT,
    (_all, query?: string, bearer?: string, login?: string) => `${query ?? bearer ?? login ?? ''}${HIDDEN}`,
  );
}

/**
 * Returns a copy of `value` that is safe to log. Values of fields with the name of a secret are hidden. Errors become plain
 * objects, and bigints text. Anything deeper than 6 levels becomes `[deep]`.
 */
export function redact<T>(value: T, depth = 0): T {
  return hide(value, depth) as T;
}

function hide(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (depth > 6) return '[deep]';
  if (value instanceof Error) return hideError(value, depth);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map((item) => hide(item, depth + 1));
  // An instance of a class, such as a request or a socket, may refer to endlessly many other objects.
  if (!isPlain(value)) return `[${value.constructor.name}]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, SECRET_NAMES.test(String(name)) ? HIDDEN : hide(item, depth + 1)]),
  );
}

function isPlain(value: object): boolean {
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function hideError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: hide(error.cause, depth + 1) };
  return { name: error.name, message: redactText(error.message), ...code, stack: redactText(error.stack ?? ''), ...cause };
}

/** Maximum length of a reason that people are shown, in characters. The log has the whole error. */
const MAX_OF_A_REASON = 200;

/**
 * Returns the reason of a failure for people: the error's message, shortened and without secrets. For a problem with a cause,
 * the message is that of the cause.
 */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Problem ? (error.details.cause ?? error) : error;
  const text = redactText(cause instanceof Error ? cause.message : String(cause));
  return text.length > MAX_OF_A_REASON ? `${text.slice(0, MAX_OF_A_REASON)}…` : text;
}
