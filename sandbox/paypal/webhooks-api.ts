import { type Mount, No } from './answers.ts';
import { type Webhook, newId } from './book.ts';
import { type Signed, memberText } from './messages.ts';

/** Mounts Webhooks v1: register and list webhooks; verify, list and resend messages. */
export const mountWebhooks: Mount = (operate, { book, messages }) => {
  const show = ({ id, url, kinds }: Webhook): object => ({ id, url, event_types: kinds.map((name) => ({ name })), links: [] });
  operate('webhooks', 'webhooks.post', ({ body }) => {
    const { url, event_types: kinds } = body as { url: string; event_types: { name: string }[] };
    if (book.webhooks().some((one) => one.url === url)) throw new No(400, 'WEBHOOK_URL_ALREADY_EXISTS');
    const webhook: Webhook = { id: newId(17), url, kinds: kinds.map(({ name }) => name) };
    book.put('webhook', webhook);
    return { status: 201, body: show(webhook) };
  });
  operate('webhooks', 'webhooks.list', () => ({ status: 200, body: { webhooks: book.webhooks().map(show) } }));
  operate('webhooks', 'verify-webhook-signature.post', ({ body, text }) => {
    const isTrue = messages.isTrue(body as Signed, memberText(text, 'webhook_event') ?? '');
    return { status: 200, body: { verification_status: isTrue ? 'SUCCESS' : 'FAILURE' } };
  });
  operate('webhooks', 'webhooks-events.list', ({ query }) => {
    const { event_type: kind, start_time: from = '', page_size: size = '10' } = query;
    const fitting = book.events().filter((one) => (kind === undefined || one.event_type === kind) && one.create_time >= from);
    const events = fitting.toReversed().slice(0, Math.min(Number(size), 300));
    return { status: 200, body: { events, count: events.length, links: [] } };
  });
  operate('webhooks', 'webhooks-events.resend', ({ params }) => {
    const event = book.events().find(({ id }) => id === params['event_id']);
    if (!event) throw new No(404, 'INVALID_RESOURCE_ID');
    messages.send(event);
    return { status: 202, body: event };
  });
};
