// Support: customers' messages to the desk, and its answers.
//
// thread   a conversation with one customer: a ticket or a chat
// ticket   a conversation opened with a form; it has a number and a secret link
// chat     the conversation about an owner of money, such as an order; the owner's secret opens it
// unread   messages of the desk that the customer hasn't seen on the page; mailed in one letter after a while
// file     a picture or a PDF sent with a message; only ever served as a download

export { supportRoutes } from './routes.ts';
export { type ChatWatch, watchChats } from './chat-watch.ts';
export { fileOfTicket } from './ticket.ts';
export { messageRows } from './message-rows.ts';
export { mailUnread } from './mail-unread.ts';
export { forgetTickets } from './store.ts';
export { TICKET_MACHINE } from './ticket-machine.ts';
export { answerTicket, closeTicket, deskFile, deskTicket, deskTickets } from './desk.ts';
export { deskChat, deskChats, sayInChat } from './owner-chats.ts';
