// The desk tool's commands for support: tickets and the chats of orders.

import { writeFile } from 'node:fs/promises';
import type { Client } from '@kurs/contract/client';
import { moment, safe } from '../desk-print.ts';
import type { Usage } from '../desk-usage.ts';

export const SUPPORT_HELP: readonly Usage[] = [
  ['tickets [--open] [--page N]', 'all tickets; --open: those that wait for an answer, the longest first'],
  ['ticket TK-…', 'a ticket’s messages and files'],
  ['ticket-file TK-… N --to FILE', 'save one of its files (a picture or a PDF by its bytes; open it with care)'],
  ['answer TK-… --text "…"', 'answer a ticket: by mail and on its page'],
  ['close TK-…', 'close a ticket; another message opens it again'],
  ['chats [--page N]', 'chats of orders that wait for an answer, the longest first'],
  ['chat KX-…', 'messages about an order'],
  ['say KX-… --text "…"', 'write to an order’s customer: at once on its page, later by mail if unread'],
];

/** Parts of the tool that commands use. */
export interface SupportTool {
  readonly client: Client;
  readonly flags: {
    readonly [
      N in
        | 'account'
        | 'after'
        | 'alias'
        | 'amount'
        | 'by'
        | 'batch'
        | 'code'
        | 'day-usd'
        | 'directions'
        | 'email'
        | 'invoice-usd'
        | 'last-share'
        | 'max'
        | 'min'
        | 'note'
        | 'percent'
        | 'until'
        | 'uses'
        | 'value'
        | 'evidence'
        | 'fingerprint'
        | 'open'
        | 'order'
        | 'page'
        | 'q'
        | 'reason'
        | 'receipts-usd'
        | 'release-days'
        | 'share'
        | 'from'
        | 'gap'
        | 'per-customer'
        | 'split-most'
        | 'text'
        | 'to'
        | 'txid'
        | 'version'
    ]?: string | undefined;
  } & { readonly [N in 'all' | 'apply' | 'back' | 'csv' | 'first' | 'missed' | 'resume' | 'suspend']?: boolean | undefined } & {
    readonly state?: readonly string[] | undefined;
    readonly payout?: readonly string[] | undefined;
  };
  readonly key: { readonly idempotencyKey: string };
  /** File with the session of the person who acts. */
  readonly session?: string | undefined;
  readonly isJson: boolean;
  readonly table: (rows: readonly object[], none?: string) => void;
  readonly show: (answer: unknown) => void;
  readonly print: (words: string) => void;
  readonly need: (value: string | undefined, what: string) => string;
}

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

const pageOf = ({ flags }: SupportTool): { page?: string } => (flags.page === undefined ? {} : { page: flags.page });
const ticketOf = ({ need }: SupportTool, [id]: readonly string[]): string => need(id, 'the ticket’s number');
const orderOf = ({ need }: SupportTool, [id]: readonly string[]): string => need(id, 'the order’s number');
const textOf = ({ need, flags }: SupportTool): string => need(flags.text, '--text');

/** Commands by their names; `close` with a ticket's number closes the ticket, without one the books. */
export const SUPPORT: Readonly<Record<string, Command>> = {
  async tickets(tool) {
    const { data } = await tool.client.operatorTickets({ ...pageOf(tool), open: tool.flags.open === undefined ? '0' : '1' });
    tool.table(tool.isJson ? data : data.map(({ text, ...row }) => ({ ...row, text: beginningOf(text) })));
  },
  ticket: async (tool, args) => showTicket(tool, await tool.client.operatorTicket({ id: ticketOf(tool, args) })),
  async 'ticket-file'(tool, args) {
    const file = await tool.client.operatorTicketFile({
      id: ticketOf(tool, args),
      n: tool.need(args[1], 'the file’s number'),
    });
    const to = tool.need(tool.flags.to, '--to');
    // Never overwrites a file.
    await writeFile(to, Buffer.from(file.data, 'base64'), { mode: 0o600, flag: 'wx' });
    tool.show({ name: file.name, type: file.type, stored: to });
  },
  async answer(tool, args) {
    const said = { id: ticketOf(tool, args), text: textOf(tool) };
    showTicket(tool, await tool.client.operatorTicketAnswer(said, tool.key));
  },
  async close(tool, args) {
    showTicket(tool, await tool.client.operatorTicketClose({ id: ticketOf(tool, args) }, tool.key));
  },
  async chats(tool) {
    const { data } = await tool.client.operatorChats(pageOf(tool));
    tool.table(tool.isJson ? data : data.map(({ text, ...row }) => ({ ...row, text: beginningOf(text) })));
  },
  chat: async (tool, args) => showSaid(tool, await tool.client.operatorChat({ order: orderOf(tool, args) })),
  async say(tool, args) {
    showSaid(tool, await tool.client.operatorSay({ order: orderOf(tool, args), text: textOf(tool) }, tool.key));
  },
};

function showTicket(tool: SupportTool, found: Awaited<ReturnType<Client['operatorTicket']>>): void {
  if (tool.isJson) return tool.show(found);
  const { id, status, topic, email, locale, order, order_fits: fits } = found;
  const about = order === undefined ? '' : `  about ${order}${fits ? '' : ' (ANOTHER E-MAIL, OR NO SUCH ORDER)'}`;
  tool.print(`${id}  ${status}  ${topic}  ${email}  ${locale}${about}\n`);
  showSaid(tool, found);
}

type Message = { readonly by: string; readonly at: string; readonly text: string };
type Sent = { readonly n: number; readonly name: string; readonly type: string; readonly bytes: number };

function showSaid(
  tool: SupportTool,
  found: { readonly messages: readonly (Message & { readonly files?: readonly Sent[] })[] },
): void {
  if (tool.isJson) return tool.show(found);
  for (const { by, at, text, files = [] } of found.messages) {
    tool.print(`${moment(at)}  ${by}`);
    tool.print(safe(text).replace(/^/gm, '  '));
    for (const { n, name, type, bytes } of files) tool.print(`  [file ${n}: ${safe(name)}, ${type}, ${bytes} bytes]`);
    tool.print('');
  }
}

const MAX = 80;
const beginningOf = (text: string): string => {
  const line = safe(text).replace(/\s+/g, ' ');
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
};
