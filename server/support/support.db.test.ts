// Tickets and chats: who may read them, what is mailed and when, and the limits.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { Problem, type ProblemCode, routes } from '@kurs/contract';
import { queuedLetters } from '../deliveries/testing.ts';
import { proveBot } from '../compliance/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { type Context, type Limit, createLimiter } from '../platform/index.ts';
import { freely } from '../platform/testing.ts';
import { watchChats } from './chat-watch.ts';
import { answerTicket, closeTicket, deskFile, deskTicket, deskTickets } from './desk.ts';
import { mailUnread } from './mail-unread.ts';
import { deskChat, deskChats, sayInChat } from './owner-chats.ts';
import { supportRoutes } from './routes.ts';
import { fileOfTicket } from './ticket.ts';
import { ORDER_OWNER } from '../exchange/index.ts';

let world: World;
const OWNERS = [ORDER_OWNER];
let handlers: ReturnType<typeof supportRoutes>;
before(async () => {
  world = await openWorld();
  handlers = supportRoutes({ db: world.db, sender: world.deps.sender, proveBot, owners: OWNERS });
});
after(() => world.close());
beforeEach(async () => {
  await world.db.run('delete from support_thread');
  await world.db.run('delete from mail');
});

const context = (more: Partial<Context> = {}): Context => ({
  ...{ db: world.db, locale: 'en', clientId: 'web', userAgent: '', ip: '203.0.113.9', deviceKey: 'd', ...freely },
  ...more,
});
/** Returns a context with enforced limits, also for the machine's own network. */
const counting = (): Partial<Context> => {
  const limiter = createLimiter();
  return {
    limit: async (key: string, limit: Limit) => limiter.take(key, limit),
    limitNetwork: async (key: string, limit: Limit) => limiter.take(`network ${key}`, limit),
  };
};
const refused = (run: Promise<unknown>, code: ProblemCode, field?: string): Promise<void> =>
  assert.rejects(run, (error) => {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, code);
    if (field !== undefined) assert.ok(field in (error.details.errors ?? {}));
    return true;
  });

type Opening = Parameters<typeof handlers.ticketOpen>[0];
const opening = (more: Partial<Opening> = {}): Opening => ({
  topic: 'payment',
  text: 'Where is my payment?',
  email: 'ann@example.org',
  files: [],
  bot_token: 'sandbox',
  ...more,
});
const open = async (more: Partial<Opening> = {}, as = context()): Promise<{ id: string; token: string }> => {
  const { id, token } = routes.ticketOpen.output.parse(await handlers.ticketOpen(opening(more), as));
  return { id, token: token as string };
};
const answer = (id: string, text = 'It is on its way.') =>
  world.db.tx((tx) => answerTicket(tx, world.deps.sender, { id, text, person: 'olga' }));
const mails = (to: string) => queuedLetters(world.db, { to });
const page = { page: 1, per_page: 20 };
const waiting = async () => (await deskTickets(world.db, { ...page, isWaiting: true })).data.map(({ id }) => id);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const picture = { name: 'receipt.png', data: PNG.toString('base64') };

test('a ticket is opened, mailed with its link, answered by mail and on its page, gone on with and closed', async () => {
  const ticket = await open({ order: 'KX-7F3Q-2M8C' }, context({ locale: 'ru' }));
  const [letter] = await mails('ann@example.org');
  assert.ok(letter?.subject.includes(ticket.id) && /[а-я]/.test(letter.subject));
  assert.ok(letter?.text.includes(`/Ru/contact-us/ticket?id=${ticket.id}&token=${ticket.token}`));
  assert.deepEqual(await waiting(), [ticket.id]);
  assert.equal((await deskTicket(world.db, OWNERS, ticket.id)).order_fits, false);

  await answer(ticket.id, 'Your <b>payment</b>\nis confirmed.');
  const [, reported] = await mails('ann@example.org');
  assert.ok(reported?.text.includes('is confirmed.') && reported.html.includes('&lt;b&gt;payment'));
  const read = routes.ticketRead.output.parse(await handlers.ticketRead(ticket, context()));
  assert.deepEqual([read.status, read.messages.map(({ by }) => by)], ['answered', ['customer', 'desk']]);
  assert.deepEqual(await waiting(), []);

  await world.db.tx((tx) => closeTicket(tx, ticket.id));
  const more = await handlers.ticketReply({ ...ticket, text: 'Thank you', files: [] }, context());
  assert.equal(more.status, 'waiting');
  assert.deepEqual(await waiting(), [ticket.id]);
});

