import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

export { Mailbox } from './mailbox.ts';
export { mailPage } from './page.ts';

/**
 * Mail side of the sandbox: an SMTP server that accepts every mail and delivers none.
 *
 * - **Mailbox**: received mails by receiver. Programs read it at `GET /api/v1/sandbox/mail`, people at `/sandbox/mail`.
 */
const LARGEST = 2_000_000;

/** Listens for SMTP on 127.0.0.1 (port 0: any free one). */
export async function openSmtp(mailbox: Mailbox, port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: LARGEST,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('Too large'), { responseCode: 552 }));
        const receivers = session.envelope.rcptTo.map(({ address }) => address);
        try {
          mailbox.receive(Buffer.concat(chunks), receivers, new Date());
        } catch (error) {
          return done(Object.assign(new Error(String(error)), { responseCode: 452 }));
        }
        return done();
      });
    },
  });
  // A client may disconnect at any time.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
