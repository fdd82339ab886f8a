/**
 * Shared parts of providers' counterparts: pages for a customer's browser, messages to the product that are sent until they are
 * accepted, and stored state that survives a restart.
 */
export { WebhookSender, type Message } from './webhook-sender.ts';
export { type StoredRow, Store } from './store.ts';
export { escape } from './page.ts';
export { type Form, acceptForms, button, facts, hidden, showPage, table } from './forms.ts';