test('reading, writing and downloading take the ticket’s own secret', async () => {
  const own = await open({ files: [picture] });
  const other = await open({ email: 'bob@example.org' });
  for (const token of [other.token, 'x'.repeat(43)]) {
    const request = { id: own.id, token };
    await refused(handlers.ticketRead(request, context()), 'ticket_not_found');
    await refused(handlers.ticketReply({ ...request, text: 'a', files: [] }, context()), 'ticket_not_found');
    await refused(fileOfTicket({ db: world.db, sender: world.deps.sender }, { ...request, n: 1 }), 'ticket_not_found');
  }
  await refused(fileOfTicket({ db: world.db, sender: world.deps.sender }, { ...other, n: 1 }), 'ticket_not_found');
  const file = await fileOfTicket({ db: world.db, sender: world.deps.sender }, { ...own, n: 1 });
  assert.deepEqual([file.name, file.type, file.bytes.equals(PNG)], ['receipt.png', 'image/png', true]);
  await refused(fileOfTicket({ db: world.db, sender: world.deps.sender }, { ...own, n: 2 }), 'ticket_not_found');
  assert.equal((await deskFile(world.db, own.id, 1)).data, picture.data);
  // An order's secret doesn't open a ticket, and vice versa.
  const order = await world.place();
  await refused(handlers.orderChat({ id: order.number, token: own.token }, context()), 'order_not_found');
});

test('without a robot check a ticket waits until the link in its mail is opened', async () => {
  await refused(handlers.ticketOpen(opening({ bot_token: 'nonsense' }), context()), 'bot_check_failed');
  const { bot_token: _none, ...unproved } = opening();
  const opened = await handlers.ticketOpen(unproved, context());
  assert.equal(opened.token, undefined);
  assert.deepEqual(await waiting(), []);
  await refused(deskTicket(world.db, OWNERS, opened.id), 'ticket_not_found');
  const [letter] = await mails('ann@example.org');
  const token = /token=([\w-]+)/.exec(letter?.text ?? '')?.[1] as string;
  await handlers.ticketRead({ id: opened.id, token }, context());
  assert.deepEqual(await waiting(), [opened.id]);
  // A signed-in person needs no bot check.
  const user = { id: randomUUID(), email: 'ann@example.org', isEmailVerified: true, sessionId: randomUUID() };
  assert.ok((await handlers.ticketOpen(unproved, context({ user }))).token);
});

test('tickets cost strangers more and more work, and nobody is locked out', async () => {
  const as = context(counting());
  for (let sent = 0; sent < 50; sent += 1) await open({}, as);
  const { bot_token: _none, ...unproved } = opening({ email: 'new@example.org' });
  const stranger = context(counting());
  await handlers.ticketOpen(unproved, stranger);
  await refused(handlers.ticketOpen(unproved, stranger), 'bot_check_required');
  await handlers.ticketOpen({ ...unproved, bot_token: 'sandbox' }, stranger);
  // A signed-in person has limits of their own.
  const user = { id: randomUUID(), email: 'ann@example.org', isEmailVerified: true, sessionId: randomUUID() };
  for (let sent = 0; sent < 10; sent += 1) await handlers.ticketOpen(opening({}), { ...as, user });
  await refused(handlers.ticketOpen(opening({}), { ...as, user }), 'rate_limited');
});

test('files are pictures and PDFs by their bytes, and not too many', async () => {
  const html = { name: 'a.png', data: Buffer.from('<html><script>').toString('base64') };
  await refused(open({ files: [html] }), 'validation', 'files');
  const ticket = await open({ files: [picture, picture, picture] });
  for (let sent = 0; sent < 3; sent += 1)
    await handlers.ticketReply({ ...ticket, text: 'more', files: [picture, picture, picture] }, context());
  await refused(handlers.ticketReply({ ...ticket, text: 'more', files: [picture] }, context()), 'validation', 'files');
  const { messages } = await handlers.ticketRead(ticket, context());
  assert.deepEqual(
    messages.flatMap(({ files }) => files.map(({ n }) => n)),
    Array.from({ length: 12 }, (_, at) => at + 1),
  );
});

test('a repeated call adds its message once', async () => {
  const keyed = { idempotencyKey: randomUUID() };
  const first = await open({}, context(keyed));
  assert.deepEqual(await open({}, context({ ...keyed, isRepeated: true })), first);
  const reply = { ...first, text: 'more', files: [] };
  await handlers.ticketReply(reply, context(keyed));
  assert.equal((await handlers.ticketReply(reply, context({ ...keyed, isRepeated: true }))).messages.length, 2);
  const order = await world.place();
  const said = { id: order.number, token: world.token(order), text: 'Hello' };
  await handlers.orderSay(said, context(keyed));
  assert.equal((await handlers.orderSay(said, context({ ...keyed, isRepeated: true }))).messages.length, 1);
});

test('publishes the time to an answer from twenty tickets on', async () => {
  for (let sent = 0; sent < 20; sent += 1) {
    const { id } = await open({ email: `a${sent}@example.org` });
    await answer(id);
    const reported = await supportRoutes({ db: world.db, sender: world.deps.sender, proveBot, owners: OWNERS }).supportDetails(
      {},
      context(),
    );
    assert.equal(reported.median_minutes, sent < 19 ? undefined : 1);
  }
});

