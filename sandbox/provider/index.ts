/**
 * What the counterparts of providers share: pages that a customer's browser walks through, messages to the product that
 * are sent until they are taken, and a memory that survives a restart.
 */
export { WebhookSender, type Message } from './webhook-sender.ts';
export { type Row, Store } from './store.ts';
export { escape } from './page.ts';
export { type Form, acceptForms, button, facts, hidden, showPage, table } from './forms.ts';
