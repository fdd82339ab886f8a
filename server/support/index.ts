// Support: what people write to the desk, and what it answers.
//
// thread   a conversation with one customer: a ticket or a chat
// ticket   a conversation that somebody opened with a form; it has a number and a secret link
// chat     the conversation about one thing of a customer (its owner, as an order), which its secret opens
// unread   of the desk, and not looked at yet on the page; mailed once per batch when nobody looks
// file     a picture or a PDF that came with a message, by its bytes; only ever served as a download

export { supportRoutes } from './routes.ts';
export { type ChatWatch, watchChats } from './chat-watch.ts';
export { fileOfTicket } from './ticket.ts';
export { messageRows } from './message-rows.ts';
export { mailUnread } from './mail-unread.ts';
export { forgetTickets } from './store.ts';
export { TICKET_MACHINE } from './ticket-machine.ts';
export { answerTicket, closeTicket, deskFile, deskTicket, deskTickets } from './desk.ts';
export { deskChat, deskChats, sayInChat } from './owner-chats.ts';
