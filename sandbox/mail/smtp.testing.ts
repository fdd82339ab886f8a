import assert from 'node:assert/strict';
import { connect } from 'node:net';

/** Sends a mail over SMTP (RFC 5321) as a mail program does. */
export async function sendMail(port: number, to: readonly string[], data: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  const lines = [
    'EHLO test',
    'MAIL FROM:<desk@kurs.example>',
    ...to.map((address) => `RCPT TO:<${address}>`),
    'DATA',
    `${data}\r\n.`,
    'QUIT',
  ];
  for await (const reply of socket) {
    const last = String(reply).trimEnd().split('\r\n').at(-1) ?? '';
    assert.match(last, /^[23]/);
    const next = lines.shift();
    if (next === undefined) break;
    if (/^\d{3} /.test(last)) socket.write(`${next}\r\n`);
    else lines.unshift(next);
  }
}
