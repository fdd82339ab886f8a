/**
 * Operator: the actions of the desk's people. Every action names its person and reason and is stored in the audit.
 *
 * - **Person**: an operator or a compliance officer, known by a key.
 * - **Action**: one thing that a person does to an order, a switch or the desk's own money.
 * - **Request**: an action that takes two people, as the first person requested it. A second person must confirm the request
 *   with the same content.
 */
export { addOperator, addOperatorAtConsole, leave, rotate, seedSandboxDesk } from './people/people.ts';
export { peopleWith } from './people/store.ts';
export { checksOf } from './checks.ts';
export { checkAuditNote, proveAudit, sealActions } from './people/audit-seal.ts';
export { operatorRoutes } from './routes.ts';
export { deskSessionRoutes, whoActs } from './people/desk-sessions.ts';
export { restoredHeaders } from './actions/restored.ts';