test('an order’s secret opens its chat, where the customer and the desk write and read', async () => {
  const [order, other] = [await world.place(), await world.place()];
  const key = { id: order.number, token: world.token(order) };
  const empty = await handlers.orderChat(key, context());
  assert.deepEqual(empty, { messages: [], unread: 0, version: 0 });
  await handlers.orderSay({ ...key, text: 'I paid\r\n\r\n\r\n\r\ntwice' }, context());
  const stranger = { id: order.number, token: world.token(other) };
  await refused(handlers.orderChat(stranger, context()), 'order_not_found');
  await refused(handlers.orderSay({ ...stranger, text: 'a' }, context()), 'order_not_found');
  await refused(handlers.orderChatSeen({ ...stranger, seq: 1 }, context()), 'order_not_found');

  assert.deepEqual(
    (await deskChats(world.db, page)).data.map(({ order: number, text }) => [number, text]),
    [[order.number, 'I paid\n\ntwice']],
  );
  await world.db.tx((tx) => sayInChat(tx, OWNERS, { number: order.number, text: 'We see it', person: 'olga' }));
  assert.deepEqual((await deskChats(world.db, page)).data, []);
  const reported = routes.orderChat.output.parse(await handlers.orderChat(key, context()));
  assert.deepEqual([reported.unread, reported.messages.map(({ by }) => by)], [1, ['customer', 'desk']]);
  // A higher number than that of the last message is capped, and customers don't learn the name of the desk's person.
  assert.equal((await handlers.orderChatSeen({ ...key, seq: 99 }, context())).unread, 0);
  assert.doesNotMatch(JSON.stringify(reported), /olga/);
  assert.equal((await deskChat(world.db, OWNERS, order.number)).messages.length, 2);
  assert.deepEqual((await handlers.orderChat({ id: other.number, token: world.token(other) }, context())).messages, []);
});

test('a chat limits messages', async () => {
  const order = await world.place();
  const said = { id: order.number, token: world.token(order), text: 'Hello' };
  const as = context(counting());
  for (let sent = 0; sent < 20; sent += 1) await handlers.orderSay(said, as);
  await refused(handlers.orderSay(said, as), 'rate_limited');
  assert.ok(!routes.orderSay.input.safeParse({ ...said, text: 'x'.repeat(1_001) }).success);
  assert.ok(!routes.orderSay.input.safeParse({ ...said, text: ' \n ' }).success);
  await world.db.run(
    `insert into support_message (thread_id, seq, by, text, at) select id, n, 'customer', 'x', clock_now() from support_thread, generate_series(21, 300) as n`,
  );
  await refused(handlers.orderSay(said, context()), 'validation', 'text');
});

test('unread messages are mailed once, and again only after the customer has read them', async () => {
  const order = await world.place();
  const key = { id: order.number, token: world.token(order) };
  const say = (text: string) => world.db.tx((tx) => sayInChat(tx, OWNERS, { number: order.number, text, person: 'olga' }));
  const send = () => mailUnread(world.db, world.deps.sender, OWNERS);
  const sent = async () => (await mails(order.email)).filter(({ subject }) => subject.startsWith('A message'));
  await say('first');
  assert.equal(await send(), 0, 'not at once');
  await say('second');
  await world.pass(2);
  assert.equal(await send(), 1);
  const [letter] = await sent();
  assert.ok(letter?.text.includes('first') && letter.text.includes('second') && letter.text.includes('&chat=1'));
  await say('third');
  await world.pass(2);
  assert.equal(await send(), 0, 'the letter before is still unread');
  await handlers.orderChatSeen({ ...key, seq: 3 }, context());
  await say('fourth');
  await handlers.orderChatSeen({ ...key, seq: 4 }, context());
  await world.pass(2);
  assert.equal(await send(), 0, 'it was looked at');
  await say('fifth');
  await world.pass(2);
  assert.equal(await send(), 1);
  const [, last] = await sent();
  assert.ok(last?.text.includes('fifth') && !last.text.includes('fourth'));
});

test('notifies followers of an order of changes in its chat, and nobody else', async () => {
  const [order, other] = [await world.place(), await world.place()];
  const watch = watchChats(world.db);
  try {
    const heard: string[] = [];
    const news = new Promise<number>((done) => {
      watch.listen(order.view.id, 0, (version) => (heard.push('order'), done(version)));
      watch.listen(other.view.id, 0, () => void heard.push('other'));
    });
    await world.db.tx((tx) => sayInChat(tx, OWNERS, { number: order.number, text: 'Hello', person: 'olga' }));
    assert.equal(await news, await watch.versionOf(order.view.id));
    assert.deepEqual(heard, ['order']);
  } finally {
    await watch.stop();
  }
});
