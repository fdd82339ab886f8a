// A mail server for tests.

import { type AddressInfo, type Server, createServer } from 'node:net';

/** Steps of an SMTP session, up to the end of a letter's text. */
export type SmtpStep = 'greeting' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';

/**
 * Starts a mail server that supports the commands of SMTP (RFC 5321) for sending letters. `letters` and `receivers` collect the
 * accepted letters and the RCPT commands. `reply` returns the answer after a letter's text. `early` returns answers to chosen
 * steps; all other steps are accepted.
 */
export function smtpServer(
  letters: string[],
  reply: () => string,
  receivers: string[] = [],
  early: () => Partial<Record<SmtpStep, string>> = () => ({}),
): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    let letter: string | undefined;
    socket.on('error', () => {});
    socket.setEncoding('utf8').write(`${early().greeting ?? '220 test'}\r\n`);
    socket.on('data', (text: string) => {
      if (letter !== undefined) {
        letter += text;
        if (!letter.endsWith('\r\n.\r\n')) return;
        const answer = reply();
        if (answer.startsWith('250')) letters.push(letter);
        letter = undefined;
        socket.write(`${answer}\r\n`);
      } else if (/^RCPT/im.test(text)) {
        receivers.push(text.trim());
        socket.write(`${early().RCPT ?? '250 ok'}\r\n`);
      } else if (/^DATA/i.test(text)) {
        const refused = early().DATA;
        letter = refused === undefined ? '' : undefined;
        socket.write(`${refused ?? '354 go on'}\r\n`);
      } else if (/^MAIL/i.test(text)) socket.write(`${early().MAIL ?? '250 ok'}\r\n`);
      else if (/^AUTH/i.test(text)) socket.write(`${early().AUTH ?? '235 ok'}\r\n`);
      else if (/^EHLO/i.test(text) && early().AUTH) socket.write('250-test\r\n250 AUTH PLAIN\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done({ server, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` })),
  );
}
