import { chmodSync, rmSync } from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { SignAnswer, SignedEntry, SignerHealth } from '../rails/index.ts';
import { type SigningDeps, answer } from './sign.ts';

/** Schema of requests: anything else is refused unread. */
const REQUEST = z.strictObject({
  id: z.int(),
  rail: z.string().max(40),
  unsigned: z.string().max(1_000_000),
  payouts: z.array(z.uuid()).max(1000),
  purpose: z.enum(['payout', 'fuel', 'sweep']),
  index: z.int().min(0).optional(),
});

const SIGNED = z.strictObject({
  id: z.int(),
  ask: z.literal('signed'),
  rail: z.string().max(40),
  payouts: z.array(z.uuid()).max(1000),
});

const HEALTH = z.strictObject({ id: z.int(), ask: z.literal('health') });

/** Sources of the signer's answers; `health`: its status. */
export type ServedDeps = SigningDeps & { readonly health: () => SignerHealth };

/** Earlier signatures, oldest first. */
type SignedAnswer = { readonly lines: readonly SignedEntry[] };

/**
 * Listens on a unix socket that only our own user may open (mode 0600), with one JSON request a line and one answer a line with
 * the same `id`. Requests of all connections are answered one after the other. Returns a function that stops it.
 */
export async function serveSigner(socketPath: string, deps: ServedDeps): Promise<{ close(): Promise<void> }> {
  let turn: Promise<unknown> = Promise.resolve();
  const sockets = new Set<Socket>();
  const reply = (line: string): Promise<object> => {
    const answered = turn.then(() => handle(deps, line));
    turn = answered.catch(() => undefined);
    return answered;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    createInterface({ input: socket })
      .on('line', (line) => void reply(line).then((given) => socket.writable && socket.write(`${JSON.stringify(given)}\n`)))
      .on('error', () => socket.destroy());
  });
  rmSync(socketPath, { force: true });
  await listen(server, socketPath);
  chmodSync(socketPath, 0o600);
  return {
    close: async () => {
      await turn;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

/** The umask makes the socket private from the beginning, and not only after the chmod. */
async function listen(server: Server, socketPath: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    await new Promise<void>((done, failed) => server.once('error', failed).listen(socketPath, done));
  } finally {
    process.umask(before);
  }
}

async function handle(
  deps: ServedDeps,
  line: string,
): Promise<{ readonly id: number } & (SignAnswer | SignerHealth | SignedAnswer)> {
  const request = parseJson(line);
  const health = HEALTH.safeParse(request);
  if (health.success) return { id: health.data.id, ...deps.health() };
  const signed = SIGNED.safeParse(request);
  if (signed.success) return { id: signed.data.id, lines: signedFor(deps, signed.data) };
  const parsed = REQUEST.safeParse(request);
  if (!parsed.success) return { id: -1, ok: false, reason: 'malformed' };
  const { id, index, ...rest } = parsed.data;
  return { id, ...(await answer(deps, index === undefined ? rest : { ...rest, index })) };
}

function signedFor({ journal }: ServedDeps, { rail, payouts }: z.output<typeof SIGNED>): SignedEntry[] {
  const lines = new Set(payouts.flatMap((id) => journal.byPayout.get(id) ?? []));
  return [...lines].filter((line) => line.rail === rail).toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
