/**
 * Contract: the public API.
 *
 * - **Route**: one call, with the schemas of its input and output. **Problem**: a named failure.
 * - **Wire**: the form of amounts, times and ids. **Words**: texts of problems, statuses and mails, in both languages.
 * - **Client**: the typed caller that the site, the sandbox and integrators use.
 */
export { ACCOUNT_EXPORT_PATH, EXPORTS } from './openapi/exports.ts';
export {
  AVATARS_PATH,
  AVATAR_PATH,
  PICTURE_TYPES,
  STORE_LINK_PICTURES_PATH,
  STORE_LINK_PICTURE_PATH,
  STORE_MARKS_PATH,
  STORE_MARK_PATH,
} from './openapi/uploads.ts';
export { type Exposure, frameAncestors } from './exposure.ts';
export { type Input, type Output, type Route, type Sent, route, takesBody } from './route.ts';
export {
  ACCOUNT_SCOPES,
  type AccountScope,
  type Allowed,
  type CallerKind,
  PERMISSIONS,
  type Permission,
  STORE_PERMISSIONS,
  STORE_ROLES,
  STORE_SCOPES,
  type Scope,
  type StorePermission,
  type StoreRole,
  type StoreScope,
  allowedBy,
  isFor,
  isOfDesk,
} from './permissions.ts';
export { PROBLEMS, Problem, type FieldProblem, type ProblemCode, type ProblemDetails, fieldProblem } from './problems.ts';
export { type Locale, LOCALES, localeOf, say } from './words.ts';
export { copiedCode, withDigits, withLatinLetters } from './fields/copied-code.ts';
export { COUNTRIES, isCountry } from './fields/countries.ts';
export { EMAIL, withAsciiDomain } from './fields/email.ts';
export { isExactNumber } from './fields/json-number.ts';
export { isPlainHttps } from './fields/return-url.ts';
export { tolerance } from './fields/tolerance.ts';
export { manyLines, oneLine, readable } from './fields/free-text.ts';
export { POLICY_VERSION } from './policy.ts';
export { FILES_OF_MESSAGE, FILE_TYPES, TICKET_FILE_PATH, TICKET_TOPICS } from './support.ts';
export { type ReturnPages, returnPages } from './return-pages.ts';
export { type SettlementMove, settlementAbout } from './fields/settlement-about.ts';
export { sitePath } from './site-path.ts';
export { type RouteName, type Routes, routes } from './routes/index.ts';
export {
  GREENFIELD_EVENTS,
  type GreenfieldEvent,
  INVOICE_EVENTS,
  REFUND_EVENTS,
  SETTLEMENT_EVENTS,
  STORE_EVENTS,
  type StoreEvent,
} from './webhook-events.ts';
export * as wire from './wire.ts';
